internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import SystemSupport

/// Where the exchange of a record's facts with its hub stands, by what this machine knows.
struct HubStanding: Encodable {
    /// The name under which the record has joined.
    var station: String
    /// The identifier of the hub.
    var hub: UUID
    /// Who exchanges facts now; nil if nobody does.
    var exchangedBy: String?
    /// How many facts wait to be sent; nil if the history no longer tells, and the next exchange compares.
    var waiting: Int?
    /// How many facts of others need a newer version of the program.
    var refusedHere: Int
    /// What the exchange does, or did last; nil if there was none yet.
    var phase: HubStatus.Phase?
    /// Since when.
    var since: Date?
    /// The stable code of what is wrong.
    var reason: String?
    /// What is wrong and what to do about it.
    var message: String?
    /// When everything was last exchanged.
    var currentAt: Date?
    /// By how many seconds the clock of this machine is ahead of the hub's.
    var skew: TimeInterval?
    /// How many facts the hub keeps apart, because their times are ahead of its clock.
    var keptApart: Int

    /// Asks a record, and what the exchange says of itself; nil if the record has joined no hub.
    ///
    /// - Parameters:
    ///   - container: The record.
    ///   - path: Its path.
    /// - Throws: `StoreError`.
    init?(_ container: PersistentContainer, at path: String) throws {
        guard let state = try container.read({ try $0.hubState }) else { return nil }
        let status = HubStatus(ofRecordAt: path)
        station = state.station
        hub = state.hub
        exchangedBy = ExchangeLock.owner(ofRecordAt: path)
        // What the exchange says is later, unless it speaks of another membership or an earlier record.
        let told = status?.member == state.member ? status?.pushed : nil
        // If all days are still to be compared, nobody knows that anything is there.
        let pushed = state.pushed.map { max($0, told ?? $0) }
        waiting = try? FactOutbox(container).waiting(after: pushed)
        refusedHere = state.quarantined
        phase = status?.phase
        since = status?.since
        reason = status?.reason
        message = status?.message
        currentAt = status?.currentAt
        skew = status?.skew
        keptApart = status?.keptApart ?? 0
    }

    /// Whether facts are exchanged now.
    var isExchanging: Bool { exchangedBy != nil && (phase == .current || phase == .exchanging) }

    /// The whole in one line.
    var line: String {
        let waits = waiting == 0 ? "" : "; \(waitingWords)"
        return "hub: \(phaseWords)\(waits)"
    }

    /// The whole in sentences.
    var lines: [String] {
        var lines = ["station \(station.onOneLine) of the hub \(hub.uuidString)", phaseWords]
        if let currentAt, phase != .current || exchangedBy == nil {
            lines.append("last exchanged everything at \(currentAt.local)")
        }
        lines.append(waitingWords)
        if let skew, abs(skew) >= 2 {
            lines.append(
                "the clock of this machine is \(Int(abs(skew).rounded())) s "
                    + (skew > 0 ? "ahead of" : "behind") + " the hub's: correct it"
            )
        }
        if keptApart > 0 {
            lines.append(
                "the hub keeps \(keptApart.counted("fact")) apart, because of times ahead of its clock"
            )
        }
        if refusedHere > 0 {
            lines.append(
                "\(refusedHere.counted("fact")) of others cannot be read by this version of the program: update it"
            )
        }
        return lines
    }

    private var phaseWords: String {
        let since = since?.local ?? "now"
        guard exchangedBy != nil else {
            return phase == nil
                ? "nobody has exchanged facts yet; start the service luggage-sync"
                : "nobody exchanges facts now; start the service luggage-sync"
        }
        return switch phase {
        case .current: "everything is exchanged, since \(since)"
        case .waiting, .refused: "not exchanged since \(since): \(message?.onOneLine ?? "")"
        case .exchanging, .ended, nil: "facts are being exchanged"
        }
    }

    private var waitingWords: String {
        switch waiting {
        case 0?: "nothing waits to be sent"
        case 1?: "1 fact waits to be sent"
        case let count?: "\(count) facts wait to be sent"
        case nil: "what waits to be sent is found by comparing, at the next exchange"
        }
    }
}
