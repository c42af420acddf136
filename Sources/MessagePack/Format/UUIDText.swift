#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import FoundationEssentials
#endif

/// Reads and writes UUIDs as 36 characters, without a string for each.
///
/// The form is that of RFC 9562: groups of 8, 4, 4, 4 and 12 hexadecimal digits.
enum UUIDText {
    /// The number of characters.
    static let count = 36

    /// Parses a UUID; upper and lower case are allowed.
    ///
    /// - Parameter letters: ASCII characters.
    /// - Returns: The UUID, or nil if they have another form.
    static func parse(_ letters: ArraySlice<UInt8>) -> UUID? {
        guard letters.count == count else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(MemoryLayout<uuid_t>.size)
        var position = letters.startIndex
        while position < letters.endIndex {
            if isHyphen(position - letters.startIndex) {
                guard letters[position] == UInt8(ascii: "-") else { return nil }
                position += 1
            }
            guard let high = digit(letters[position]), let low = digit(letters[position + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
            position += 2
        }
        return UUID(bytes: bytes[...])
    }

    private static func isHyphen(_ place: Int) -> Bool {
        place == 8 || place == 13 || place == 18 || place == 23
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UUID {
    /// Makes a UUID from 16 bytes; nil for another number of bytes.
    init?(bytes: ArraySlice<UInt8>) {
        var tuple: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        // Both have 16 bytes; the pointer stays in this closure.
        unsafe withUnsafeMutableBytes(of: &tuple) { unsafe $0.copyBytes(from: bytes) }
        self.init(uuid: tuple)
    }
}
