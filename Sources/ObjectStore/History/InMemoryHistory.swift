internal import FoundationEssentials

/// The history of an in-memory store.
///
/// It is a tree, so a transaction copies only what it adds.
struct InMemoryHistory: Sendable {
    /// The kept saves by token; tokens are consecutive.
    private var kept = RadixTree<HistoryTransaction>()
    private let start: Int64
    /// The token of the first kept save, or of the next save if none is kept.
    private var first: Int64
    private var end: Int64

    /// Makes a history whose first save follows a token.
    init(after token: HistoryToken = HistoryToken(rawValue: 0)) {
        start = token.rawValue
        first = token.rawValue + 1
        end = token.rawValue
    }

    /// Whether nothing was ever saved.
    var isUnused: Bool { end == start }

    var last: HistoryToken? { isUnused ? nil : HistoryToken(rawValue: end) }

    mutating func append(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date
    ) -> HistoryToken {
        end += 1
        let token = HistoryToken(rawValue: end)
        kept.updateValue(
            HistoryTransaction(
                token: token,
                date: date,
                author: author,
                changes: changes,
                isComplete: !changes.isEmpty
            ),
            forKey: Self.key(end)
        )
        return token
    }

    /// Deletes the oldest saves before a token, and returns whether more remain.
    mutating func delete(before token: HistoryToken, limit: Int?) -> Bool {
        var left = max(1, limit ?? .max)
        while first <= end && first < token.rawValue {
            if left == 0 { return true }
            kept.removeValue(forKey: Self.key(first))
            first += 1
            left -= 1
        }
        return false
    }

    func transactions(after token: HistoryToken?, limit: Int?) throws -> [HistoryTransaction] {
        try HistoryToken.check(
            token,
            first: first <= end ? HistoryToken(rawValue: first) : nil,
            last: HistoryToken(rawValue: end)
        )
        let next = max(first, token.map { $0.rawValue + 1 } ?? first)
        guard next <= end else { return [] }
        return (next...end).prefix(max(0, limit ?? .max)).compactMap { kept[Self.key($0)] }
    }

    private static func key(_ token: Int64) -> UInt64 { UInt64(bitPattern: token) }
}
