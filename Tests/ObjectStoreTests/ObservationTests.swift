import Foundation
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@Suite("Observation")
struct ObservationTests {
    /// What an observer was told, in order.
    final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("tells of assignment, undo, rollback and refreshing, until the token ends")
    func changes() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            try context.save()
            context.undoLimit = 5
            let log = Log()
            let token = luggage.observe(\.weight) { luggage, change in
                log.add("\(luggage.tag): \(change.old) \(change.new)")
            }
            luggage.weight = 2
            luggage.weight = 2
            luggage.note = "not observed"
            context.undo()
            context.undo()
            context.undo()
            luggage.weight = 3
            context.rollback()

            let other = container.makeContext()
            try #require(try other.luggage("A")).weight = 9
            try other.save()
            try context.refresh(luggage)
            token.cancel()
            luggage.weight = 4
            #expect(
                log.all == ["A: 1.0 2.0", "A: 2.0 1.0", "A: 1.0 3.0", "A: 3.0 1.0", "A: 1.0 9.0"]
            )
        }
    }

    @Test(
        "goes on where an undone deletion was merged with what others inserted",
        arguments: TestStore.allCases
    )
    func mergedAfterDeletion(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            try context.save()
            context.undoLimit = 5
            try context.delete(luggage)
            try context.save()
            let other = container.makeContext()
            _ = Luggage(other, "A", weight: 5)
            try other.save()
            #expect(context.undo())
            let log = Log()
            let token = luggage.observe(\.weight) { _, change in
                log.add("\(change.old) \(change.new)")
            }
            try context.save()
            luggage.weight = 99
            try context.save()
            token.cancel()
            luggage.weight = 2
            #expect(log.all == ["1.0 99.0"])
        }
    }

    @Test("ends while it holds the last of another observation")
    func nested() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let (inner, outer) = (
                Luggage(context, "A", weight: 1), Luggage(context, "B", weight: 1)
            )
            let log = Log()
            func observe() -> ObservationToken {
                let held = inner.observe(\.weight) { _, _ in log.add("inner") }
                return outer.observe(\.weight) { _, _ in
                    withExtendedLifetime(held) { log.add("outer") }
                }
            }
            let token = observe()
            (inner.weight, outer.weight) = (2, 2)
            token.cancel()
            (inner.weight, outer.weight) = (3, 3)
            #expect(log.all == ["inner", "outer"])
        }
    }

    @Test("ends while a merge policy holds it that is replaced")
    func ofPolicy() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            let log = Log()
            func observe() -> MergePolicy {
                let held = luggage.observe(\.weight) { _, _ in log.add("told") }
                return .custom { _, _ in withExtendedLifetime(held) {} }
            }
            context.mergePolicy = observe()
            luggage.weight = 2
            context.mergePolicy = .error
            luggage.weight = 3
            #expect(log.all == ["told"])
        }
    }

    @Test("ends with the token")
    func token() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            let log = Log()
            do {
                let token = luggage.observe(\.weight) { _, _ in log.add("told") }
                luggage.weight = 2
                withExtendedLifetime(token) {}
            }
            luggage.weight = 3
            #expect(log.all == ["told"])
        }
    }

    @Test("tells once of a save that merges, and follows the object", arguments: TestStore.allCases)
    func merging(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            Luggage(first, "A", weight: 1).place = "MUC"
            try first.save()

            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 5)
            let log = Log()
            let token = luggage.observe(\.place) { luggage, change in
                log.add(
                    "\(change.old ?? "-") \(change.new ?? "-") \(luggage.objectID.isProvisional)"
                )
            }
            try context.save()
            luggage.place = "LHR"
            #expect(log.all == ["- MUC false", "MUC LHR false"])
            withExtendedLifetime(token) {}
        }
    }

    @Test("may use the context it is told by")
    func reentrance() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            let token = luggage.observe(\.weight) { luggage, change in
                if change.new < 5 { luggage.weight += 1 }
            }
            luggage.weight = 2
            #expect(luggage.weight == 5)
            withExtendedLifetime(token) {}
        }
    }

    @Test(
        "gives the saves of a context and of its container, in order",
        arguments: TestStore.allCases
    )
    func streams(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            var own = context.changes.makeAsyncIterator()
            var all = container.changes.makeAsyncIterator()

            let luggage = Luggage(context, "A", weight: 1)
            try await context.save()
            try await context.save()
            let other = container.makeContext()
            _ = Luggage(other, "B", weight: 2)
            try await other.save()
            luggage.weight = 3
            try await context.save()

            #expect(await own.next(isolation: nil)?.change(of: luggage)?.kind == .inserted)
            #expect(await own.next(isolation: nil)?.change(of: luggage)?.kind == .updated)
            #expect(await all.next(isolation: nil)?.change(of: luggage)?.kind == .inserted)
            #expect(await all.next(isolation: nil)?.changes.values.map(\.kind) == [.inserted])
            #expect(await all.next(isolation: nil)?.change(of: luggage)?.kind == .updated)
        }
    }

    @Test("of a transaction comes when it is durable, and not if it fails")
    func transactions() async throws {
        try await TestStore.memory.withContainer { container in
            struct Stop: Error {}
            var all = container.changes.makeAsyncIterator()
            #expect(throws: Stop.self) {
                try container.transaction { context in
                    _ = Luggage(context, "A", weight: 1)
                    try context.save()
                    throw Stop()
                }
            }
            try container.transaction { context in
                _ = Luggage(context, "B", weight: 1)
                try context.save()
            }
            let change = await all.next(isolation: nil)?.changes.values.first
            let tag = change?.after.flatMap { container.model.value(\Luggage.tag, in: $0) }
            #expect(tag == "B")
        }
    }
}
