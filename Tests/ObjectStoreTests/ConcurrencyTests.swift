import Foundation
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@Suite("Many tasks at once")
struct ConcurrencyTests {
    private static let tasks = 8
    private static let rounds = 60

    @Test("one context serves many tasks and loses nothing", arguments: TestStore.allCases)
    func oneContext(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        for round in 0..<Self.rounds {
                            let part = Part(context: context)
                            part.name = "\(task)"
                            let next = Part(context: context)
                            next.name = "\(task)-\(round)"
                            next.whole = part
                            // Saves of other tasks come between these lines, and find every part
                            // named by the time that this task saves.
                            if round.isMultiple(of: 10) { _ = try? await context.save() }
                            part.name += "-\(round)"
                            #expect(next.whole === part)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await context.save()
            let check = container.makeContext()
            let parts = try check.fetch(FetchRequest(Part.self))
            #expect(parts.count == 2 * Self.tasks * Self.rounds)
            let names = Dictionary(grouping: parts, by: \.name)
            #expect(names.count == Self.tasks * Self.rounds)
            #expect(names.values.allSatisfy { $0.count == 2 })
            #expect(parts.allSatisfy { $0.whole == nil || $0.whole?.name == $0.name })
        }
    }

    @Test("those that wait for one store leave those of others alone", .timeLimit(.minutes(2)))
    func otherStore() async throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let other = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let begun = Begun()
        let end = DispatchSemaphore(value: 0)
        Thread {
            try? container.transaction { _ in
                begun.count.add(1, ordering: .relaxed)
                end.wait()
            }
        }.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let context = container.makeContext()
                    Sample(context: context).name = "\(number)"
                    begun.count.add(1, ordering: .relaxed)
                    try await context.save()
                }
            }
            while begun.count.load(ordering: .relaxed) <= 100 { await Task.yield() }
            let count = try await other.makeContext().perform { try $0.count(Sample.self) }
            #expect(count == 0)
            end.signal()
            try await group.waitForAll()
        }
        #expect(try container.makeContext().count(Sample.self) == 100)
    }

    @Test("a handle is found, or made anew, while another task lets go of it")
    func handles() async throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        for number in 0..<4 { Sample(context: context).name = "\(number)" }
        try await context.save()
        let ids = try context.fetchIDs(FetchRequest(Sample.self))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    for round in 0..<5000 {
                        let id = ids[(task + round) % ids.count]
                        let first = try #require(try context.existingObject(Sample.self, id: id))
                        let second = try context.existingObject(Sample.self, id: id)
                        guard first === second, first.objectID == id, !first.name.isEmpty else {
                            Issue.record("\(id) has two handles, or a handle of another object")
                            return
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("saves are told in the order of the history", arguments: TestStore.allCases)
    func orderOfChanges(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            var own = context.changes.makeAsyncIterator()
            var all = container.changes.makeAsyncIterator()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        for round in 0..<Self.rounds {
                            let context = task < 4 ? context : container.makeContext()
                            Sample(context: context).name = "\(task)-\(round)"
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            Sample(context: context).name = "last"
            let last = try #require(try await context.save().token)
            var told: [HistoryToken] = []
            while told.last != last, let save = await own.next(isolation: nil) {
                told.append(try #require(save.token))
            }
            #expect(told == told.sorted())
            var history: [HistoryToken] = []
            while history.last != last, let save = await all.next(isolation: nil) {
                history.append(try #require(save.token))
            }
            #expect(history == history.sorted())
            #expect(history == (try container.history(after: nil).map(\.token)))
        }
    }

    @Test(
        "a context may be used in a transaction while another task saves it",
        .timeLimit(.minutes(30)),
        arguments: TestStore.allCases
    )
    func transactionAndSave(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            let first = Part(context: context)
            first.name = "first"
            try await context.save()
            let id = first.objectID
            // Ends without all of them where the time is over, since threads that wait for one
            // another cannot be ended.
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            for task in 0..<Self.tasks {
                Thread {
                    for round in 0..<Self.rounds {
                        if task.isMultiple(of: 2) {
                            Part(context: context).name = "\(task)-\(round)"
                            _ = try? context.save()
                        } else {
                            try? container.transaction { inner in
                                _ = try inner.count(FetchRequest(Part.self))
                                let part = try context.existingObject(Part.self, id: id)
                                part?.name = "\(task)-\(round)"
                            }
                        }
                    }
                    end.yield()
                }
                .start()
            }
            var count = 0
            for await _ in ends.prefix(Self.tasks) { count += 1 }
            try #require(count == Self.tasks)
            try await context.save()
            let parts = try container.makeContext().count(Part.self)
            #expect(parts == 1 + Self.tasks / 2 * Self.rounds)
        }
    }

    @Test("two tasks that ask for one row get one handle", arguments: TestStore.allCases)
    func oneHandle(store: TestStore) async throws {
        try await store.withContainer { container in
            let writer = container.makeContext()
            for index in 0..<200 { _ = Luggage(writer, "\(index)", weight: 1) }
            try await writer.save()
            let ids = try writer.fetchIDs(FetchRequest(Luggage.self))
            let context = container.makeContext()
            try await withThrowingTaskGroup(of: [ObjectIdentifier].self) { group in
                for _ in 0..<Self.tasks {
                    group.addTask {
                        let bags = try ids.map { try context.existingObject(Luggage.self, id: $0) }
                        for bag in bags { bag?.owner = nil }
                        return bags.compactMap { $0.map(ObjectIdentifier.init) }
                    }
                }
                for try await handles in group { #expect(Set(handles).count == ids.count) }
            }
        }
    }

    @Test("merges by the greatest value do not lose any", arguments: TestStore.allCases)
    func contexts(store: TestStore) async throws {
        try await store.withContainer { container in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        for round in 0..<Self.rounds {
                            let context = container.makeContext()
                            let counter = Counter(context: context)
                            counter.name = "peak"
                            counter.peak = round * Self.tasks + task
                            let luggage = Luggage(context, "\(round)", weight: 1)
                            luggage.owner = Passenger(context, "P", String(round % 5))
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let check = container.makeContext()
            #expect(try check.count(Counter.self) == 1)
            #expect(
                try check.first(FetchRequest(Counter.self))?.peak == Self.tasks * Self.rounds - 1
            )
            #expect(try check.count(Luggage.self) == Self.rounds)
            #expect(try check.count(Passenger.self) == 5)
        }
    }

    @Test("a save that meets another's is refused under error", arguments: TestStore.allCases)
    func optimisticCounting(store: TestStore) async throws {
        try await store.withContainer { container in
            let first = container.makeContext()
            Counter(context: first).name = "count"
            try await first.save()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<Self.rounds { try Self.countUp(container) }
                    }
                }
                try await group.waitForAll()
            }
            let counter = try container.makeContext().first(FetchRequest(Counter.self))
            #expect(counter?.value == 4 * Self.rounds)
        }
    }

    /// Counts up by one, however often others come first.
    private static func countUp(_ container: PersistentContainer) throws {
        while true {
            let context = container.makeContext(mergePolicy: .error)
            let counter = try #require(try context.first(FetchRequest(Counter.self)))
            counter.value += 1
            do {
                try context.save()
                return
            } catch is MergeConflictError {
                continue
            }
        }
    }

    @Test("a context that others share is read within two readings", .timeLimit(.minutes(5)))
    func sharedWithinReadings() throws {
        try TestStore.sqlite.withContainer { container in
            let shared = container.makeContext()
            let (inside, go, done) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0),
                DispatchSemaphore(value: 0)
            )
            let readers = 3
            for _ in 0..<readers {
                Thread.detachNewThread {
                    try? container.read { _ in
                        inside.signal()
                        go.wait()
                        _ = try shared.count(FetchRequest(Luggage.self))
                    }
                    done.signal()
                }
            }
            for _ in 0..<readers { inside.wait() }
            // Beside them all, this reads at once.
            let count = try shared.count(FetchRequest(Luggage.self))
            #expect(count == 0)
            for _ in 0..<readers { go.signal() }
            for _ in 0..<readers { done.wait() }
        }
    }
}

/// How much has begun.
private final class Begun: Sendable {
    let count = Atomic(0)
}
