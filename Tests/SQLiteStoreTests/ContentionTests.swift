import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import Synchronization
import TestFolders
import Testing

/// Runs work that waits on a thread that no task needs.
private func onThread(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try work() }) }.start()
    }
}

/// Runs work that waits on threads of their own, all at the same time.
private func onThreads(
    _ count: Int,
    _ work: @escaping @Sendable (_ thread: Int) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in 0..<count {
            group.addTask { try await onThread { try work(thread) } }
        }
        try await group.waitForAll()
    }
}

@Suite("Several stores on one file")
struct ContentionTests {
    private static let rounds = 400

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() throws -> PersistentContainer {
        let store = try SQLiteStore(path: folder.path("store.sqlite"))
        return try PersistentContainer(model: TestModel.make(), store: store)
    }

    /// Runs the work on threads of their own, all at the same time.
    private func contend(
        _ containers: [PersistentContainer],
        _ work: @escaping @Sendable (PersistentContainer, _ thread: Int) throws -> Void
    ) async throws {
        try await onThreads(containers.count) { try work(containers[$0], $0) }
    }

    @Test("a file that is not there yet is made by all who open it at the same time")
    func making() async throws {
        for round in 0..<40 {
            let path = folder.path("\(round).sqlite")
            try await onThreads(4) { number in
                let store = try SQLiteStore(path: path)
                let context = try PersistentContainer(model: TestModel.make(), store: store)
                    .makeContext()
                _ = Luggage(context, "\(number)", weight: 1)
                try context.save()
                try store.close()
            }
            let store = try SQLiteStore(path: path, access: .read)
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            #expect(try container.makeContext().count(Luggage.self) == 4)
        }
    }

    /// What goes wrong here does so once in a thousand rounds.
    @Test("a file that is new can be opened while others close it, and take its log away")
    func closing() async throws {
        for round in 0..<400 {
            let path = folder.path("\(round).sqlite")
            try await onThreads(4) { _ in try SQLiteStore(path: path).close() }
            for suffix in [""] + SQLiteStore.companionSuffixes { unsafe unlink(path + suffix) }
        }
    }

    @Test(
        "a store that is closed by several threads, while others read and save, ends all of them in order"
    )
    func closingWhileSaving() async throws {
        for round in 0..<20 {
            let path = folder.path("\(round).sqlite")
            let store = try SQLiteStore(path: path)
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            let started = DispatchSemaphore(value: 0)
            let saved = Mutex(0)
            try await onThreads(8) { thread in
                if thread >= 6 {
                    for _ in 0..<3 { started.wait() }
                    return try store.close()
                }
                // Until the store is closed.
                for number in 0... {
                    // Also where the other closer was faster.
                    defer { if number == 0 { started.signal() } }
                    do {
                        if thread >= 4 {
                            _ = try container.makeContext().count(Luggage.self)
                        } else {
                            let context = container.makeContext()
                            _ = Luggage(context, "\(thread) \(number)", weight: 1)
                            try context.save()
                            saved.withLock { $0 += 1 }
                        }
                    } catch let error as StoreError {
                        #expect(error.message.contains("closed"), "\(error.message)")
                        return
                    }
                }
            }
            let found = try PersistentContainer(
                model: TestModel.make(),
                store: SQLiteStore(path: path)
            )
            #expect(try found.makeContext().count(Luggage.self) == saved.withLock { $0 })
        }
    }

    @Test("a file that somebody else is making is waited for")
    func waiting() throws {
        let path = folder.path("store.sqlite")
        let queue = try DatabaseQueue(path: path)
        // As it is between being marked as a store and getting its write-ahead log.
        try queue.write { db in
            try db.execute(sql: "PRAGMA application_id = \(0x4F42_5354)")
            try db.execute(sql: "PRAGMA user_version = 2")
        }
        try queue.inTransaction(.immediate) { _ in
            let patience = Duration.milliseconds(200)
            let start = ContinuousClock.now
            #expect {
                try SQLiteStore(path: path, lockTimeout: patience)
            } throws: { error in
                (error as? StoreError)?.code == .locked
            }
            #expect(ContinuousClock.now - start >= patience)
            return .rollback
        }
        _ = try SQLiteStore(path: path)
    }

    @Test("no count is lost between transactions of two stores and four threads")
    func counting() async throws {
        let (first, second) = (try open(), try open())
        try await contend([first, second, first, second]) { container, _ in
            for _ in 0..<Self.rounds {
                try container.transaction { context in
                    let counter =
                        try context.first(FetchRequest(Counter.self)) ?? Counter(context: context)
                    counter.name = "count"
                    counter.value += 1
                    try context.save()
                }
            }
        }
        let counter = try first.makeContext().first(FetchRequest(Counter.self))
        #expect(counter?.value == 4 * Self.rounds)
        #expect(try first.makeContext().count(Counter.self) == 1)
    }

    @Test("no merge is lost, whoever comes first")
    func merging() async throws {
        let (first, second) = (try open(), try open())
        try await contend([first, second, first, second]) { container, thread in
            for round in 0..<Self.rounds {
                // Each thread knows one thing about every bag.
                let context = container.makeContext()
                let luggage = Luggage(context, "\(round)", weight: 1)
                switch thread {
                case 0: luggage.note = "note"
                case 1: luggage.place = "place"
                case 2: luggage.departedAt = Date(timeIntervalSince1970: 1)
                default: luggage.owner = Passenger(context, "P", "\(round % 7)")
                }
                luggage.heaviest = thread
                try context.save()
            }
        }
        let bags = try second.makeContext().fetch(FetchRequest(Luggage.self))
        #expect(bags.count == Self.rounds)
        #expect(
            bags.allSatisfy {
                $0.note == "note" && $0.place == "place" && $0.departedAt != nil
                    && $0.owner != nil && $0.heaviest == 3
            }
        )
        #expect(try first.makeContext().count(Passenger.self) == 7)
    }

    @Test("edits of one row by two stores all arrive")
    func editing() async throws {
        let (first, second) = (try open(), try open())
        let context = first.makeContext()
        _ = Luggage(context, "A1", weight: 1)
        try await context.save()
        try await contend([first, second]) { container, thread in
            // One context throughout: what it knows is stale again and again.
            let context = container.makeContext()
            let luggage = try #require(try context.luggage("A1"))
            for round in 1...Self.rounds {
                if thread == 0 { luggage.note = "\(round)" } else { luggage.place = "\(round)" }
                try context.save()
            }
        }
        let luggage = try #require(try first.makeContext().luggage("A1"))
        #expect(luggage.note == "\(Self.rounds)")
        #expect(luggage.place == "\(Self.rounds)")
    }

    @Test("a file made by several at once is one store", arguments: 0..<5)
    func making(attempt: Int) async throws {
        let path = folder.path("made-\(attempt).sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<4 {
                group.addTask {
                    let store = try SQLiteStore(path: path)
                    let container = try PersistentContainer(model: TestModel.make(), store: store)
                    let context = container.makeContext()
                    _ = Luggage(context, "\(index)", weight: 1)
                    try context.save()
                }
            }
            try await group.waitForAll()
        }
        let store = try SQLiteStore(path: path, access: .read)
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        #expect(try container.makeContext().count(Luggage.self) == 4)
    }

    @Test("reading goes on while another store writes")
    func readingWhileWriting() throws {
        let (first, second) = (try open(), try open())
        let context = first.makeContext()
        _ = Luggage(context, "A1", weight: 1)
        try context.save()
        try first.transaction { writing in
            _ = Luggage(writing, "A2", weight: 1)
            try writing.save()
            #expect(try second.makeContext().count(Luggage.self) == 1)
        }
        #expect(try second.makeContext().count(Luggage.self) == 2)
    }

    @Test("the file can be read with any tool")
    func layout() throws {
        let container = try open()
        let context = container.makeContext()
        let luggage = Luggage(context, "A1", weight: 2.5)
        luggage.departedAt = Date(timeIntervalSince1970: 1_700_000_000.5)
        luggage.owner = Passenger(context, "D", "ZMU")
        try context.save()
        let queue = try DatabaseQueue(path: folder.path("store.sqlite"))
        try queue.read { db in
            let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM Luggage"))
            #expect(row["tag"] == "A1")
            #expect(row["weight"] == 2.5)
            // Since 2001, as Foundation counts.
            #expect(row["departedAt"] == luggage.departedAt?.timeIntervalSinceReferenceDate)
            #expect(row["owner"] == 1)
            #expect(row["version"] == 1)
            let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode")
            #expect(journal == "wal")
            try db.checkForeignKeys()
        }
        try queue.close()
    }
}
