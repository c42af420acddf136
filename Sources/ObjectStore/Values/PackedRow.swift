internal import FoundationEssentials

/// The values of a row in one block of memory, as ``RowPacker`` makes it.
///
/// It begins with the place of each value, two bytes each, so that the first place also says how many
/// there are. A value is a byte of its kind and what the kind says; without any byte it is null.
///
/// Unchecked because nobody changes a block once it is made.
@safe struct PackedRow: @unchecked Sendable {
    /// The bytes of a row, after their number.
    typealias Block = ManagedBuffer<UInt16, UInt8>

    enum Kind {
        /// As many bytes of an integer as it needs, the lowest first.
        static let integer: UInt8 = 0
        /// A `Float` if that is the same number, else a `Double`.
        static let real: UInt8 = 1
        /// UTF-8.
        static let text: UInt8 = 2
        /// Bytes.
        static let data: UInt8 = 3
        /// A byte of the entity, and as many of the key as it needs.
        static let reference: UInt8 = 4
    }

    let block: Block

    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        // No row is longer than a packer makes it.
        block = Block.create(minimumCapacity: bytes.count) { _ in UInt16(bytes.count) }
        unsafe block.withUnsafeMutablePointerToElements { place in
            unsafe UnsafeMutableRawBufferPointer(start: place, count: bytes.count)
                .copyMemory(from: bytes)
        }
    }

    init(_ block: Block) {
        self.block = block
    }

    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe block.withUnsafeMutablePointers { length, bytes in
            unsafe body(UnsafeRawBufferPointer(start: bytes, count: Int(length.pointee)))
        }
    }

    /// The number of values, at least one.
    // Not inlined, as the values below.
    var count: Int {
        @inline(never) get { unsafe withBytes { unsafe Self.count($0) } }
    }

    private static func count(_ row: UnsafeRawBufferPointer) -> Int { unsafe place(0, row) / 2 }

    private static func place(_ column: Int, _ row: UnsafeRawBufferPointer) -> Int {
        unsafe Int(row.loadUnaligned(fromByteOffset: 2 * column, as: UInt16.self))
    }

    /// The kind of the value in a column, which is nil for null, and what follows it.
    private static func part(
        _ column: Int,
        _ row: UnsafeRawBufferPointer
    ) -> (kind: UInt8?, value: UnsafeRawBufferPointer) {
        let count = unsafe Self.count(row)
        precondition(column >= 0 && column < count, "the row has no column \(column)")
        let start = unsafe place(column, row)
        let end = column + 1 < count ? unsafe place(column + 1, row) : row.count
        if start == end { return unsafe (nil, UnsafeRawBufferPointer(rebasing: row[start..<end])) }
        return unsafe (row[start], UnsafeRawBufferPointer(rebasing: row[(start + 1)..<end]))
    }

    /// Whether both have the same values, which need not be made for this.
    func hasValues(of other: PackedRow) -> Bool {
        if block === other.block { return true }
        return unsafe withBytes { mine in
            unsafe other.withBytes { others in
                if unsafe mine.hasBytes(of: others) { return true }
                let count = unsafe Self.count(mine)
                guard unsafe count == Self.count(others) else { return false }
                return (0..<count).allSatisfy { column in
                    let a = unsafe Self.part(column, mine)
                    let b = unsafe Self.part(column, others)
                    if unsafe a.kind == b.kind && a.value.hasBytes(of: b.value) { return true }
                    // Equal numbers may have different bytes: 0 and -0.
                    return unsafe a.kind == Kind.real && b.kind == Kind.real
                        && Self.real(a.value) == Self.real(b.value)
                }
            }
        }
    }

    /// Whether the value in a column is a text, which need not be made for this.
    func holds(_ text: String, in column: Int) -> Bool {
        unsafe withBytes { row in
            let (kind, value) = unsafe Self.part(column, row)
            guard kind == Kind.text else { return false }
            return unsafe text.utf8.span.withUnsafeBytes { unsafe value.hasBytes(of: $0) }
        }
    }

    /// The value in a column.
    // Not inlined: it is read in many places, each of which would have all of this.
    @inline(never)
    func value(in column: Int) -> AttributeValue {
        // Without a check for each byte: every read of a property comes here. Only a packer makes rows, so
        // the places are right if the column is.
        unsafe withBytes { row in
            let (kind, value) = unsafe Self.part(column, row)
            switch kind {
            case nil: return .null
            case Kind.integer: return .integer(unsafe Self.integer(value))
            case Kind.real:
                return .real(unsafe Self.real(value))
            case Kind.text: return .text(unsafe String(decoding: value, as: UTF8.self))
            case Kind.data: return .data(unsafe Data(value))
            default:
                let key = unsafe Self.integer(UnsafeRawBufferPointer(rebasing: value.dropFirst()))
                return .reference(ObjectID(entity: Int(unsafe value[0]), key: key))
            }
        }
    }

    private static func real(_ bytes: UnsafeRawBufferPointer) -> Double {
        bytes.count == 4
            ? Double(unsafe bytes.loadUnaligned(as: Float.self))
            : unsafe bytes.loadUnaligned(as: Double.self)
    }

    private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        var number: UInt64 = 0
        for place in bytes.indices { unsafe number |= UInt64(bytes[place]) << UInt64(8 * place) }
        // The highest bit that is there is the sign.
        let rest = UInt64(64 - 8 * bytes.count)
        return Int64(bitPattern: number << rest) >> rest
    }
}

/// Packs the values of rows, one row after the other.
package struct RowPacker {
    /// The greatest length of a row, in bytes: reading a text of it copies the text, and places have two bytes.
    ///
    /// So no row of more than 510 columns is packed.
    private static let limit = 1024

    private let columnCount: Int
    private var bytes: [UInt8]
    private var column = 0
    private var isPackable = true

    /// Begins the first row.
    ///
    /// - Parameter columnCount: The number of values in each row.
    package init(columnCount: Int) {
        self.columnCount = columnCount
        bytes = []
        bytes.reserveCapacity(2 * columnCount + 128)
        bytes.append(contentsOf: repeatElement(0, count: 2 * columnCount))
    }

    /// The row, if it can be packed and has a value for each column, of which there is one; the next values are
    /// those of the next row.
    package mutating func takeRow() -> RowValues? {
        defer {
            bytes.removeLast(bytes.count - 2 * columnCount)
            (column, isPackable) = (0, true)
        }
        guard isPackable, column == columnCount, columnCount > 0 else { return nil }
        return RowValues(unsafe bytes.withUnsafeBytes { unsafe PackedRow($0) })
    }

    /// Adds a value of any kind.
    @inline(never)
    package mutating func append(_ value: AttributeValue) {
        switch value {
        case .null: appendNull()
        case .integer(let number): append(number)
        case .real(let number): append(number)
        case .text(var text): text.withUTF8 { unsafe append(text: UnsafeRawBufferPointer($0)) }
        case .data(let data): unsafe data.withUnsafeBytes { unsafe append(data: $0) }
        case .reference(let id): append(id)
        case .invalid: isPackable = false
        }
    }

    /// Adds no value.
    package mutating func appendNull() { begin() }

    /// Adds an integer.
    package mutating func append(_ number: Int64) {
        guard begin(Kind.integer) else { return }
        appendBytes(of: number)
    }

    /// Adds a number.
    package mutating func append(_ number: Double) {
        guard begin(Kind.real) else { return }
        let short = Float(number)
        if Double(short).bitPattern == number.bitPattern {
            unsafe withUnsafeBytes(of: short) { unsafe bytes.append(contentsOf: $0) }
        } else {
            unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
        }
    }

    /// Adds a text, by its UTF-8.
    package mutating func append(text: UnsafeRawBufferPointer) { unsafe append(text, Kind.text) }

    /// Adds data.
    package mutating func append(data: UnsafeRawBufferPointer) { unsafe append(data, Kind.data) }

    /// Adds a reference.
    package mutating func append(_ target: ObjectID) {
        guard let entity = UInt8(exactly: target.entity) else { return isPackable = false }
        guard begin(Kind.reference) else { return }
        bytes.append(entity)
        appendBytes(of: target.key)
    }

    private typealias Kind = PackedRow.Kind

    private mutating func append(_ value: UnsafeRawBufferPointer, _ kind: UInt8) {
        guard begin(kind, length: value.count) else { return }
        unsafe bytes.append(contentsOf: value)
    }

    /// As many bytes of an integer as it needs.
    private mutating func appendBytes(of number: Int64) {
        // All bits that differ from the sign, and the sign.
        let bits = 65 - (number ^ number >> 63).leadingZeroBitCount
        for place in 0..<(bits + 7) / 8 {
            bytes.append(UInt8(truncatingIfNeeded: number >> Int64(8 * place)))
        }
    }

    /// Begins the next value.
    ///
    /// - Parameters:
    ///   - kind: Its kind; nil for null.
    ///   - length: The length of what follows the kind, at most 9 if none is said.
    /// - Returns: Whether it fits.
    @discardableResult
    private mutating func begin(_ kind: UInt8? = nil, length: Int = 9) -> Bool {
        guard isPackable, column < columnCount, bytes.count + length < Self.limit else {
            isPackable = false
            return false
        }
        let place = UInt16(bytes.count)
        bytes[2 * column] = UInt8(truncatingIfNeeded: place)
        bytes[2 * column + 1] = UInt8(truncatingIfNeeded: place >> 8)
        column += 1
        if let kind { bytes.append(kind) }
        return true
    }
}
