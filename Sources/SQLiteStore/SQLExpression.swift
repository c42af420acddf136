internal import ObjectStore

/// Translates expressions of a query into SQL, with their values as arguments.
///
/// Conditions in SQL have three values. If only the truth of a condition matters, it is written
/// plainly, so that indices can be used. If its value matters, NULL becomes false where
/// `StoreExpression` defines it so.
struct SQLExpression {
    private(set) var arguments: [AttributeValue] = []
    private let model: ManagedObjectModel
    private let dates: StoredDates
    private var tables = 0

    /// Translates expressions on the rows of a source, and on rows related to them.
    init(_ model: ManagedObjectModel, _ root: Source) {
        self.model = model
        dates = root.dates
    }

    /// A row in SQL: its entity, and its alias.
    struct Source {
        let entity: ManagedObjectModel.Entity
        let alias: String
        let dates: StoredDates

        /// The rows that are selected.
        init(root entity: ManagedObjectModel.Entity, _ dates: StoredDates) {
            self.init(entity, 0, dates)
        }

        fileprivate init(
            _ entity: ManagedObjectModel.Entity,
            _ number: Int,
            _ dates: StoredDates
        ) {
            self.entity = entity
            self.dates = dates
            alias = "t\(number)"
        }

        var table: String { "\(entity.name.quoted) AS \(alias)" }

        /// Whether a column holds text; in other columns SQLite would search the digits of a number.
        func isText(_ index: Int) -> Bool {
            guard case .attribute(let attribute) = entity.columns[index].kind else { return false }
            return [.text, .unsigned].contains(attribute.storage)
        }

        /// A lower bound of all values that a column can hold.
        func leastValue(_ index: Int) -> String {
            guard case .attribute(let attribute) = entity.columns[index].kind else {
                return "-9e999"
            }
            return switch attribute.storage {
            case .integer, .real, .date: "-9e999"
            case .text, .unsigned: "''"
            case .data: "x''"
            }
        }

        /// The value of a column.
        func column(_ index: Int) -> String {
            entity.columns[index].storage == .date ? dates.read(stored(index)) : stored(index)
        }

        /// A column as it is stored, for what an index can answer.
        func stored(_ index: Int) -> String {
            "\(alias).\(entity.columns[index].name.quoted)"
        }
    }

    private mutating func source(_ entity: Int) -> Source {
        tables += 1
        return Source(model.entities[entity], tables, dates)
    }

    private mutating func mark(_ value: AttributeValue) -> String {
        // Unsaved objects come after all that have a row, and are none of these.
        if case .reference(let id) = value, id.isProvisional {
            arguments.append(.integer(.max))
        } else {
            arguments.append(value)
        }
        return "?"
    }

    /// The expression as a condition, of which only the truth matters.
    mutating func condition(_ expression: StoreExpression, of row: Source) -> String {
        switch expression {
        case .and:
            let isByKeys = expression.conjuncts.contains(where: \.isListOfKeys)
            return conjunction(expression, byKeys: isByKeys, row)
        case .or(let a, let b):
            return "(\(condition(a, of: row)) OR \(condition(b, of: row)))"
        case .not(.equal(.column(let column), .constant(.null))):
            // A range, because an index can answer it, but not IS NOT NULL.
            return "(\(row.stored(column)) >= \(row.leastValue(column)))"
        case .not(let a):
            return "(\(condition(a, of: row)) IS NOT TRUE)"
        case .less(.constant(.integer(0)), .count(let entity, let column, let test)):
            // Evaluated once for all rows, not once for each.
            let member = source(entity)
            let test = condition(test, of: member)
            return "(\(row.alias).id IN (SELECT \(member.column(column)) FROM \(member.table) "
                + "WHERE \(test)))"
        case .hasPrefix(.column(let column), .constant(.text(let prefix))):
            guard row.isText(column) else { return "NULL" }
            // A range can use an index, and is case-sensitive, unlike LIKE.
            let start = mark(.text(prefix))
            guard let successor = Self.successor(of: prefix) else {
                return "(\(row.column(column)) >= \(start))"
            }
            let end = mark(.text(successor))
            return "(\(row.column(column)) >= \(start) AND \(row.column(column)) < \(end))"
        case .isOneOf(let a, let options): return membership(a, options, row)
        default:
            return value(expression, of: row)
        }
    }

    /// Conditions that are all true, in as many brackets as they are: SQLite bounds the depth of those without.
    ///
    /// Beside a list of keys no other list is for an index: SQLite would look up each of the one with each of the
    /// other.
    private mutating func conjunction(
        _ expression: StoreExpression,
        byKeys isByKeys: Bool,
        _ row: Source
    ) -> String {
        switch expression {
        case .and(let a, let b):
            let first = conjunction(a, byKeys: isByKeys, row)
            return "(\(first) AND \(conjunction(b, byKeys: isByKeys, row)))"
        case .isOneOf where isByKeys && !expression.isListOfKeys: return value(expression, of: row)
        default: return condition(expression, of: row)
        }
    }

    /// Whether a value is in a list; the SQL text is the same for any length of the list.
    private mutating func membership(
        _ a: StoreExpression,
        _ options: Set<AttributeValue>,
        _ row: Source
    ) -> String {
        var tested = value(a, of: row)
        let entity = entity(of: a, row.entity)
        var values = Array(options).filter { option in
            guard let entity, case .reference(let id) = option else { return true }
            return id.entity == entity
        }
        // In the order in which the store has them, so that it finds one beside the other.
        if case .key = a { values.sort() }
        let list = ValueList(values)
        arguments.append(.text(list.json))
        var element = list.element
        if case .column(let column) = a {
            tested = row.stored(column)
            element = dates.store(element, in: row.entity.columns[column])
        }
        return "(\(tested) IN (SELECT \(element) FROM json_each(?)))"
    }

    /// The expression as a value.
    mutating func value(_ expression: StoreExpression, of row: Source) -> String {
        switch expression {
        case .key: return "\(row.alias).id"
        case .column(let column): return row.column(column)
        case .constant(let value): return mark(value)
        case .related(let column, let inner): return related(column, inner, row)
        case .count(let entity, let column, let condition):
            return count(entity, column, condition, row)
        case .equal(let a, let b): return comparison(a, "IS", b, row)
        case .less(let a, let b): return comparison(a, "<", b, row)
        case .lessOrEqual(let a, let b): return comparison(a, "<=", b, row)
        case .sum(let a, let b): return binary(a, "+", b, row)
        case .difference(let a, let b): return binary(a, "-", b, row)
        case .product(let a, let b): return binary(a, "*", b, row)
        case .isOneOf(let a, let options):
            return "(\(membership(a, options, row)) IS TRUE)"
        case .hasPrefix(let a, let b):
            // LIKE ignores case, and substr gives NULL for an empty part.
            return "(instr(\(value(a, of: row)), \(value(b, of: row))) = 1)"
        case .hasSuffix(let a, let suffix):
            if case .column(let column) = a, !row.isText(column) { return "NULL" }
            let text = value(a, of: row)
            if suffix.isEmpty { return "(\(text) IS NOT NULL)" }
            // LIKE ignores case. If the text is shorter than the suffix, substr gives all of it.
            return "(substr(\(text), -\(suffix.unicodeScalars.count)) = \(mark(.text(suffix))))"
        case .contains(.column(let column), .constant(.text)) where !row.isText(column):
            return "NULL"
        case .contains(let a, let b):
            return "(instr(\(value(a, of: row)), \(value(b, of: row))) > 0)"
        case .and, .or, .not:
            return "(\(condition(expression, of: row)) IS TRUE)"
        case .coalesce(let a, let b):
            return "coalesce(\(value(a, of: row)), \(value(b, of: row)))"
        case .whenPresent(let a, let b):
            return "CASE WHEN \(value(a, of: row)) IS NOT NULL THEN \(value(b, of: row)) END"
        case .choose(let test, let a, let b):
            return "CASE WHEN \(condition(test, of: row)) THEN \(value(a, of: row)) "
                + "ELSE \(value(b, of: row)) END"
        }
    }

    /// Compares a column with a constant as they are stored.
    private mutating func comparison(
        _ a: StoreExpression,
        _ sign: String,
        _ b: StoreExpression,
        _ row: Source
    ) -> String {
        switch (a, b) {
        case (.column(let column), .constant(let constant))
        where row.entity.columns[column].storage == .date:
            let constant = dates.store(mark(constant), in: row.entity.columns[column])
            return "(\(row.stored(column)) \(sign) \(constant))"
        case (.constant(let constant), .column(let column))
        where row.entity.columns[column].storage == .date:
            let constant = dates.store(mark(constant), in: row.entity.columns[column])
            return "(\(constant) \(sign) \(row.stored(column)))"
        default: return binary(a, sign, b, row)
        }
    }

    private mutating func binary(
        _ a: StoreExpression,
        _ sign: String,
        _ b: StoreExpression,
        _ row: Source
    ) -> String {
        let (first, second) = (value(a, of: row), value(b, of: row))
        if let one = entity(of: a, row.entity), let other = entity(of: b, row.entity), one != other
        {
            // The keys are from different tables.
            if sign == "IS" { return "(\(first) IS NULL AND \(second) IS NULL)" }
            return "CASE WHEN \(first) IS NOT NULL AND \(second) IS NOT NULL "
                + "THEN \(one < other ? 1 : 0) END"
        }
        return "(\(first) \(sign) \(second))"
    }

    /// The entity of the object whose key an expression gives, or nil if it gives another value.
    private func entity(of expression: StoreExpression, _ row: ManagedObjectModel.Entity) -> Int? {
        switch expression {
        case .key: return row.index
        case .constant(.reference(let id)): return id.entity
        case .column(let column):
            guard case .reference(let target, _) = row.columns[column].kind else { return nil }
            return target
        case .related(let column, let inner):
            guard case .reference(let target, _) = row.columns[column].kind else { return nil }
            return entity(of: inner, model.entities[target])
        case .coalesce(let a, _), .whenPresent(_, let a), .choose(_, let a, _):
            return entity(of: a, row)
        default: return nil
        }
    }

    private mutating func related(
        _ column: Int,
        _ inner: StoreExpression,
        _ row: Source
    ) -> String {
        // The row already has the key of the target.
        if case .key = inner { return row.column(column) }
        guard case .reference(let entity, _) = row.entity.columns[column].kind else {
            return "NULL"
        }
        let target = source(entity)
        let inner = value(inner, of: target)
        return
            "(SELECT \(inner) FROM \(target.table) WHERE \(target.alias).id = \(row.column(column)))"
    }

    private mutating func count(
        _ entity: Int,
        _ column: Int,
        _ test: StoreExpression,
        _ row: Source
    ) -> String {
        let member = source(entity)
        let test = condition(test, of: member)
        return "(SELECT count(*) FROM \(member.table) "
            + "WHERE \(member.column(column)) = \(row.alias).id AND \(test))"
    }

    /// The first text after all texts with the prefix, or nil if there is none.
    private static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The scalar after U+D7FF is U+E000: the code points between are surrogates.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                scalars.append(scalar)
                return String(String.UnicodeScalarView(scalars))
            }
        }
        return nil
    }
}

extension StoreExpression {
    /// Whether this is a condition that names keys.
    fileprivate var isListOfKeys: Bool {
        if case .isOneOf(.key, _) = self { true } else { false }
    }
}
