/// A type that is stored as one value of a message, not as a container.
protocol WireScalar {
    func write(to writer: MessageWriter) throws(WritingError)

    /// Reads a value; nil if it is of another kind or does not fit.
    static func read(_ entry: TapeEntry, in message: Message) -> Self?

    /// The kinds that may fit.
    static var kinds: Set<ValueKind> { get }
}

extension WireScalar where Self: FixedWidthInteger {
    @inline(__always)
    func write(to writer: MessageWriter) throws(WritingError) {
        writer.append(integer: self)
    }

    @inline(__always)
    static func read(_ entry: TapeEntry, in message: Message) -> Self? {
        switch entry.kind {
        case .integer: entry.integer(in: message.bytes).exactly(as: Self.self)
        case .float: Self(exactly: entry.float(in: message.bytes))
        case .double: Self(exactly: entry.double(in: message.bytes))
        default: nil
        }
    }

    static var kinds: Set<ValueKind> { [.integer, .float, .double] }
}

extension Int: WireScalar {}
extension Int8: WireScalar {}
extension Int16: WireScalar {}
extension Int32: WireScalar {}
extension Int64: WireScalar {}
extension UInt: WireScalar {}
extension UInt8: WireScalar {}
extension UInt16: WireScalar {}
extension UInt32: WireScalar {}
extension UInt64: WireScalar {}

/// Of 128-bit integers, the format can store those that fit into 64 bits.
extension WireScalar where Self: FixedWidthInteger {
    fileprivate func writeIfSmall(to writer: MessageWriter) throws(WritingError) {
        if let number = Int64(exactly: self) {
            writer.append(integer: number)
        } else if let number = UInt64(exactly: self) {
            writer.append(integer: number)
        } else {
            throw .tooLarge(self)
        }
    }
}

extension Int128: WireScalar {
    func write(to writer: MessageWriter) throws(WritingError) { try writeIfSmall(to: writer) }
}

extension UInt128: WireScalar {
    func write(to writer: MessageWriter) throws(WritingError) { try writeIfSmall(to: writer) }
}

extension Bool: WireScalar {
    func write(to writer: MessageWriter) throws(WritingError) {
        writer.append(self)
    }

    static func read(_ entry: TapeEntry, in message: Message) -> Bool? {
        entry.kind == .boolean ? entry.marker == Marker.true : nil
    }

    static var kinds: Set<ValueKind> { [.boolean] }
}

extension String: WireScalar {
    func write(to writer: MessageWriter) throws(WritingError) {
        try writer.append(self)
    }

    @inline(__always)
    static func read(_ entry: TapeEntry, in message: Message) -> String? {
        entry.kind == .text ? entry.text(in: message.bytes) : nil
    }

    static var kinds: Set<ValueKind> { [.text] }
}

extension Double: WireScalar {
    func write(to writer: MessageWriter) throws(WritingError) {
        writer.append(self)
    }

    static func read(_ entry: TapeEntry, in message: Message) -> Double? {
        switch entry.kind {
        case .double: entry.double(in: message.bytes)
        case .float: Double(entry.float(in: message.bytes))
        case .integer:
            switch entry.integer(in: message.bytes) {
            case .signed(let number): Double(exactly: number)
            case .unsigned(let number): Double(exactly: number)
            }
        default: nil
        }
    }

    static var kinds: Set<ValueKind> { [.integer, .float, .double] }
}

extension Float: WireScalar {
    func write(to writer: MessageWriter) throws(WritingError) {
        writer.append(self)
    }

    static func read(_ entry: TapeEntry, in message: Message) -> Float? {
        switch entry.kind {
        case .float: entry.float(in: message.bytes)
        case .double: narrowed(entry.double(in: message.bytes), message.options.floatNarrowing)
        case .integer:
            switch entry.integer(in: message.bytes) {
            case .signed(let number): Float(exactly: number)
            case .unsigned(let number): Float(exactly: number)
            }
        default: nil
        }
    }

    private static func narrowed(
        _ number: Double,
        _ rule: MessagePackDecoder.FloatNarrowing
    ) -> Float? {
        if number.isNaN { return .nan }
        switch rule {
        case .exact: return Float(exactly: number)
        case .nearest:
            let nearest = Float(number)
            return nearest.isFinite || number.isInfinite ? nearest : nil
        }
    }

    static var kinds: Set<ValueKind> { [.integer, .float, .double] }
}

/// Returns a value under the type's name in a generic function.
///
/// A cast would look up for each value at run time what the caller has already tested.
///
/// - Parameters:
///   - value: The value.
///   - type: The other name of the type; the caller has tested that both are the same type.
/// - Returns: The same value.
@inline(__always)
func named<Value, Same>(_ value: Value, _ type: Same.Type) -> Same {
    precondition(Value.self == Same.self)
    // The types are the same, so nothing is reinterpreted.
    return unsafe unsafeBitCast(value, to: Same.self)
}
