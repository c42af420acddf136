import ObjectStore
import Synchronization

/// A store in memory in which something happens while a transaction is on its way to the disk.
final class PausingStore: PersistentStore {
    private let store = InMemoryStore()
    private let pause = Mutex<Pause?>(nil)

    /// Unchecked because it is given and run by the one thread of a test.
    private struct Pause: @unchecked Sendable {
        let run: () throws -> Void
    }

    /// Says what is to happen during the next transaction, which fails where this throws.
    func pauseOnce(for run: @escaping () throws -> Void) {
        let pause = Pause(run: run)
        self.pause.withLock { $0 = pause }
    }

    var isInTransaction: Bool { store.isInTransaction }

    func prepare(for model: ManagedObjectModel) throws {
        try store.prepare(for: model)
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read(body)
    }

    func transaction<Result>(
        _ body: (any StoreTransaction) throws -> Result
    ) throws -> Result {
        try store.transaction { transaction in
            let result = try body(transaction)
            let pause = pause.withLock { pause in
                defer { pause = nil }
                return pause
            }
            try pause?.run()
            return result
        }
    }
}
