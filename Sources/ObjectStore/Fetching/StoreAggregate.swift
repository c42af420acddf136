/// Aggregates of the rows that a query selects, such as sums or counts of groups, for a store.
///
/// The definitions are exact, so every store gives the same results. Missing values do not count.
/// Integers are added exactly. Floating-point numbers are added exactly too, and the sum is rounded
/// once, so it does not depend on the order of the rows. Text is compared by its UTF-8.
public struct StoreAggregate: Sendable {
    /// The query of the rows; its order matters only if it leaves rows out.
    public let query: StoreQuery
    /// The columns whose values together make a group; if empty, all rows make one group, even no rows.
    public let grouping: [Int]
    /// The figures to compute for each group; empty to find only the groups.
    public let figures: [Figure]

    /// A figure about the rows of a group; columns are given by position.
    public enum Figure: Hashable, Sendable {
        /// The number of rows.
        case count
        /// The sum of a numeric column, in its storage type; missing if no row has a value.
        case sum(Int)
        /// The mean of a numeric column, in floating point; missing if no row has a value.
        case average(Int)
        /// The smallest value of a column; missing if no row has a value.
        case minimum(Int)
        /// The greatest value of a column; missing if no row has a value.
        case maximum(Int)
    }

    /// Describes figures.
    public init(query: StoreQuery, grouping: [Int] = [], figures: [Figure]) {
        self.query = query
        self.grouping = grouping
        self.figures = figures
    }

    /// Rejects figures that have no meaning for their columns; every store calls it first.
    ///
    /// - Throws: ``UnsupportedPredicateError``.
    public func check() throws {
        for figure in figures {
            switch figure {
            case .count: break
            case .sum(let column), .average(let column):
                guard case .attribute(let attribute) = query.entity.columns[column].kind,
                    [.integer, .unsigned, .real].contains(attribute.storage)
                else { throw unsupported("sum", column, "its values are not numbers") }
            case .minimum(let column), .maximum(let column):
                guard case .attribute(let attribute) = query.entity.columns[column].kind,
                    !attribute.isOrdered
                else { continue }
                throw unsupported(
                    "least or greatest value",
                    column,
                    "its values are kept in a form that has another order"
                )
            }
        }
    }

    private func unsupported(
        _ figure: String,
        _ column: Int,
        _ reason: String
    ) -> UnsupportedPredicateError {
        let name = "\(query.entity.name).\(query.entity.columns[column].name)"
        return UnsupportedPredicateError(expression: "the \(figure) of \(name)", reason: reason)
    }
}

/// The figures of the rows with the same values.
public struct StoreGroup: Sendable, Equatable {
    /// The values of the columns by which the rows are grouped.
    public let key: [AttributeValue]
    /// The figures, in the order of the request.
    public let figures: [AttributeValue]

    /// Describes a group.
    public init(key: [AttributeValue], figures: [AttributeValue]) {
        self.key = key
        self.figures = figures
    }
}
