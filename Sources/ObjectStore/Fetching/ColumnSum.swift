/// Computes the sum and the mean of one column, for every store.
package struct ColumnSum: Sendable {
    private var count: Int
    private var whole: Int128
    private var real = ExactSum()

    /// Begins with no rows.
    package init() {
        self.init(count: 0, whole: 0)
    }

    /// Begins with whole numbers that were added elsewhere.
    package init(count: Int, whole: Int128) {
        self.count = count
        self.whole = whole
    }

    /// Adds a value; missing values and values that are no numbers do not count.
    ///
    /// - Returns: Whether it is missing or a number.
    @discardableResult
    package mutating func add(_ value: AttributeValue) -> Bool {
        switch value {
        case .null: return true
        case .integer(let number): whole += Int128(number)
        case .real(let number): real.add(number)
        default:
            guard let number = UInt64(stored: value) else { return false }
            whole += Int128(number)
        }
        count += 1
        return true
    }

    /// The integer sum, if there are no other numbers.
    package var wholeSum: Int128 { whole }

    /// The sum of the column in its storage type; null if there are no values.
    ///
    /// - Parameters:
    ///   - column: The column, of numbers.
    ///   - entity: Its entity.
    /// - Returns: The sum.
    /// - Throws: ``StoreError`` if the sum does not fit, or is not a number.
    package func sum(
        of column: ManagedObjectModel.Column,
        in entity: ManagedObjectModel.Entity
    ) throws -> AttributeValue {
        if count == 0 { return .null }
        let name = "\(entity.name).\(column.name)"
        switch column.storage {
        case .real: return .real(try Self.number(real.sum, "sum", name))
        case .unsigned:
            guard let sum = UInt64(exactly: whole) else { throw Self.overflow(name) }
            return sum.attributeValue
        default:
            guard let sum = Int64(exactly: whole) else { throw Self.overflow(name) }
            return .integer(sum)
        }
    }

    /// The mean of the column; null if there are no values.
    package func average(
        of column: ManagedObjectModel.Column,
        in entity: ManagedObjectModel.Entity
    ) throws -> AttributeValue {
        if count == 0 { return .null }
        guard column.storage == .real else { return .real(Double(whole) / Double(count)) }
        return .real(try Self.number(real.mean, "mean", "\(entity.name).\(column.name)"))
    }

    /// Returns a figure that is a number.
    ///
    /// - Throws: ``StoreError`` if it is not a number.
    package static func number(
        _ number: Double?,
        _ figure: String,
        _ name: String
    ) throws -> Double {
        if let number { return number }
        throw StoreError(
            .outOfRange,
            "the \(figure) of \(name) is no number, for there are infinite values of both signs; "
                + "leave these out"
        )
    }

    private static func overflow(_ name: String) -> StoreError {
        StoreError(
            .outOfRange,
            "the sum of \(name) does not fit into 64 bits; ask for the average, or sum fewer objects "
                + "at a time"
        )
    }
}

extension ManagedObjectModel.Column {
    /// The storage type of an attribute; nil for a relationship.
    package var storage: AttributeStorage? {
        if case .attribute(let attribute) = kind { attribute.storage } else { nil }
    }
}
