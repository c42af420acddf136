extension [UInt8] {
    /// The number at a position, most significant byte first; the caller guarantees enough bytes.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at position: Int) -> Number {
        var number: Number = 0
        for index in position..<position + MemoryLayout<Number>.size {
            number = number << 8 | Number(truncatingIfNeeded: self[index])
        }
        return number
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, most significant first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self(truncatingIfNeeded: $0))
        }
    }
}
