import Foundation
import GRDB
import ObjectStore
import StoreTesting
import Synchronization
import TestFolders
import Testing

@testable import SQLiteStore

@Suite("Savers that come at the same time share a commit")
struct GroupCommitTests {
    private static let threads = 16
    private static let rounds = 40

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
    }

    private func open() throws -> PersistentContainer {
        try PersistentContainer(model: TestModel.make(), store: SQLiteStore(path: path))
    }

    /// Runs the work on many threads at once, and gives the errors.
    private func contend(
        _ threads: Int = threads,
        _ work: @escaping @Sendable (_ thread: Int) throws -> Void
    ) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread {
                            do {
                                try work(thread)
                                continuation.resume(returning: nil)
                            } catch {
                                continuation.resume(returning: error)
                            }
                        }
                        .start()
                    }
                }
            }
            return await group.reduce(into: []) { errors, error in
                if let error { errors.append(error) }
            }
        }
    }

    @Test("whoever returns can be read by any other connection, and nothing else can")
    func durable() async throws {
        let (container, other) = (try open(), try open())
        let errors = await contend { thread in
            for round in 0..<Self.rounds {
                let context = container.makeContext()
                let tag = "\(thread)-\(round)"
                let luggage = Luggage(context, tag, weight: 1)
                // Half a save must never be seen: a bag without its owner.
                luggage.owner = Passenger(context, "P", "\(thread)")
                try context.save()
                let reading = other.makeContext()
                let found = try reading.fetch(FetchRequest(Luggage.self))
                #expect(found.contains { $0.tag == tag })
                #expect(found.allSatisfy { $0.owner != nil })
            }
        }
        #expect(errors.isEmpty)
        #expect(try other.makeContext().count(Luggage.self) == Self.threads * Self.rounds)
        let tokens = try other.history(after: nil).map(\.token.rawValue)
        #expect(tokens == Array(1...Int64(Self.threads * Self.rounds)))
    }

    @Test("one that fails takes back its own work only")
    func isolation() async throws {
        struct Stop: Error {}
        let container = try open()
        let failures = Atomic<Int>(0)
        let errors = await contend { thread in
            for round in 0..<Self.rounds {
                let fails = (thread + round).isMultiple(of: 3)
                do {
                    try container.transaction { context in
                        _ = Luggage(context, "\(thread)-\(round)-\(fails)", weight: 1)
                        try context.save()
                        let part = Part(context: context)
                        part.name = "part"
                        try context.save()
                        if fails { throw Stop() }
                    }
                    #expect(!fails)
                } catch is Stop {
                    failures.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(errors.isEmpty)
        let total = Self.threads * Self.rounds
        let kept = total - failures.load(ordering: .relaxed)
        #expect(kept > 0 && kept < total)
        let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(bags.count == kept)
        #expect(bags.allSatisfy { $0.tag.hasSuffix("false") })
        #expect(try container.makeContext().count(Part.self) == kept)
        #expect(try container.history(after: nil).count == kept)
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("no count is lost among two stores with many threads each")
    func counting() async throws {
        let stores = [try open(), try open()]
        let errors = await contend { thread in
            for _ in 0..<Self.rounds {
                try stores[thread % 2].transaction { context in
                    let counter =
                        try context.first(FetchRequest(Counter.self)) ?? Counter(context: context)
                    counter.name = "count"
                    counter.value += 1
                    try context.save()
                }
            }
        }
        #expect(errors.isEmpty)
        let counter = try stores[0].makeContext().first(FetchRequest(Counter.self))
        #expect(counter?.value == Self.threads * Self.rounds)
    }

    @Test("a commit that fails, fails for all that share it, and the next ones go on")
    func failingCommit() async throws {
        let store = try SQLiteStore(path: path)
        let model = try TestModel.make()
        let container = try PersistentContainer(model: model, store: store)
        let luggage = try #require(model.entities.first { $0.name == "Luggage" })
        let slot = try #require(luggage.columns.firstIndex { $0.name == "owner" })
        let tag = try #require(luggage.columns.firstIndex { $0.name == "tag" })
        let (isIn, isQueued) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let returned = Atomic<Int>(0)
        // The first holds the connection until the others wait for it, so that all are one group.
        let errors = await contend(5) { thread in
            if thread > 0 {
                isIn.wait()
                isIn.signal()
                if thread == 4 { isQueued.signal() }
            }
            try store.transaction { transaction in
                if thread == 0 {
                    isIn.signal()
                    isQueued.wait()
                }
                let key = try transaction.makeKeys(for: luggage, count: 1)[0]
                var values = luggage.columns.map { _ in AttributeValue.null }
                values[tag] = .text("\(thread)")
                // One leads to a passenger that is not there: what only a commit finds.
                if thread == 0 { values[slot] = .reference(ObjectID(entity: 0, key: 99)) }
                let id = ObjectID(entity: luggage.index, key: key)
                try transaction.insert(
                    [StoredRow(id: id, version: 1, values: RowValues(values))],
                    into: luggage
                )
            }
            returned.add(1, ordering: .relaxed)
        }
        #expect(errors.count >= 1)
        #expect(errors.allSatisfy { $0 is StoreError })
        let kept = returned.load(ordering: .relaxed)
        #expect(errors.count + kept == 5)
        #expect(try container.makeContext().count(Luggage.self) == kept)
        let context = container.makeContext()
        _ = Luggage(context, "after", weight: 1)
        try await context.save()
        #expect(try container.makeContext().count(Luggage.self) == kept + 1)
    }

    @Test(
        "nothing is kept of a transaction that SQLite has taken back, whatever its work does then"
    )
    func takenBack() throws {
        let store = try SQLiteStore(path: path)
        let model = try TestModel.make()
        let container = try PersistentContainer(model: model, store: store)
        let part = try #require(model.entities.first { $0.name == "Part" })
        func save(_ name: String) throws {
            try store.transaction { transaction in
                let values = part.columns.map { column in
                    column.name == "name" ? AttributeValue.text(name) : .null
                }
                // Where SQLite finds no room for one, it takes back those before it too.
                for key in try transaction.makeKeys(for: part, count: 3) {
                    let id = ObjectID(entity: part.index, key: key)
                    let row = StoredRow(id: id, version: 1, values: RowValues(values))
                    try? transaction.insert([row], into: part)
                }
            }
        }
        try save("small")
        let writer = store.pool.writer
        let pages = try #require(try writer.value("PRAGMA page_count")?.integer)
        try writer.execute("PRAGMA max_page_count = \(pages + 3)")
        let error = #expect(throws: StoreError.self) {
            try save(String(repeating: "n", count: 9000))
        }
        #expect(error?.message.contains("begin it anew") == true)
        try writer.execute("PRAGMA max_page_count = \(pages + 1000)")
        #expect(try container.makeContext().count(Part.self) == 3)
        for _ in 0..<10 { try save("after") }
        #expect(try container.makeContext().count(Part.self) == 33)
        #expect(try store.checkIntegrity() == [])
    }

    @Test("a transaction within another on the same thread is an error, not a wait without end")
    func nested() throws {
        let container = try open()
        try container.transaction { context in
            let other = container.makeContext()
            _ = Luggage(other, "A1", weight: 1)
            let error = #expect(throws: StoreError.self) { try other.save() }
            #expect(error?.code == .failed)
            #expect(other.hasChanges)
            _ = Luggage(context, "A2", weight: 1)
            try context.save()
        }
        #expect(try container.makeContext().count(Luggage.self) == 1)
    }

    @Test("closing waits for the savers that are under way")
    func closing() async throws {
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let saved = Mutex<Set<String>>([])
        let errors = await contend { thread in
            for round in 0..<Self.rounds {
                if thread == 0 && round == Self.rounds / 2 {
                    try store.close()
                    return
                }
                let context = container.makeContext()
                _ = Luggage(context, "\(thread)-\(round)", weight: 1)
                try context.save()
                saved.withLock { _ = $0.insert("\(thread)-\(round)") }
            }
        }
        #expect(errors.allSatisfy { $0 is StoreError })
        let bags = try open().makeContext().fetch(FetchRequest(Luggage.self))
        #expect(Set(bags.map(\.tag)).isSuperset(of: saved.withLock { $0 }))
    }
}
