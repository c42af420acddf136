public import Foundation

extension UUID: AttributeType {
    /// Kept as text in upper case, which a person can compare with a printed tag.
    public static var storage: AttributeStorage { .text }
    /// The UUID of zeros.
    public static var absent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    /// The text in upper case.
    public var attributeValue: AttributeValue { .text(text) }

    /// Reads the text, in any case.
    public init?(stored: AttributeValue) {
        guard case .text(let text) = stored else { return nil }
        self.init(text: text)
    }
}

// Foundation writes and reads a UUID with `snprintf` and `sscanf`, which takes longer than all else
// that a save does with one; and it takes malformed ones for others.
extension UUID {
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let length = 36
    /// The bytes after which the text has a hyphen.
    private static let groupEnds: [Int] = [3, 5, 7, 9]

    private var text: String {
        let bytes = uuid
        return unsafe withUnsafeBytes(of: bytes) { bytes in
            unsafe String(unsafeUninitializedCapacity: Self.length) { characters in
                var place = 0
                for index in bytes.indices {
                    let byte = unsafe Int(bytes[index])
                    unsafe characters[place] = Self.digits[byte >> 4]
                    unsafe characters[place + 1] = Self.digits[byte & 15]
                    place += 2
                    if Self.groupEnds.contains(index) {
                        unsafe characters[place] = UInt8(ascii: "-")
                        place += 1
                    }
                }
                return place
            }
        }
    }

    private init?(text: String) {
        let characters = text.utf8.span
        guard characters.count == Self.length else { return nil }
        var bytes = Self.absent.uuid
        let isWhole = unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
            var place = 0
            for index in bytes.indices {
                guard let high = Self.digit(characters[place]),
                    let low = Self.digit(characters[place + 1])
                else { return false }
                unsafe bytes[index] = high << 4 | low
                place += 2
                if Self.groupEnds.contains(index) {
                    guard characters[place] == UInt8(ascii: "-") else { return false }
                    place += 1
                }
            }
            return true
        }
        guard isWhole else { return nil }
        self.init(uuid: bytes)
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
