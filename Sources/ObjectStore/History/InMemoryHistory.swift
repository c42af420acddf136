internal import Foundation
internal import HashTreeCollections

/// The history of a store that lasts as long as the process.
///
/// A tree, so that a transaction copies what it adds and not what is there.
struct InMemoryHistory: Sendable {
    /// The saves that are kept, by their tokens, which follow one another without a gap.
    private var kept: TreeDictionary<Int64, HistoryTransaction> = [:]
    private let start: Int64
    /// The token of the first save that is kept, or of the next one.
    private var first: Int64
    private var end: Int64

    /// A history whose first save follows a token.
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
        kept[end] = HistoryTransaction(token: token, date: date, author: author, changes: changes)
        return token
    }

    /// Deletes the first of those before a place, and says whether there are more.
    mutating func delete(before token: HistoryToken, limit: Int?) -> Bool {
        var left = max(1, limit ?? .max)
        while first <= end && first < token.rawValue {
            if left == 0 { return true }
            kept[first] = nil
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
        return (next...end).prefix(max(0, limit ?? .max)).compactMap { kept[$0] }
    }
}
