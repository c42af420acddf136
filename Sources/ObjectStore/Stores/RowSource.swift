internal import Synchronization

/// What a context reads from and saves to: a store, or a transaction on one.
protocol RowSource: Sendable {
    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result
    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result
}

/// A store, each save in a transaction of its own.
struct StoreSource: RowSource {
    let store: any PersistentStore

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read(body)
    }

    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
        try store.transaction(body)
    }
}

/// A transaction that is under way, to which any number of saves belong.
///
/// Unchecked because the transaction of a store stays on its thread. It is only reached from within
/// ``PersistentContainer/transaction(mergePolicy:_:)``, whose closure runs there, and is let go when
/// the closure ends; a context that outlives it gets an error.
final class TransactionSource: RowSource, @unchecked Sendable {
    private var current: (any StoreTransaction)?

    init(_ transaction: any StoreTransaction) {
        current = transaction
    }

    func end() {
        current = nil
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try body(try open())
    }

    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
        try body(try open())
    }

    private func open() throws -> any StoreTransaction {
        if let current { return current }
        throw StoreError(
            .transactionEnded,
            "this context belongs to a transaction that has ended; make another context"
        )
    }
}
