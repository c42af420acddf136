/// Which rows of an entity to find, and in which order: what a fetch becomes for a store.
public struct StoreQuery: Sendable {
    /// The entity.
    public let entity: ManagedObjectModel.Entity
    /// Which rows; all of them where nil.
    public var filter: StoreFilter?
    /// The order; equal rows come by their keys.
    public var order: [StoreOrder]
    /// The greatest number of rows, or nil for all.
    public var limit: Int?

    /// Describes a query.
    public init(
        entity: ManagedObjectModel.Entity,
        filter: StoreFilter? = nil,
        order: [StoreOrder] = [],
        limit: Int? = nil
    ) {
        self.entity = entity
        self.filter = filter
        self.order = order
        self.limit = limit
    }
}

/// One column to sort by.
public struct StoreOrder: Sendable {
    /// The position of the column.
    public let column: Int
    /// Whether the greatest value comes first.
    public let isDescending: Bool

    /// Describes an order; rows without a value come before all others, after them if descending.
    public init(column: Int, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// A condition on the columns of a row.
public indirect enum StoreFilter: Sendable {
    /// The column holds the value; comparing with null asks for no value.
    case equals(column: Int, AttributeValue)
    /// The column holds one of the values, none of which is null.
    case isOneOf(column: Int, [AttributeValue])
    /// The column holds text that begins with the given one, byte for byte.
    case hasPrefix(column: Int, String)
    /// All of them hold.
    case and([StoreFilter])
    /// The other does not hold.
    case not(StoreFilter)

    /// Whether a row fulfils the condition; stores answer the same.
    public func matches(_ values: [AttributeValue]) -> Bool {
        switch self {
        case .equals(let column, let value): values[column] == value
        case .isOneOf(let column, let options): options.contains(values[column])
        case .hasPrefix(let column, let prefix):
            if case .text(let text) = values[column] {
                text.utf8.starts(with: prefix.utf8)
            } else {
                false
            }
        case .and(let filters): filters.allSatisfy { $0.matches(values) }
        case .not(let filter): !filter.matches(values)
        }
    }
}

extension StoreQuery {
    /// Sorts rows and cuts them to the limit, the way every store does.
    func arrange(_ rows: [StoredRow]) -> [StoredRow] {
        let sorted = rows.sorted { a, b in
            for term in order where a.values[term.column] != b.values[term.column] {
                return (a.values[term.column] < b.values[term.column]) != term.isDescending
            }
            return a.id < b.id
        }
        return limit.map { Array(sorted.prefix($0)) } ?? sorted
    }
}
