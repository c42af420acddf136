internal import Foundation
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

    /// Asks a hub who it is, which a record that joins it must be able to.
    ///
    /// - Throws: ``SyncError``, or `HubError`, if it is not set up, or of another version.
    @discardableResult
    package static func greet(_ hub: Hub) throws -> Hub.Greeting {
        let greeting = try hub.greet(nil)
        try HubSchema.check(version: greeting.version)
        return greeting
    }

    /// Joins a hub, or takes up a membership that another record has taken.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - station: The name under which it joins, for people.
    ///   - pullsEverything: Whether it gets all facts, or only those of bags that it has seen.
    ///   - asNew: Whether it takes the place of a record that has joined with the same login.
    ///   - machine: The identifier of this machine.
    /// - Throws: ``SyncError``, `HubError` or `StoreError`; the record is unchanged then.
    package func join(
        _ hub: Hub,
        station: String,
        pullsEverything: Bool,
        asNew: Bool,
        machine: String = Machine.identifier
    ) throws {
        let present = try container.read { try $0.hubState }
        if let present, !asNew {
            throw SyncError.joined(present.hub)
        }
        guard try container.read({ try $0.isSettled }) else { throw SyncError.notSettled }
        let greeting = try Self.greet(hub)
        var state = HubState(
            hub: greeting.hub,
            runs: greeting.runs.map(\.id),
            member: try hub.enter(
                station: station,
                machine: machine,
                pullsEverything: pullsEverything,
                takesPlace: asNew
            ),
            station: station,
            machine: machine,
            pullsEverything: pullsEverything
        )
        if let present, present.hub == state.hub, present.pullsEverything || !pullsEverything {
            // It has what it had of the others.
            (state.runs, state.pulled) = (present.runs, present.pulled)
        }
        state.holdsPurged = present?.holdsPurged ?? false
        try container.keep(state)
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
