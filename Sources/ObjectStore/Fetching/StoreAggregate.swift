/// Figures about the rows that a query selects: what a sum or a count of groups becomes for a store.
///
/// The definitions leave no room, so that every store gives the same. Missing values do not count.
/// Whole numbers are added exactly. Floating-point numbers are added exactly too, and the sum is
/// rounded once, so that it does not depend on the order of the rows. Text is compared by its UTF-8.
public struct StoreAggregate: Sendable {
    /// Of which rows; its order matters only where it leaves rows out.
    public let query: StoreQuery
    /// The columns whose values together make a group; empty for one group of all rows, even of none.
    public let grouping: [Int]
    /// What to compute of each group; empty to learn only which groups there are.
    public let figures: [Figure]

    /// A figure about the rows of a group; columns are named by their positions.
    public enum Figure: Hashable, Sendable {
        /// The number of rows.
        case count
        /// The sum of a column of numbers, kept as its values are; missing where no row has a value.
        case sum(Int)
        /// The mean of a column of numbers, in floating point; missing where no row has a value.
        case average(Int)
        /// The smallest value of a column; missing where no row has a value.
        case minimum(Int)
        /// The greatest value of a column; missing where no row has a value.
        case maximum(Int)
    }

    /// Describes figures.
    public init(query: StoreQuery, grouping: [Int] = [], figures: [Figure]) {
        self.query = query
        self.grouping = grouping
        self.figures = figures
    }

    /// Refuses figures that mean nothing for the columns they are asked of; every store begins with it.
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

/// Figures about the rows that have the same values.
public struct StoreGroup: Sendable, Equatable {
    /// The values of the columns by which the rows are grouped.
    public let key: [AttributeValue]
    /// The figures, in the order in which they were asked for.
    public let figures: [AttributeValue]

    /// Describes a group.
    public init(key: [AttributeValue], figures: [AttributeValue]) {
        self.key = key
        self.figures = figures
    }
}
