/// An integer of a message: from -2^63 to 2^64 - 1.
enum WireInteger: Hashable {
    /// Any number that fits.
    case signed(Int64)

    /// A number above the greatest `Int64`.
    case unsigned(UInt64)

    init(_ number: UInt64) {
        self = Int64(exactly: number).map(WireInteger.signed) ?? .unsigned(number)
    }

    /// The number as another type, if that can hold it exactly.
    @inline(__always)
    func exactly<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
        switch self {
        case .signed(let number): Number(exactly: number)
        case .unsigned(let number): Number(exactly: number)
        }
    }

    /// The number in decimal digits.
    var text: String {
        switch self {
        case .signed(let number): String(number)
        case .unsigned(let number): String(number)
        }
    }
}

extension TapeEntry {
    /// The number of an entry that is an integer.
    @inline(__always)
    func integer(in bytes: [UInt8]) -> WireInteger {
        let start = Int(start)
        return switch marker {
        case Marker.unsigned8: .signed(Int64(bytes[start]))
        case Marker.unsigned16: .signed(Int64(bytes.bigEndian(UInt16.self, at: start)))
        case Marker.unsigned32: .signed(Int64(bytes.bigEndian(UInt32.self, at: start)))
        case Marker.unsigned64: WireInteger(bytes.bigEndian(UInt64.self, at: start))
        case Marker.signed8: .signed(Int64(Int8(bitPattern: bytes[start])))
        case Marker.signed16: .signed(Int64(bytes.bigEndian(Int16.self, at: start)))
        case Marker.signed32: .signed(Int64(bytes.bigEndian(Int32.self, at: start)))
        case Marker.signed64: .signed(bytes.bigEndian(Int64.self, at: start))
        default: .signed(Int64(Int8(bitPattern: marker)))
        }
    }

    /// The number of an entry that is a float of 32 bits.
    func float(in bytes: [UInt8]) -> Float {
        Float(bitPattern: bytes.bigEndian(UInt32.self, at: Int(start)))
    }

    /// The number of an entry that is a float of 64 bits.
    func double(in bytes: [UInt8]) -> Double {
        Double(bitPattern: bytes.bigEndian(UInt64.self, at: Int(start)))
    }
}
