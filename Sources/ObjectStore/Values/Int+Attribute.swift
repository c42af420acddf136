extension Int: AttributeType {}
extension Int8: AttributeType {}
extension Int16: AttributeType {}
extension Int32: AttributeType {}
extension Int64: AttributeType {}
extension UInt8: AttributeType {}
extension UInt16: AttributeType {}
extension UInt32: AttributeType {}

/// Integers that fit into 64 signed bits.
extension AttributeType where Self: FixedWidthInteger {
    /// Stored as an integer.
    public static var storage: AttributeStorage { .integer }
    /// Zero.
    public static var absent: Self { 0 }
    /// The number.
    public var attributeValue: AttributeValue { .integer(Int64(self)) }

    /// Recognises a number that does not fit; nil if every number fits.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? {
        if Self(exactly: Int64.min) != nil && Self(exactly: Int64.max) != nil { return nil }
        return { value in
            guard case .integer(let number) = value else { return false }
            return Self(exactly: number) == nil
        }
    }

    /// Reads the number, if it fits.
    public init?(stored: AttributeValue) {
        guard case .integer(let number) = stored else { return nil }
        self.init(exactly: number)
    }
}

// Stores have only integers of 64 signed bits. Types that need the 64th bit are stored as 20 digits
// with leading zeros: these sort as the numbers do, are exact, and are readable in any tool.

extension UInt64: AttributeType {
    /// Stored as text of 20 digits.
    public static var storage: AttributeStorage { .unsigned }

    /// The digits.
    public var attributeValue: AttributeValue {
        let digits = String(self)
        return .text(String(repeating: "0", count: Self.digitCount - digits.count) + digits)
    }

    /// Recognises text that is not 20 digits of a number that fits.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? {
        { !$0.isNull && Self(stored: $0) == nil }
    }

    /// Reads the digits, if they are 20 digits of a number that fits.
    public init?(stored: AttributeValue) {
        guard case .text(let digits) = stored, digits.utf8.count == Self.digitCount,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.init(digits)
    }

    private static let digitCount = 20
}

extension UInt: AttributeType {
    /// Stored as text of 20 digits.
    public static var storage: AttributeStorage { .unsigned }
    /// The digits.
    public var attributeValue: AttributeValue { UInt64(self).attributeValue }

    /// Recognises text that is not 20 digits of a number that fits.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? {
        { !$0.isNull && Self(stored: $0) == nil }
    }

    /// Reads the digits, if they are 20 digits of a number that fits.
    public init?(stored: AttributeValue) {
        guard let number = UInt64(stored: stored) else { return nil }
        self.init(exactly: number)
    }
}
