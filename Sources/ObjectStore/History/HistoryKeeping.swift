/// How much of its history a container keeps.
public enum HistoryKeeping: Sendable, Hashable {
    /// Every save, until ``PersistentContainer/deleteHistory(before:)`` deletes it.
    case all
    /// The latest saves, at least this many; older ones are deleted little by little, as new ones come.
    case latest(Int)
    /// No changes: only that there was a save, for others who listen.
    ///
    /// Containers and processes that hear of it get a change set that is not
    /// ``SaveResult/isComplete``, and must read anew what has to be up to date.
    case none
}

extension HistoryKeeping {
    /// How many saves are recorded between two deletions.
    private static let interval: Int64 = 16

    /// Deletes what need not be kept after a save.
    func shorten(_ transaction: some StoreTransaction, after token: HistoryToken) throws {
        let count: Int64
        switch self {
        case .all: return
        case .latest(let number): count = Int64(max(1, number))
        case .none: count = 1
        }
        guard token.rawValue % Self.interval == 0, token.rawValue >= count else { return }
        let first = HistoryToken(rawValue: token.rawValue - count + 1)
        // More than come in between, so that a history that was once kept whole grows shorter.
        _ = try transaction.deleteHistory(before: first, limit: 8 * Int(Self.interval))
    }
}
