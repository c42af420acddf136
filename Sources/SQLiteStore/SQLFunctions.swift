internal import GRDB
internal import ObjectStore

/// Functions that the statements of a store call and SQLite does not have.
///
/// No table or index uses them, so other tools can open the file.
enum SQLFunctions {
    static let all = [value, sum, mean]

    /// Decodes a value of a ``ValueList``.
    static let value = DatabaseFunction(
        "objectStoreValue",
        argumentCount: 1,
        pure: true
    ) { arguments in
        arguments.first.flatMap(String.fromDatabaseValue).map { DatabaseValue(coded: $0) }
    }

    /// The exact sum of floating-point numbers, or of 64-bit unsigned integers stored as text.
    static let sum = DatabaseFunction(
        "objectStoreSum",
        argumentCount: 1,
        pure: true,
        aggregate: Sum.self
    )

    /// The mean of floating-point numbers.
    static let mean = DatabaseFunction(
        "objectStoreMean",
        argumentCount: 1,
        pure: true,
        aggregate: Mean.self
    )

    private struct Sum: DatabaseAggregate {
        private var real = ExactSum()
        private var whole = ColumnSum()
        private var isWhole = false

        mutating func step(_ arguments: [DatabaseValue]) throws {
            switch arguments.first?.storage {
            case .double(let number): real.add(number)
            case .string(let digits):
                isWhole = true
                if whole.add(.text(digits)) { return }
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT,
                    message: "\"\(digits)\" is not 20 digits of a number of 64 bits"
                )
            default: break
            }
        }

        func finalize() -> (any DatabaseValueConvertible)? {
            if isWhole { return String(whole.wholeSum) }
            return real.count == 0 ? nil : real.sum
        }
    }

    private struct Mean: DatabaseAggregate {
        private var real = ExactSum()

        mutating func step(_ arguments: [DatabaseValue]) {
            if case .double(let number) = arguments.first?.storage { real.add(number) }
        }

        func finalize() -> (any DatabaseValueConvertible)? { real.mean }
    }
}
