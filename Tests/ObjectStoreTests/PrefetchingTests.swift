import StoreTesting
import Testing

@testable import ObjectStore

@Suite("Relationships of objects that were fetched together")
struct PrefetchingTests {
    private static let count = 10_000

    /// Gives a container with passengers who have two bags each, and counts its queries.
    private func withPassengers(
        _ store: TestStore,
        count: Int = count,
        _ body: (PersistentContainer, CountingStore) throws -> Void
    ) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            for number in 0..<count {
                let owner = Passenger(context, "P", String(number, radix: 36))
                for bag in 0..<2 {
                    Luggage(context, "\(number)-\(bag)", weight: 1).owner = owner
                }
            }
            try context.save()
            let counting = CountingStore(over: container.store)
            try body(PersistentContainer(model: container.model, store: counting), counting)
        }
    }

    @Test("are read for many at a time, in any order of asking", arguments: TestStore.allCases)
    func walk(store: TestStore) throws {
        try withPassengers(store) { container, counting in
            for isReversed in [false, true] {
                let context = container.makeContext()
                let owners = try context.fetch(FetchRequest(Passenger.self))
                let queries = counting.countQueries {
                    for owner in isReversed ? owners.reversed() : owners {
                        let tags = owner.luggage.map(\.tag)
                        #expect(tags.count == 2)
                        #expect(tags.allSatisfy { Int($0.dropLast(2), radix: 10) != nil })
                    }
                }
                #expect(queries <= Self.count / 1000 + 4)
                let again = counting.countQueries { for owner in owners { _ = owner.luggage } }
                #expect(again == 0)
            }
        }
    }

    @Test("are read with few others where only one is asked for", arguments: TestStore.allCases)
    func single(store: TestStore) throws {
        try withPassengers(store, count: 200) { container, counting in
            let context = container.makeContext()
            let owners = try context.fetch(FetchRequest(Passenger.self))
            let before = counting.rowCount
            #expect(owners[50].luggage.count == 2)
            #expect(counting.rowCount - before <= 40)
            let queries = counting.countQueries { #expect(owners[51].luggage.count == 2) }
            #expect(queries == 0)
        }
    }

    @Test("are read with the objects where the request says so", arguments: TestStore.allCases)
    func prefetching(store: TestStore) throws {
        try withPassengers(store, count: 2500) { container, counting in
            let context = container.makeContext()
            let request = FetchRequest(Passenger.self).prefetching(\.luggage)
            var owners: [Passenger] = []
            let queries = try counting.countQueries { owners = try context.fetch(request) }
            #expect(queries == 4)
            let walk = counting.countQueries {
                for owner in owners { #expect(owner.luggage.map(\.weight) == [1, 1]) }
            }
            #expect(walk == 0)

            let other = container.makeContext()
            let bags = FetchRequest(Luggage.self).prefetching(\.owner).prefetching(\.seals)
            var found: [Luggage] = []
            let more = try counting.countQueries { found = try other.fetch(bags) }
            #expect(more == 9)
            let back = counting.countQueries {
                for bag in found {
                    #expect(bag.owner?.givenName == "P")
                    #expect(bag.seals.isEmpty)
                }
            }
            #expect(back == 0)
        }
    }

    @Test("to one are read for many at a time too", arguments: TestStore.allCases)
    func toOne(store: TestStore) throws {
        try withPassengers(store, count: 2500) { container, counting in
            let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
            let queries = counting.countQueries {
                for bag in bags { #expect(bag.owner?.givenName == "P") }
            }
            #expect(queries == 3)
        }
    }

    @Test(
        "of objects that are known by a reference only, or not read, are read for many too",
        arguments: TestStore.allCases
    )
    func references(store: TestStore) throws {
        try withPassengers(store, count: 1000) { container, counting in
            let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
            let queries = counting.countQueries {
                for bag in bags { #expect(bag.owner?.luggage.contains(bag) == true) }
            }
            #expect(queries <= 8)
            let request = FetchRequest(Passenger.self).asFaults()
            let faults = try container.makeContext().fetch(request)
            let more = counting.countQueries {
                for fault in faults { #expect(fault.luggage.count == 2) }
            }
            #expect(more <= 6)
        }
    }

    @Test(
        "of objects that this context has saved are read for many too",
        arguments: TestStore.allCases
    )
    func saved(store: TestStore) throws {
        try withPassengers(store, count: 0) { container, counting in
            let context = container.makeContext()
            let owners = (0..<1000).map { Passenger(context, "P", String($0, radix: 36)) }
            for (number, owner) in owners.enumerated() {
                Luggage(context, "\(number)", weight: 1).owner = owner
            }
            let before = counting.countQueries {
                for owner in owners { #expect(owner.luggage.count == 1) }
            }
            #expect(before == 0)
            try context.save()
            let queries = counting.countQueries {
                for owner in owners { #expect(owner.luggage.count == 1) }
            }
            #expect(queries <= 6)
        }
    }

    @Test("that were read show what is not saved, and what is", arguments: TestStore.allCases)
    func pending(store: TestStore) throws {
        try withPassengers(store, count: 3) { container, counting in
            let context = container.makeContext()
            context.undoLimit = 10
            let request = FetchRequest(Passenger.self).sorted(by: \.familyName)
            let owners = try context.fetch(request.prefetching(\.luggage))
            func tags() -> [[String]] { owners.map { $0.luggage.map(\.tag).sorted() } }
            let start = [["0-0", "0-1"], ["1-0", "1-1"], ["2-0", "2-1"]]
            #expect(tags() == start)
            let queries = try counting.countQueries {
                try context.undoGroup {
                    let moved = try #require(owners[0].luggage.first)
                    moved.owner = owners[1]
                    try context.delete(try #require(owners[2].luggage.first))
                    Luggage(context, "new", weight: 1).owner = owners[2]
                    owners[1].luggage.last?.owner = nil
                }
            }
            // Deleting asks for the seals.
            #expect(queries == 1)
            let changed = [["0-1"], ["0-0", "1-0"], ["2-1", "new"]]
            let walk = try counting.countQueries {
                #expect(tags() == changed)
                context.undo()
                #expect(tags() == start)
                context.redo()
                #expect(tags() == changed)
                try context.save()
                #expect(tags() == changed)
                context.undo()
                #expect(tags() == start)
                context.rollback()
                #expect(tags() == changed)
            }
            // Redoing, and undoing what is saved, ask whether the owners are still there.
            #expect(walk == 2)
            let stored = try container.makeContext().fetch(request)
            #expect(stored.map { $0.luggage.map(\.tag).sorted() } == changed)
        }
    }

    private enum Reading: CaseIterable {
        case fetch, refresh, merge, reset
    }

    @Test(
        "that were read show what others save, once that is taken over",
        arguments: TestStore.allCases,
        Reading.allCases
    )
    private func remote(store: TestStore, reading: Reading) throws {
        try withPassengers(store, count: 3) { container, _ in
            let context = container.makeContext()
            let request = FetchRequest(Passenger.self).sorted(by: \.familyName)
            let owners = try context.fetch(request.prefetching(\.luggage))
            func tags() -> [[String]] { owners.map { $0.luggage.map(\.tag).sorted() } }
            let before = tags()

            let other = container.makeContext()
            let people = try other.fetch(request)
            try #require(try other.luggage("0-0")).owner = people[1]
            try other.delete(try #require(try other.luggage("2-0")))
            Luggage(other, "new", weight: 1).owner = people[2]
            let save = try other.save()
            #expect(tags() == before)
            switch reading {
            case .fetch:
                _ = try context.fetch(request)
                _ = try context.fetch(FetchRequest(Luggage.self))
            case .refresh: for owner in owners { try context.refresh(owner) }
            case .merge: try context.mergeChanges(of: save)
            case .reset: context.reset()
            }
            #expect(tags() == [["0-1"], ["0-0", "1-0", "1-1"], ["2-1", "new"]])
        }
    }

    @Test("that cannot be read are empty, and the next fetch says why")
    func failure() throws {
        try withPassengers(.memory, count: 2) { container, _ in
            let (context, owner) = try container.read { context in
                (context, try #require(try context.fetch(FetchRequest(Passenger.self)).first))
            }
            #expect(owner.luggage.isEmpty)
            let error = #expect(throws: StoreError.self) { try context.checkReads() }
            #expect(error?.code == .transactionEnded)
        }
    }
}
