public import FoundationEssentials

/// Keeps rows: in memory, in a file, or behind a network.
///
/// A store keeps rows and finds them again. The layers above decide what they mean, how they merge
/// and whether they are valid, so every store gives the same results. A store takes and returns
/// batches, and holds no cursor between calls.
public protocol PersistentStore: Sendable {
    /// Prepares the store for the rows of a model, unless it already is prepared.
    ///
    /// - Parameter model: The model whose rows will be read and written.
    /// - Throws: ``StoreError``; the store is then unchanged.
    func prepare(for model: ManagedObjectModel) throws

    /// Reads one consistent state of the store.
    ///
    /// - Parameter body: Reads; it must not keep its argument.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``.
    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result

    /// Reads and writes in one transaction that no other writer interrupts.
    ///
    /// When this returns, everything written is durable. If `body` throws, nothing is stored.
    ///
    /// - Parameter body: Reads and writes; it must not keep its argument.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``.
    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

    /// Whether this thread is in a transaction of this store.
    ///
    /// Another transaction on the thread would then wait for ever. The default is false.
    var isInTransaction: Bool { get }

    /// Begins to report commits of any writer, especially of other processes.
    ///
    /// A store that no other program can write need not report any; it returns nil, which is the
    /// default.
    ///
    /// - Parameter notice: Is called some time after every commit from now on. It may be called
    ///   once for several commits, or without a commit, but never twice at the same time. It may
    ///   read from the store.
    /// - Returns: An object that keeps the reports coming; nil if all saves go through this store.
    func watchCommits(_ notice: @escaping @Sendable () -> Void) -> (any StoreWatch)?
}

/// Keeps a store reporting commits until it is cancelled.
public protocol StoreWatch: Sendable {
    /// Makes the store report once, soon and on another thread, with or without a commit.
    func tellSoon()

    /// Ends the reports; one more call may still come.
    func cancel()
}

extension PersistentStore {
    /// False.
    public var isInTransaction: Bool { false }

    /// Returns nil: no other program can write here.
    public func watchCommits(_ notice: @escaping @Sendable () -> Void) -> (any StoreWatch)? { nil }
}

/// One consistent state of a store.
public protocol StoreReading {
    /// The rows with the given keys, in any order, without those that do not exist.
    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow]

    /// The rows that hold one of the given combinations of values in the columns.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - columns: The positions of the columns, mostly those of a uniqueness constraint.
    ///   - values: Combinations of values, none of them null.
    /// - Returns: The rows, in any order.
    /// - Throws: ``StoreError``.
    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow]

    /// The rows that a query selects, in its order; equal rows are in the order of their keys.
    func rows(matching query: StoreQuery) throws -> [StoredRow]

    /// Passes the rows that a query selects to a closure batch by batch, in the order of the query.
    ///
    /// The rows come without the values of the query's ``StoreQuery/omittedColumns``.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - size: The greatest number of rows in a batch, at least 1.
    ///   - body: Takes a batch, which is never empty; it may read from the store.
    /// - Throws: ``StoreError``, or what `body` throws.
    func forEachBatch(
        matching query: StoreQuery,
        size: Int,
        _ body: ([StoredRow]) throws -> Void
    ) throws

    /// The keys of the rows that a query selects, in its order.
    func keys(matching query: StoreQuery) throws -> [Int64]

    /// The number of rows that a query selects.
    func count(matching query: StoreQuery) throws -> Int

    /// Aggregates of the rows that a query selects, group by group.
    ///
    /// - Parameter aggregate: The figures and the query.
    /// - Returns: The groups, in the order of their keys: null, numbers, text by its UTF-8, bytes.
    /// - Throws: ``UnsupportedPredicateError`` from ``StoreAggregate/check()``, or ``StoreError``,
    ///   with the code ``StoreError/Code/outOfRange`` if a sum does not fit.
    func groups(of aggregate: StoreAggregate) throws -> [StoreGroup]

    /// The saves after a token of the history, in order.
    ///
    /// - Parameters:
    ///   - token: The token; nil for everything that is kept.
    ///   - limit: The greatest number of saves to return; nil for all.
    ///   - model: The model, whose positions identify entities.
    /// - Returns: The saves.
    /// - Throws: ``StoreError``, with the code ``StoreError/Code/historyExpired`` if some are gone.
    func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction]

    /// The token of the last save, or nil if there was none.
    func lastHistoryToken() throws -> HistoryToken?
}

extension StoreReading {
    /// The keys of the rows that a query selects, for stores that cannot read them faster than the
    /// rows.
    public func keys(matching query: StoreQuery) throws -> [Int64] {
        try rows(matching: query).map(\.id.key)
    }

    /// Passes rows in batches, for stores that have them in memory anyway.
    public func forEachBatch(
        matching query: StoreQuery,
        size: Int,
        _ body: ([StoredRow]) throws -> Void
    ) throws {
        try query.pass(try rows(matching: query), inBatchesOf: size, to: body)
    }
}

/// A transaction on a store.
public protocol StoreTransaction: StoreReading {
    /// Makes keys that no row of the entity has or ever had.
    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) throws -> [Int64]

    /// Adds rows whose keys come from ``makeKeys(for:count:)`` or from deleted rows.
    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) throws

    /// Replaces the values and versions of rows.
    ///
    /// - Parameters:
    ///   - rows: The new rows. Unique values may move from one to another.
    ///   - entity: The entity of them all.
    /// - Throws: ``StoreError``.
    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws

    /// Deletes rows; keys without a row are ignored.
    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) throws

    /// Adds a save to the history, with a token greater than all before.
    ///
    /// - Parameters:
    ///   - changes: The changes of the save.
    ///   - author: The author of the save.
    ///   - date: The time of the save.
    ///   - model: The model, whose positions identify entities.
    /// - Returns: The token; nil if the store keeps no history.
    /// - Throws: ``StoreError``.
    @discardableResult
    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) throws -> HistoryToken?

    /// Deletes the saves before a token from the history, the oldest first.
    ///
    /// - Parameters:
    ///   - token: The first save to keep.
    ///   - limit: The greatest number of saves to delete; at least one is deleted. Nil for all.
    /// - Returns: Whether more remain.
    /// - Throws: ``StoreError``.
    func deleteHistory(before token: HistoryToken, limit: Int?) throws -> Bool
}

/// A row of a store.
public struct StoredRow: Hashable, Sendable {
    /// The identity of the object.
    public let id: ObjectID
    /// Is another one after every save that changes the row; greater by one, unless it is inserted again.
    public var version: Int64
    /// The values, in the order of the entity's columns.
    public var values: RowValues

    /// Describes a row.
    public init(id: ObjectID, version: Int64, values: RowValues) {
        self.id = id
        self.version = version
        self.values = values
    }
}
