package import FoundationEssentials
package import ObjectStore
internal import SystemSupport

/// What the program that exchanges facts with a hub says of itself, in a file beside the record.
package struct HubStatus: Codable, Hashable, Sendable {
    /// What it does.
    package enum Phase: String, Codable, Sendable {
        /// Everything is exchanged that there was to exchange.
        case current
        /// It exchanges facts.
        case exchanging
        /// The hub cannot be reached, or does not take anything; it tries again.
        case waiting
        /// A person must do something.
        case refused
        /// It has ended.
        case ended
    }

    /// What it does.
    package var phase: Phase
    /// Since when; it says so again each time it tries.
    package var since: Date
    /// The stable code of what is wrong; nil if nothing is.
    package var reason: String?
    /// What is wrong and what to do about it; nil if nothing is.
    package var message: String?
    /// When it last had exchanged everything.
    package var currentAt: Date?
    /// By how many seconds the clock of this machine is ahead of the hub's.
    package var skew: TimeInterval?
    /// How many facts the hub keeps apart, because their times are ahead of its clock.
    package var keptApart = 0
    /// The number of the record at the hub.
    package var member: Int64?
    /// The last save whose facts the hub has; the record itself keeps that only with facts.
    package var pushed: HistoryToken?

    /// Describes what the program does.
    package init(_ phase: Phase, since: Date = Date()) {
        self.phase = phase
        self.since = since
    }

    /// What the name of the file adds to the name of the record's file.
    package static let suffix = "-hub"

    /// Reads what the program for a record says of itself; nil if there is nothing to read.
    ///
    /// - Parameter record: The path of the record.
    package init?(ofRecordAt record: String) {
        guard let data = try? Data(contentsOf: Self.file(record)) else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let status = try? decoder.decode(Self.self, from: data) else { return nil }
        self = status
    }

    /// Writes it beside the record; a failure to write stops nothing.
    ///
    /// - Parameter record: The path of the record.
    package func write(forRecordAt record: String) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(self) else { return }
        try? data.write(to: Self.file(record), options: .atomic)
    }

    /// The file, whatever links lead to the record.
    private static func file(_ record: String) -> URL {
        URL(fileURLWithPath: record.behindLinks + suffix)
    }
}
