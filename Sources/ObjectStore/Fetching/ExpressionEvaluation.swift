/// Finds the rows that are related to the row of an expression.
///
/// Of any kind, since each would have all of the evaluation for itself; and an object, which is passed as it is.
protocol RelatedRows: AnyObject {
    func row(_ id: ObjectID) throws -> StoredRow?
    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) throws -> [StoredRow]
}

/// The rows of a store, without unsaved changes.
final class StoreRows: RelatedRows {
    let store: any StoreReading
    let model: ManagedObjectModel

    init(store: any StoreReading, model: ManagedObjectModel) {
        (self.store, self.model) = (store, model)
    }

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
    /// Computes the value for a row, as SQLite would.
    func value(of row: StoredRow, among related: any RelatedRows) throws -> AttributeValue {
        func value(_ expression: StoreExpression) throws -> AttributeValue {
            try expression.value(of: row, among: related)
        }
        func holds(_ expression: StoreExpression) throws -> Bool {
            try value(expression) == .integer(1)
        }
        func bytes(
            _ a: StoreExpression,
            _ b: StoreExpression,
            _ test: ([UInt8], [UInt8]) -> Bool
        ) throws -> AttributeValue {
            switch (try value(a), try value(b)) {
            case (.text(let a), .text(let b)): AttributeValue(test(Array(a.utf8), Array(b.utf8)))
            case (.data(let a), .data(let b)): AttributeValue(test(Array(a), Array(b)))
            default: .null
            }
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

        case .equal(let a, let b):
            return AttributeValue(try value(a).isSame(as: value(b)))
        case .less(let a, let b):
            let (a, b) = (try value(a), try value(b))
            return a.isNull || b.isNull ? .null : AttributeValue(a.isLess(than: b))
        case .lessOrEqual(let a, let b):
            let (a, b) = (try value(a), try value(b))
            return a.isNull || b.isNull ? .null : AttributeValue(!b.isLess(than: a))
        case .isOneOf(let a, let options):
            let tested = try value(a)
            let isIncluded =
                options.contains(tested) || tested.sameNumber.map(options.contains) ?? false
            return AttributeValue(isIncluded)
        case .hasPrefix(let a, let b): return try bytes(a, b) { $0.starts(with: $1) }
        case .hasSuffix(let a, let suffix):
            return try bytes(a, .constant(.text(suffix))) {
                $0.suffix($1.count).elementsEqual($1)
            }
        case .contains(let a, let b): return try bytes(a, b) { $0.contains($1) }

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

    /// Whether both are equal; integers and reals are compared exactly.
    fileprivate func isSame(as other: AttributeValue) -> Bool {
        switch (self, other) {
        case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
            Self.order(whole, real) == 0
        default: self == other
        }
    }

    /// The real that is equal to an integer, or the integer that is equal to a real, if there is one.
    fileprivate var sameNumber: AttributeValue? {
        switch self {
        case .integer(let whole): Double(exactly: whole).map { .real($0) }
        case .real(let real): Int64(exactly: real).map { .integer($0) }
        default: nil
        }
    }

    /// Whether this one is less; integers and reals are compared exactly.
    fileprivate func isLess(than other: AttributeValue) -> Bool {
        switch (self, other) {
        case (.integer(let whole), .real(let real)): Self.order(whole, real) < 0
        case (.real(let real), .integer(let whole)): Self.order(whole, real) > 0
        default: self < other
        }
    }

    /// Negative if the integer is less, positive if it is greater.
    private static func order(_ whole: Int64, _ real: Double) -> Int {
        if real >= 0x1p63 { return -1 }
        if real < -0x1p63 { return 1 }
        let floor = real.rounded(.down)
        if whole != Int64(floor) { return whole < Int64(floor) ? -1 : 1 }
        return floor < real ? -1 : 0
    }

    /// Integers stay integers unless they overflow; NaN becomes null.
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

    /// The value as a number, if it is one.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}
