/// The values of a row, in the order of its columns.
///
/// Most rows are one block of memory, a fraction of the size of an array of values: programs keep many
/// rows and look at few of their values. So each read of a longer text makes it anew, and each change
/// makes all values anew; change `Array(values)` to change several.
public struct RowValues: Sendable {
    private enum Storage: Sendable {
        /// What ``RowPacker`` makes: the same values are nearly always the same bytes.
        case packed(PackedRow)
        /// What it does not take: a long text would be copied at each read.
        case plain([AttributeValue])
    }

    private let storage: Storage

    /// Takes values.
    public init(_ values: some Collection<AttributeValue>) {
        var packer = RowPacker(columnCount: values.count)
        self.init(values, packedBy: &packer)
    }

    /// Takes values, packed by a packer of as many columns.
    init(_ values: some Collection<AttributeValue>, packedBy packer: inout RowPacker) {
        for value in values { packer.append(value) }
        self = packer.takeRow() ?? RowValues(plain: Array(values))
    }

    /// Takes values as they are: to be looked at once, or because they cannot be packed.
    package init(plain values: [AttributeValue]) {
        storage = .plain(values)
    }

    init(_ row: PackedRow) {
        storage = .packed(row)
    }

    /// The block of a packed row.
    var block: PackedRow.Block? {
        if case .packed(let row) = storage { row.block } else { nil }
    }
}

extension RowValues: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }

    /// The number of columns.
    public var endIndex: Int {
        switch storage {
        case .packed(let row): row.count
        case .plain(let values): values.count
        }
    }

    /// The value in a column; setting it makes the row anew.
    public subscript(column: Int) -> AttributeValue {
        get {
            switch storage {
            case .packed(let row): row.value(in: column)
            case .plain(let values): values[column]
            }
        }
        set {
            var values = Array(self)
            values[column] = newValue
            self = RowValues(values)
        }
    }
}

extension RowValues {
    /// Whether the row has given values in some columns.
    func have(_ values: [AttributeValue], in columns: [Int]) -> Bool {
        zip(columns, values).allSatisfy { column, value in
            if case .packed(let row) = storage, case .text(let text) = value {
                return row.holds(text, in: column)
            }
            return self[column] == value
        }
    }
}

extension RowValues: Hashable {
    /// Whether all values are the same.
    public static func == (a: RowValues, b: RowValues) -> Bool {
        if case .packed(let mine) = a.storage, case .packed(let others) = b.storage {
            return mine.hasValues(of: others)
        }
        return a.elementsEqual(b)
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) {
        for value in self { value.hash(into: &hasher) }
    }
}

extension RowValues: ExpressibleByArrayLiteral, CustomStringConvertible {
    /// Takes values: `[.text("A1"), .null]`.
    public init(arrayLiteral values: AttributeValue...) { self.init(values) }

    /// The values for a message.
    public var description: String { Array(self).description }
}
