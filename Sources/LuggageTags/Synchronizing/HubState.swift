package import FoundationEssentials
package import ObjectStore

/// What a record knows about the hub with which it exchanges facts.
package struct HubState: Codable, Hashable, Sendable {
    /// The identifier of the hub.
    package var hub: UUID
    /// The last runs of its server, oldest first: so it is noticed if the hub is put back.
    package var runs: [UUID]
    /// The number of this record at the hub.
    package var member: Int64
    /// The name under which it has joined.
    package var station: String
    /// The identifier of the machine that has joined.
    package var machine: String
    /// The secret of the last exchange that the hub confirmed.
    package var nonce: UUID?
    /// The secret of the exchange that is under way, if there is one.
    package var attempt: UUID?
    /// The last save whose facts the hub has; nil if it has none.
    package var pushed: HistoryToken?
    /// The last save that the hub was told to have been pushed; 0 if none was.
    package var confirmed: Int64
    /// The last fact of the hub that is on record here.
    package var pulled: PullCursor
    /// The last save whose derived rows the hub has; nil if it has none.
    package var published: HistoryToken?
    /// The generation of the rows that the hub has of this record; nil if it has none.
    package var generation: Int64?
    /// Whether the history and the free space of this record may hold what was purged elsewhere.
    package var holdsPurged: Bool
    /// Whether this record takes the facts about all bags.
    package var pullsEverything: Bool
    /// How many facts this record could not take.
    package var quarantined: Int
    /// The version of the program that last compared all days; nil if none has.
    ///
    /// Another one may take what that one could not.
    package var comparedBy: String?

    /// Describes a record that has just joined a hub.
    ///
    /// - Parameters:
    ///   - hub: The identifier of the hub.
    ///   - runs: The last runs of its server, oldest first.
    ///   - member: The number of this record at the hub.
    ///   - station: The name under which it has joined.
    ///   - machine: The identifier of this machine.
    ///   - pullsEverything: Whether this record takes the facts about all bags.
    package init(
        hub: UUID,
        runs: [UUID],
        member: Int64,
        station: String,
        machine: String,
        pullsEverything: Bool
    ) {
        self.hub = hub
        self.runs = runs
        self.member = member
        self.station = station
        self.machine = machine
        self.pullsEverything = pullsEverything
        pulled = .start
        (quarantined, confirmed, holdsPurged) = (0, 0, false)
    }
}

/// A place among the facts of a hub, in the order in which it gives them.
package struct PullCursor: Codable, Hashable, Comparable, Sendable {
    /// The transaction that has brought the fact.
    package var transaction: UInt64
    /// The number of the fact.
    package var number: Int64

    /// Names a place.
    package init(transaction: UInt64, number: Int64) {
        self.transaction = transaction
        self.number = number
    }

    /// The place before all facts.
    package static let start = Self(transaction: 0, number: 0)

    package static func < (first: Self, second: Self) -> Bool {
        (first.transaction, first.number) < (second.transaction, second.number)
    }
}

/// The link of this record to its hub: at most one row, for this record alone, and no fact.
final class HubLink: ManagedObject {
    /// The number of the hub: 1.
    @Attribute var number: Int

    /// The ``HubState`` as JSON, which other versions of the program can read too.
    @Attribute var state: String

    /// The entity in the model.
    static let entity = EntityDescription(
        HubLink.self,
        name: "HubLink",
        uniquenessConstraints: [[\.number]]
    )
}

extension ManagedObjectContext {
    /// What this record knows about its hub; nil if it has joined none.
    package var hubState: HubState? {
        get throws {
            guard let link = try fetch(FetchRequest(HubLink.self)).first else { return nil }
            do {
                return try JSONDecoder().decode(HubState.self, from: Data(link.state.utf8))
            } catch {
                throw StoreError(
                    .damaged,
                    "what the record keeps about its hub cannot be read; leave the hub and join again"
                )
            }
        }
    }

    /// Keeps what this record knows about its hub with the next save, or nothing if it left the hub.
    ///
    /// Every save is in the history. So keep a state only if something besides the last save has
    /// changed, or each exchange would be news for the next one.
    ///
    /// - Parameter state: The state.
    /// - Throws: `StoreError`.
    package func keep(_ state: HubState?) throws {
        let known = try fetch(FetchRequest(HubLink.self)).first
        guard let state else {
            if let known { try delete(known) }
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(state), as: UTF8.self)
        if known?.state == text { return }
        let link = known ?? HubLink(context: self)
        link.number = 1
        link.state = text
    }
}
