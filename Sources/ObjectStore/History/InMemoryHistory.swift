internal import Foundation

/// The history of a store that lasts as long as the process.
struct InMemoryHistory: Sendable {
    private var kept: [HistoryTransaction] = []
    private let start: Int64
    private var end: Int64

    /// A history whose first save follows a token.
    init(after token: HistoryToken = HistoryToken(rawValue: 0)) {
        start = token.rawValue
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
        kept.append(
            HistoryTransaction(token: token, date: date, author: author, changes: changes)
        )
        return token
    }

    mutating func delete(before token: HistoryToken) {
        kept.removeFirst(kept.partitioningIndex { $0.token >= token })
    }

    func transactions(after token: HistoryToken?, limit: Int?) throws -> [HistoryTransaction] {
        try HistoryToken.check(
            token,
            first: kept.first?.token,
            last: HistoryToken(rawValue: end)
        )
        guard let token else { return Array(kept.prefix(max(0, limit ?? .max))) }
        let rest = kept[kept.partitioningIndex { $0.token > token }...]
        return Array(rest.prefix(max(0, limit ?? .max)))
    }
}

extension [HistoryTransaction] {
    /// The position of the first element from which on a condition holds.
    fileprivate func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
