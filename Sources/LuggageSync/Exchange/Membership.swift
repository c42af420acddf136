internal import FoundationEssentials
internal import HubConnection
internal import LuggageTags
package import ObjectStore

/// Begins and ends the membership of a record in a hub.
package struct Membership {
    private let container: PersistentContainer

    /// Names the record.
    package init(_ container: PersistentContainer) {
        self.container = container
    }

    /// Under what a record joins a hub.
    package struct Entry {
        /// The name of the station, for people.
        package var station: String
        /// Whether it gets all facts, or only those of bags that it has seen.
        package var pullsEverything: Bool
        /// Whether it takes the place of a record that has joined with the same login.
        package var asNew: Bool
        /// The identifier of this machine.
        package var machine: String

        /// Describes an entry.
        package init(
            station: String,
            pullsEverything: Bool,
            asNew: Bool,
            machine: String = Machine.identifier
        ) {
            self.station = station
            self.pullsEverything = pullsEverything
            self.asNew = asNew
            self.machine = machine
        }
    }

    /// Joins a hub, or takes up a membership that another record has taken.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - entry: Under what.
    /// - Throws: ``SyncError``, `HubError` or `StoreError`; the record is unchanged then.
    package func join(_ hub: Hub, _ entry: Entry) throws {
        let present = try container.read { try $0.hubState }
        if let present, !entry.asNew { throw SyncError.joined(present.hub) }
        guard try container.read({ try $0.isSettled }) else { throw SyncError.notSettled }
        try container.keep(Self.enter(hub, entry, present))
    }

    /// Joins a hub with a record that is made only once the hub has let it in.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - entry: Under what.
    ///   - use: Makes the record, opens it, and does with it what it is given.
    /// - Throws: ``SyncError``, `HubError` or `StoreError`; there is no record then, unless that could not be made.
    package static func join(
        _ hub: Hub,
        _ entry: Entry,
        making use: ((PersistentContainer) throws -> Void) throws -> Void
    ) throws {
        let state = try enter(hub, entry, nil)
        try use { try $0.keep(state) }
    }

    private static func enter(_ hub: Hub, _ entry: Entry, _ present: HubState?) throws -> HubState {
        let greeting = try hub.greet(nil)
        try HubSchema.check(version: greeting.version)
        var state = HubState(
            hub: greeting.hub,
            runs: greeting.runs.map(\.id),
            member: try hub.enter(
                station: entry.station,
                machine: entry.machine,
                pullsEverything: entry.pullsEverything,
                takesPlace: entry.asNew
            ),
            station: entry.station,
            machine: entry.machine,
            pullsEverything: entry.pullsEverything
        )
        if let present, present.hub == state.hub,
            present.pullsEverything || !entry.pullsEverything
        {
            // It has what it had of the others.
            (state.runs, state.pulled) = (present.runs, present.pulled)
        }
        state.holdsPurged = present?.holdsPurged ?? false
        return state
    }

    /// Leaves the hub: what it has stays there, and the record keeps what it has.
    ///
    /// - Parameter hub: The hub.
    /// - Throws: ``SyncError``, `HubError` or `StoreError`.
    package func leave(_ hub: Hub) throws {
        guard let state = try container.read({ try $0.hubState }) else { throw SyncError.notJoined }
        do {
            try hub.leave(state.member)
        } catch let error as HubError
            where [.unknownMember, .hasLeft, .replaced].contains(error.refusal)
        {
            // The hub knows of it already.
        }
        try container.keep(nil)
    }
}

extension PersistentContainer {
    /// Keeps what the record knows about its hub, in a transaction; nobody hears of it.
    func keep(_ state: HubState?) throws {
        try transaction { context in
            context.author = FactIntake.author
            try context.keep(state)
            try context.save()
        }
    }
}
