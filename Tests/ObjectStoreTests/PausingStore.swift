import ObjectStore
import Synchronization

/// A store in memory in which something happens while a transaction is on its way to the disk, and that fails
/// to be read when it is told to.
final class PausingStore: PersistentStore {
    private let store = InMemoryStore()
    private let pause = Mutex<Pause?>(nil)
    private let pauseStored = Mutex<Pause?>(nil)
    /// Which of the next readings fails, if one does.
    private let badReading = Mutex<Int?>(nil)
    private let arrival = Mutex<(@Sendable () -> Void)?>(nil)

    /// Unchecked because it is given and run by the one thread of a test.
    private struct Pause: @unchecked Sendable {
        let run: () throws -> Void
    }

    /// Says what is to happen during the next transaction, which fails where this throws.
    func pauseOnce(for run: @escaping () throws -> Void) {
        let pause = Pause(run: run)
        self.pause.withLock { $0 = pause }
    }

    /// Says what is to happen when the next transaction is stored, before who has made it goes on.
    func pauseOnceStored(for run: @escaping () throws -> Void) {
        let pause = Pause(run: run)
        pauseStored.withLock { $0 = pause }
    }

    struct Unreadable: Error {}

    /// Makes one of the next readings fail; 1 is the next one.
    func failReading(_ number: Int) {
        badReading.withLock { $0 = number }
    }

    /// Says what is to happen when the next transaction is asked for, before it waits for others.
    func announceOnce(by run: @escaping @Sendable () -> Void) {
        arrival.withLock { $0 = run }
    }

    var isInTransaction: Bool { store.isInTransaction }

    func prepare(for model: ManagedObjectModel) throws {
        try store.prepare(for: model)
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try badReading.withLock { number in
            number = number.map { $0 - 1 }
            if number == 0 {
                number = nil
                throw Unreadable()
            }
        }
        return try store.read(body)
    }

    func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        let arrived = arrival.withLock { arrival in
            defer { arrival = nil }
            return arrival
        }
        arrived?()
        let pauseStored = pauseStored.withLock { pause in
            defer { pause = nil }
            return pause
        }
        let result = try store.transaction { transaction in
            let result = try body(transaction)
            let pause = pause.withLock { pause in
                defer { pause = nil }
                return pause
            }
            try pause?.run()
            return result
        }
        try pauseStored?.run()
        return result
    }
}
