public import Foundation

/// Where rows are kept: in memory, in a file, or behind a network.
///
/// A store keeps rows and finds them again; what they mean, how they merge and whether they are
/// valid is decided above it, so that every store gives the same results. It takes batches and
/// gives batches, and holds no cursor between calls.
public protocol PersistentStore: Sendable {
    /// Makes the store ready to keep the rows of a model, or finds that it already is.
    ///
    /// - Parameter model: The model whose rows will be read and written.
    /// - Throws: ``StoreError``; the store is then left as it was.
    func prepare(for model: ManagedObjectModel) throws

    /// Reads from one consistent state of the store.
    ///
    /// - Parameter body: Reads; what it is given must not be kept.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``.
    func read<Result>(_ body: (any StoreReading) throws -> Result) throws -> Result

    /// Reads and writes in one transaction that no other writer interrupts.
    ///
    /// When this returns, everything that was written is durable. When `body` throws, nothing is.
    ///
    /// - Parameter body: Reads and writes; what it is given must not be kept.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``StoreError``.
    func transaction<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

    /// Whether a transaction of this store is under way on this thread, for which another one would
    /// wait without end.
    ///
    /// A store that does not have this says that none is.
    var isInTransaction: Bool { get }

    /// Begins to tell of commits, whoever makes them: another process above all.
    ///
    /// A store to which nobody else can write need not tell of any; it gives nil, as stores do that
    /// do not have this.
    ///
    /// - Parameter notice: Is called some time after every commit from now on: once for several of
    ///   them, or without any, but never twice at the same time. It may read from the store.
    /// - Returns: What keeps this going; nil where everything is saved through this store alone.
    func watchCommits(_ notice: @escaping @Sendable () -> Void) -> (any StoreWatch)?
}

/// Keeps a store telling of commits, until it is cancelled.
public protocol StoreWatch: Sendable {
    /// Makes it tell once, soon and not on this thread, whether or not there was a commit.
    func tellSoon()

    /// Ends it; one more call may still come.
    func cancel()
}

extension PersistentStore {
    /// False.
    public var isInTransaction: Bool { false }

    /// Tells of nothing: nobody else can write here.
    public func watchCommits(_ notice: @escaping @Sendable () -> Void) -> (any StoreWatch)? { nil }
}

/// One consistent state of a store.
public protocol StoreReading {
    /// The rows with the given identities, in any order; those that do not exist are left out.
    func rows(of entity: ManagedObjectModel.Entity, keys: [Int64]) throws -> [StoredRow]

    /// The rows whose columns together hold one of the given combinations of values.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - columns: The positions of the columns, in most cases those of a uniqueness constraint.
    ///   - values: Combinations of values, none of them null.
    /// - Returns: The rows, in any order.
    /// - Throws: ``StoreError``.
    func rows(
        of entity: ManagedObjectModel.Entity,
        where columns: [Int],
        areOneOf values: [[AttributeValue]]
    ) throws -> [StoredRow]

    /// The rows that a query selects, in its order; rows that it finds equal come by their keys.
    func rows(matching query: StoreQuery) throws -> [StoredRow]

    /// Gives the rows that a query selects in its order, a number of them at a time, without the values
    /// of its ``StoreQuery/omittedColumns``.
    ///
    /// - Parameters:
    ///   - query: Which rows.
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

    /// Figures about the rows that a query selects, group by group.
    ///
    /// - Parameter aggregate: Which figures, of which rows.
    /// - Returns: The groups, in the order of their keys: null, numbers, text by its UTF-8, bytes.
    /// - Throws: ``UnsupportedPredicateError`` where ``StoreAggregate/check()`` does, or
    ///   ``StoreError``, of the code ``StoreError/Code/outOfRange`` where a sum does not fit.
    func groups(of aggregate: StoreAggregate) throws -> [StoreGroup]

    /// The saves that came after a place in the history, in their order.
    ///
    /// - Parameters:
    ///   - token: The place; nil for everything that is kept.
    ///   - limit: The greatest number of saves to give; nil for all.
    ///   - model: The model, by whose positions entities are named.
    /// - Returns: The saves.
    /// - Throws: ``StoreError``; of the code ``StoreError/Code/historyExpired`` where some are gone.
    func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction]

    /// The token of the last save, or nil where there was none.
    func lastHistoryToken() throws -> HistoryToken?
}

extension StoreReading {
    /// The keys of the rows that a query selects, for stores that read them no quicker than the rows.
    public func keys(matching query: StoreQuery) throws -> [Int64] {
        try rows(matching: query).map(\.id.key)
    }

    /// Gives rows in batches, for stores that have them in memory at once anyway.
    public func forEachBatch(
        matching query: StoreQuery,
        size: Int,
        _ body: ([StoredRow]) throws -> Void
    ) throws {
        let rows = query.omitting(try rows(matching: query))
        for start in stride(from: 0, to: rows.count, by: max(1, size)) {
            try body(Array(rows[start..<min(start + max(1, size), rows.count)]))
        }
    }
}

/// A transaction on a store.
public protocol StoreTransaction: StoreReading {
    /// Gives keys that no row of the entity has or ever had.
    func makeKeys(for entity: ManagedObjectModel.Entity, count: Int) throws -> [Int64]

    /// Adds rows. Their keys are of ``makeKeys(for:count:)``, or of rows that were deleted.
    func insert(_ rows: [StoredRow], into entity: ManagedObjectModel.Entity) throws

    /// Replaces the values and versions of rows.
    ///
    /// - Parameters:
    ///   - rows: The rows as they are to be. Unique values may move from one of them to another.
    ///   - entity: The entity of them all.
    /// - Throws: ``StoreError``.
    func update(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) throws

    /// Deletes rows; those that do not exist are passed over.
    func delete(_ keys: [Int64], from entity: ManagedObjectModel.Entity) throws

    /// Adds a save to the history, with a token greater than any before.
    ///
    /// - Parameters:
    ///   - changes: What it changed.
    ///   - author: Who saved.
    ///   - date: When.
    ///   - model: The model, by whose positions entities are named.
    /// - Returns: The token; nil where no history is kept.
    /// - Throws: ``StoreError``.
    @discardableResult
    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) throws -> HistoryToken?

    /// Forgets the saves before a place in the history, the oldest first.
    ///
    /// - Parameters:
    ///   - token: The first save to keep.
    ///   - limit: The greatest number of saves to forget, of which one at least is forgotten; nil for
    ///     all.
    /// - Returns: Whether there are more of them.
    /// - Throws: ``StoreError``.
    func deleteHistory(before token: HistoryToken, limit: Int?) throws -> Bool
}

/// A row as a store keeps it.
public struct StoredRow: Hashable, Sendable {
    /// The identity of the object.
    public let id: ObjectID
    /// Counts the saves that changed the row, from 1.
    public var version: Int64
    /// The values, in the order of the entity's columns.
    public var values: [AttributeValue]

    /// Describes a row.
    public init(id: ObjectID, version: Int64, values: [AttributeValue]) {
        self.id = id
        self.version = version
        self.values = values
    }
}
