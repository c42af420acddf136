package import ObjectStore

extension ManagedObjectContext {
    /// The saves after a token, each with all that it changed, for those who pass on what is new.
    ///
    /// - Parameters:
    ///   - token: The last save that was passed on.
    ///   - limit: The greatest number of saves to give.
    /// - Returns: The saves.
    /// - Throws: `StoreError`, with the code `historyExpired` if saves after the token are not in the history any
    ///   more, or if it does not say what one of them changed, as that of a migration.
    package func news(after token: HistoryToken, limit: Int) throws -> [HistoryTransaction] {
        let saves = try history(after: token, limit: limit)
        if let save = saves.first(where: { !$0.isComplete }) {
            throw StoreError(
                .historyExpired,
                "the history does not say what save \(save.token) changed; read everything anew"
            )
        }
        return saves
    }
}
