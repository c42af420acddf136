internal import FoundationEssentials
internal import Glibc

/// The source of a context's rows: a store, or a transaction on one.
protocol RowSource: Sendable {
    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result
    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result
    /// Whether this thread is in a transaction, for which another one may be waiting.
    var isInTransaction: Bool { get }
    /// Throws if a transaction would wait for the one in progress on this thread.
    func checkTurn() throws
}

/// A store; each save is its own transaction.
struct StoreSource: RowSource {
    let store: any PersistentStore

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try store.read(body)
    }

    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
        try store.transaction(body)
    }

    var isInTransaction: Bool { store.isInTransaction }

    func checkTurn() throws {
        if store.isInTransaction { throw StoreError.isInTransaction }
    }
}

/// A transaction in progress, with any number of reads and saves.
///
/// Unchecked because the transaction of a store stays on its thread. Only the closure of
/// ``PersistentContainer/transaction(mergePolicy:_:)``, which runs there, can reach it; a context
/// that is used from another thread, or after the closure has ended, gets an error.
final class TransactionSource: RowSource, @unchecked Sendable {
    private let thread = pthread_self()
    private var current: (any StoreReading)?
    private let canSave: Bool
    /// The error that interrupted a save while it was writing.
    private var failure: (any Error)?

    /// Begins with a transaction.
    init(_ transaction: any StoreTransaction) {
        current = transaction
        canSave = true
    }

    /// Begins with a state of a store, in which nothing can be saved.
    init(reading: any StoreReading) {
        current = reading
        canSave = false
    }

    /// Releases the transaction.
    func end() {
        current = nil
    }

    /// Throws if a save was interrupted while it was writing.
    ///
    /// So half a save is never kept, even if the program caught the error and continued.
    func check() throws {
        if let failure { throw failure }
    }

    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result {
        try body(try open())
    }

    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
        guard canSave, let transaction = try open() as? any StoreTransaction else {
            throw StoreError(
                .readOnly,
                "this context only reads; save in one that PersistentContainer.makeContext() gives"
            )
        }
        do {
            return try body(transaction)
        } catch {
            // These errors are found before anything is written.
            let isRefusal =
                error is MergeConflictError || error is ValidationError
                || error is DeleteDeniedError
            if !isRefusal { failure = error }
            throw error
        }
    }

    var isInTransaction: Bool { true }

    func checkTurn() {
        // The transaction in progress is its own.
    }

    private func open() throws -> any StoreReading {
        guard pthread_equal(thread, pthread_self()) != 0 else {
            throw StoreError(
                .failed,
                "this context belongs to a transaction on another thread; make a context of its own "
                    + "for each task"
            )
        }
        try check()
        if let current { return current }
        throw StoreError(
            .transactionEnded,
            "this context belongs to a transaction that has ended; make another context"
        )
    }
}
