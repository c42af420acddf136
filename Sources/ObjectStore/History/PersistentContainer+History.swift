public import FoundationEssentials

extension PersistentContainer {
    /// The saves of every process after a token of the history, in order.
    ///
    /// ```swift
    /// for save in try container.history(after: token) where save.author != "counter 7" {
    ///     show(save.changes)
    ///     token = save.token
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The last processed save; nil for everything that is kept.
    ///   - limit: The greatest number of saves to give; nil for all.
    /// - Returns: The saves.
    /// - Throws: ``StoreError``, with the code ``StoreError/Code/historyExpired`` if saves after
    ///   the token were deleted from the history, or if the token is of another store. Then read
    ///   everything anew, and continue from ``lastHistoryToken()``.
    public func history(
        after token: HistoryToken?,
        limit: Int? = nil
    ) throws -> [HistoryTransaction] {
        try store.read { try $0.history(after: token, limit: limit, in: model) }
    }

    /// The token of the last save of any process, or nil if nothing was ever saved.
    ///
    /// - Returns: The token.
    /// - Throws: ``StoreError``.
    public func lastHistoryToken() throws -> HistoryToken? {
        try store.read { try $0.lastHistoryToken() }
    }

    /// Deletes the saves before a token from the history; the stored objects stay.
    ///
    /// - Parameter token: The first save to keep.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken) throws {
        _ = try store.transaction { try $0.deleteHistory(before: token, limit: nil) }
    }

    /// Deletes some of the saves before a token from the history, the oldest first.
    ///
    /// Other writers wait while a long history is deleted at once. Delete it in pieces:
    ///
    /// ```swift
    /// while try container.deleteHistory(before: token, limit: 1000) {}
    /// ```
    ///
    /// - Parameters:
    ///   - token: The first save to keep.
    ///   - limit: The greatest number of saves to delete, at least 1.
    /// - Returns: Whether more remain.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken, limit: Int) throws -> Bool {
        try store.transaction { try $0.deleteHistory(before: token, limit: limit) }
    }
}

// A store need not keep a history. By default nothing is recorded, and reading the history is an
// error, not an empty answer.

extension StoreReading {
    /// Throws, because this kind of store keeps no history.
    public func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        throw StoreError(.failed, "this kind of store keeps no history")
    }

    /// Throws, because this kind of store keeps no history.
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

    /// Deletes nothing, because nothing is recorded.
    public func deleteHistory(before token: HistoryToken, limit: Int?) throws -> Bool { false }
}

extension HistoryToken {
    /// Checks that every save after a token is still in the history.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - first: The first kept save, if there is one.
    ///   - last: The last save ever made, if there is one.
    /// - Throws: ``StoreError``.
    package static func check(
        _ token: HistoryToken?,
        first: HistoryToken?,
        last: HistoryToken?
    ) throws {
        guard let token else { return }
        let end = last ?? HistoryToken(rawValue: 0)
        // Without arithmetic that a damaged store's numbers could end the program by.
        let isExpired =
            first.map { token < $0 && token.rawValue + 1 < $0.rawValue } ?? (token < end)
        guard token > end || isExpired else { return }
        let reason =
            token > end
            ? "the history of this store ends before save \(token)"
            : "the saves after \(token) are no longer in the history"
        throw StoreError(.historyExpired, reason + "; read everything anew")
    }
}
