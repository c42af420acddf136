public import Foundation
internal import Synchronization

extension ManagedObjectContext {
    /// Who makes the changes, for the history of the store: a station, a person, an import.
    public var author: String? {
        get { state.withLock { $0.author } }
        set { state.withLock { $0.author = newValue } }
    }
}

extension PersistentContainer {
    /// The saves of every process that came after a place in the history, in their order.
    ///
    /// ```swift
    /// for save in try container.history(after: token) where save.author != "counter 7" {
    ///     show(save.changes)
    ///     token = save.token
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The last save that was dealt with; nil for everything that is kept.
    ///   - limit: The greatest number of saves to give; nil for all.
    /// - Returns: The saves.
    /// - Throws: ``StoreError``; of the code ``StoreError/Code/historyExpired`` where saves after the
    ///   token have been deleted from the history, or the token is of another store. Read everything
    ///   anew then, and begin with ``lastHistoryToken()``.
    public func history(
        after token: HistoryToken?,
        limit: Int? = nil
    ) throws -> [HistoryTransaction] {
        try store.read { try $0.history(after: token, limit: limit, in: model) }
    }

    /// The token of the last save of any process, or nil where nothing was ever saved.
    ///
    /// - Returns: The token.
    /// - Throws: ``StoreError``.
    public func lastHistoryToken() throws -> HistoryToken? {
        try store.read { try $0.lastHistoryToken() }
    }

    /// Forgets the saves before a place in the history; what they stored stays.
    ///
    /// - Parameter token: The first save to keep.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken) throws {
        _ = try store.transaction { try $0.deleteHistory(before: token, limit: nil) }
    }

    /// Forgets some of the saves before a place in the history, the oldest first.
    ///
    /// Others who want to save wait for a long history to be deleted at once. Delete it in pieces:
    ///
    /// ```swift
    /// while try container.deleteHistory(before: token, limit: 1000) {}
    /// ```
    ///
    /// - Parameters:
    ///   - token: The first save to keep.
    ///   - limit: The greatest number of saves to forget, at least 1.
    /// - Returns: Whether there are more of them.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken, limit: Int) throws -> Bool {
        try store.transaction { try $0.deleteHistory(before: token, limit: limit) }
    }
}

// A store need not keep a history. Then nothing is recorded, and asking for it is an error rather
// than an empty answer.

extension StoreReading {
    /// Says that there is no history here.
    public func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        throw StoreError(.failed, "this kind of store keeps no history")
    }

    /// Says that there is no history here.
    public func lastHistoryToken() throws -> HistoryToken? {
        throw StoreError(.failed, "this kind of store keeps no history")
    }
}

extension StoreTransaction {
    /// Records nothing.
    public func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) throws -> HistoryToken? { nil }

    /// Has nothing to delete.
    public func deleteHistory(before token: HistoryToken, limit: Int?) throws -> Bool { false }
}

extension HistoryToken {
    /// Checks that everything after a place is still in the history.
    ///
    /// - Parameters:
    ///   - token: The place.
    ///   - first: The first save that is kept, where one is.
    ///   - last: The last save that there ever was, where there was one.
    /// - Throws: ``StoreError``.
    package static func check(
        _ token: HistoryToken?,
        first: HistoryToken?,
        last: HistoryToken?
    ) throws {
        guard let token else { return }
        let end = last?.rawValue ?? 0
        let start = first?.rawValue ?? end + 1
        guard token.rawValue > end || token.rawValue + 1 < start else { return }
        let reason =
            token.rawValue > end
            ? "the history of this store ends before save \(token)"
            : "the saves after \(token) are no longer in the history"
        throw StoreError(.historyExpired, reason + "; read everything anew")
    }
}
