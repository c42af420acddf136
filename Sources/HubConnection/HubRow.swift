/// A row of an answer; all values are text as PostgreSQL writes it.
package struct HubRow: Hashable, Sendable {
    private let names: [String]

    /// The values in order; nil for null.
    package let values: [String?]

    init(names: [String], values: [String?]) {
        (self.names, self.values) = (names, values)
    }

    /// The value in a column, counted from 0; nil for null, and if there is no such column.
    package subscript(column: Int) -> String? {
        values.indices.contains(column) ? values[column] : nil
    }

    /// The value in the first column of this name; nil for null, and if there is no such column.
    package subscript(name: String) -> String? {
        names.firstIndex(of: name).flatMap { values[$0] }
    }
}

/// News that somebody has sent with `NOTIFY`.
package struct HubNotification: Hashable, Sendable {
    package let channel: String
    /// Empty if there is none.
    package let payload: String
}
