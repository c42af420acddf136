/// Where an expression finds the rows that are related to the one it is computed from.
protocol RelatedRows {
    func row(_ id: ObjectID) throws -> StoredRow?
    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) throws -> [StoredRow]
}

/// The rows of a store, as they are there.
struct StoreRows: RelatedRows {
    let store: any StoreReading
    let model: ManagedObjectModel

    func row(_ id: ObjectID) throws -> StoredRow? {
        try store.rows(of: model.entities[id.entity], keys: [id.key]).first
    }

    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) throws -> [StoredRow] {
        try store.rows(
            matching: StoreQuery(model: model, entity: entity, whose: column, leadsTo: id)
        )
    }
}

extension StoreExpression {
    /// Computes the value from a row, as SQLite would.
    func value(of row: StoredRow, among related: some RelatedRows) throws -> AttributeValue {
        func value(_ expression: StoreExpression) throws -> AttributeValue {
            try expression.value(of: row, among: related)
        }
        func holds(_ expression: StoreExpression) throws -> Bool {
            try value(expression) == .integer(1)
        }
        func text(
            _ a: StoreExpression,
            _ b: StoreExpression,
            _ test: (String.UTF8View, String.UTF8View) -> Bool
        ) throws -> AttributeValue {
            guard case .text(let a) = try value(a), case .text(let b) = try value(b) else {
                return .null
            }
            return AttributeValue(test(a.utf8, b.utf8))
        }

        switch self {
        case .key: return .reference(row.id)
        case .column(let column): return row.values[column]
        case .constant(let value): return value
        case .related(let column, let expression):
            guard let target = row.values[column].reference, let other = try related.row(target)
            else {
                return .null
            }
            return try expression.value(of: other, among: related)
        case .count(let entity, let column, let condition):
            let members = try related.rows(of: entity, whose: column, leadsTo: row.id)
            let count = try members.count { member in
                try condition.value(of: member, among: related) == .integer(1)
            }
            return .integer(Int64(count))

        case .equal(let a, let b): return AttributeValue(try value(a) == value(b))
        case .less(let a, let b):
            let (a, b) = (try value(a), try value(b))
            return a.isNull || b.isNull ? .null : AttributeValue(a < b)
        case .lessOrEqual(let a, let b):
            let (a, b) = (try value(a), try value(b))
            return a.isNull || b.isNull ? .null : AttributeValue(!(b < a))
        case .isOneOf(let a, let options): return AttributeValue(options.contains(try value(a)))
        case .hasPrefix(let a, let b): return try text(a, b) { $0.starts(with: $1) }
        case .contains(let a, let b): return try text(a, b) { $0.contains($1) }

        case .and(let a, let b): return AttributeValue(try holds(a) && holds(b))
        case .or(let a, let b): return AttributeValue(try holds(a) || holds(b))
        case .not(let a): return AttributeValue(try !holds(a))

        case .sum(let a, let b):
            return try value(a).combined(with: value(b), +) { $0.addingReportingOverflow($1) }
        case .difference(let a, let b):
            return try value(a).combined(with: value(b), -) { $0.subtractingReportingOverflow($1) }
        case .product(let a, let b):
            return try value(a).combined(with: value(b), *) {
                $0.multipliedReportingOverflow(by: $1)
            }

        case .coalesce(let a, let b):
            let first = try value(a)
            return first.isNull ? try value(b) : first
        case .whenPresent(let a, let b): return try value(a).isNull ? .null : value(b)
        case .choose(let test, let a, let b): return try holds(test) ? value(a) : value(b)
        }
    }
}

extension AttributeValue {
    fileprivate init(_ truth: Bool) {
        self = .integer(truth ? 1 : 0)
    }

    /// Whole numbers stay whole unless they overflow; what is not a number is missing.
    fileprivate func combined(
        with other: AttributeValue,
        _ real: (Double, Double) -> Double,
        _ whole: (Int64, Int64) -> (Int64, Bool)
    ) -> AttributeValue {
        if case .integer(let a) = self, case .integer(let b) = other {
            let (result, overflow) = whole(a, b)
            if !overflow { return .integer(result) }
        }
        guard let a = number, let b = other.number else { return .null }
        let result = real(a, b)
        return result.isNaN ? .null : .real(result)
    }

    private var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}
