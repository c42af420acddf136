internal import Synchronization

extension ManagedObjectContext {
    /// The author of the changes in the store's history: a station, a person or an import.
    public var author: String? {
        get { state.withLock { $0.author } }
        set { state.withLock { $0.author = newValue } }
    }

    /// The saves of every process after a token of the history, in order.
    ///
    /// Within a transaction the answer is complete until the transaction ends, its own saves
    /// included. Later saves in the transaction are recorded as another save.
    ///
    /// - Parameters:
    ///   - token: The last processed save; nil for everything that is kept.
    ///   - limit: The greatest number of saves to give; nil for all.
    /// - Returns: The saves.
    /// - Throws: ``StoreError``, as ``PersistentContainer/history(after:limit:)`` does.
    public func history(
        after token: HistoryToken?,
        limit: Int? = nil
    ) throws -> [HistoryTransaction] {
        try recordRest()
        return try source.read { try $0.history(after: token, limit: limit, in: model) }
    }

    /// The saves after a token, each with all that it changed, for those who must not miss a change.
    ///
    /// - Parameters:
    ///   - token: The last processed save.
    ///   - limit: The greatest number of saves to give.
    /// - Returns: The saves.
    /// - Throws: ``StoreError``, with the code ``StoreError/Code/historyExpired`` also if the changes of one of them
    ///   were not kept.
    package func completeHistory(
        after token: HistoryToken,
        limit: Int
    ) throws -> [HistoryTransaction] {
        let saves = try history(after: token, limit: limit)
        if let save = saves.first(where: { !$0.isComplete }) {
            throw StoreError(
                .historyExpired,
                "the history does not say what save \(save.token) changed; read everything anew"
            )
        }
        return saves
    }

    /// The token of the last save of any process, or nil if nothing was ever saved.
    ///
    /// - Returns: The token.
    /// - Throws: ``StoreError``.
    public func lastHistoryToken() throws -> HistoryToken? {
        try recordRest()
        return try source.read { try $0.lastHistoryToken() }
    }

    /// Deletes the saves before a token from the history, in the transaction of this context.
    ///
    /// - Parameter token: The first save to keep.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken) throws {
        try recordRest()
        _ = try source.transaction { try $0.deleteHistory(before: token, limit: nil) }
    }

    /// Deletes some of the saves before a token from the history, the oldest first.
    ///
    /// It does so in the transaction of this context.
    ///
    /// - Parameters:
    ///   - token: The first save to keep.
    ///   - limit: The greatest number of saves to delete, at least 1.
    /// - Returns: Whether more remain.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken, limit: Int) throws -> Bool {
        try recordRest()
        return try source.transaction { try $0.deleteHistory(before: token, limit: limit) }
    }

    /// Records the saves of this context's transaction that are not yet in the history.
    func recordRest() throws {
        guard containerReport.hasRest else { return }
        try source.transaction { try containerReport.recordRest(in: $0) }
    }
}
