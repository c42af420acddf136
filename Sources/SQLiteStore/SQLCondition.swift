internal import GRDB
internal import ObjectStore

/// The filter of a query as SQL, with the values beside it.
///
/// Every condition is true or not true; SQL's third answer, for rows without a value, counts as not
/// true at every depth, as it does in memory.
struct SQLCondition {
    var sql = ""
    var arguments: [DatabaseValue] = []

    init(_ query: StoreQuery) {
        if let filter = query.filter {
            sql = "WHERE " + translate(filter, query.entity)
        }
    }

    private mutating func translate(
        _ filter: StoreFilter,
        _ entity: ManagedObjectModel.Entity
    ) -> String {
        func name(_ column: Int) -> String { entity.columns[column].name.quotedDatabaseIdentifier }
        switch filter {
        case .equals(let column, let value):
            arguments.append(value.databaseValue)
            return "\(name(column)) IS ?"
        case .isOneOf(let column, let values):
            arguments += values.map(\.databaseValue)
            let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
            return "\(name(column)) IN (\(marks))"
        case .hasPrefix(let column, let prefix):
            // SQLite would compare the text of a number.
            guard case .attribute(let attribute) = entity.columns[column].kind,
                attribute.storage == .text
            else { return "FALSE" }
            // A range rather than LIKE: it respects case and can use an index.
            arguments.append(prefix.databaseValue)
            guard let end = Self.successor(of: prefix) else { return "\(name(column)) >= ?" }
            arguments.append(end.databaseValue)
            return "(\(name(column)) >= ? AND \(name(column)) < ?)"
        case .and(let filters):
            let parts = filters.map { translate($0, entity) }
            return parts.isEmpty ? "TRUE" : "(\(parts.joined(separator: " AND ")))"
        case .not(let filter):
            return "(\(translate(filter, entity))) IS NOT TRUE"
        }
    }

    /// The first text after all that begin with the prefix, or nil where there is none.
    private static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The scalar after U+D7FF is U+E000: what lies between is not text.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                scalars.append(scalar)
                return String(String.UnicodeScalarView(scalars))
            }
        }
        return nil
    }
}
