extension [UInt8] {
    /// Whether some of the bytes are UTF-8 by RFC 3629: without surrogates and overlong forms.
    func isUTF8(_ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            if self[position] < 0x80 {
                position += 1
                continue
            }
            guard let length = lengthOfScalar(at: position, before: range.upperBound) else {
                return false
            }
            position += length
        }
        return true
    }

    /// The length of the scalar that begins at a byte above ASCII; nil if there is none.
    private func lengthOfScalar(at position: Int, before end: Int) -> Int? {
        let length: Int
        // The range of the second byte excludes overlong forms, surrogates and values that are too
        // large.
        let second: ClosedRange<UInt8>
        switch self[position] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard length <= end - position, second.contains(self[position + 1]) else { return nil }
        for index in position + 2..<position + length where self[index] & 0xC0 != 0x80 {
            return nil
        }
        return length
    }
}

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
