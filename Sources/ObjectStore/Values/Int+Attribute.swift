extension Int: AttributeType {}
extension Int8: AttributeType {}
extension Int16: AttributeType {}
extension Int32: AttributeType {}
extension Int64: AttributeType {}
extension UInt8: AttributeType {}
extension UInt16: AttributeType {}
extension UInt32: AttributeType {}

/// Whole numbers that fit into 64 signed bits.
extension AttributeType where Self: FixedWidthInteger {
    /// Kept as a whole number.
    public static var storage: AttributeStorage { .integer }
    /// Zero.
    public static var absent: Self { 0 }
    /// The number.
    public var attributeValue: AttributeValue { .integer(Int64(self)) }

    /// Tells a number that does not fit; nil where every one does.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? {
        if Self(exactly: Int64.min) != nil && Self(exactly: Int64.max) != nil { return nil }
        return { value in
            guard case .integer(let number) = value else { return false }
            return Self(exactly: number) == nil
        }
    }

    /// Reads the number, where it fits.
    public init?(stored: AttributeValue) {
        guard case .integer(let number) = stored else { return nil }
        self.init(exactly: number)
    }
}

// Stores have whole numbers of 64 signed bits only. What needs the 64th bit is kept as 20 digits,
// with zeros in front: they are in the order of the numbers, exact, and legible in any tool.

extension UInt64: AttributeType {
    /// Kept as text of 20 digits.
    public static var storage: AttributeStorage { .unsigned }

    /// The digits.
    public var attributeValue: AttributeValue {
        let digits = String(self)
        return .text(String(repeating: "0", count: Self.digitCount - digits.count) + digits)
    }

    /// Tells text that is not 20 digits of a number that fits.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? {
        { !$0.isNull && Self(stored: $0) == nil }
    }

    /// Reads the digits, where there are 20 of a number that fits.
    public init?(stored: AttributeValue) {
        guard case .text(let digits) = stored, digits.utf8.count == Self.digitCount,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.init(digits)
    }

    private static let digitCount = 20
}

extension UInt: AttributeType {
    /// Kept as text of 20 digits.
    public static var storage: AttributeStorage { .unsigned }
    /// The digits.
    public var attributeValue: AttributeValue { UInt64(self).attributeValue }

    /// Tells text that is not 20 digits of a number that fits.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? {
        { !$0.isNull && Self(stored: $0) == nil }
    }

    /// Reads the digits, where there are 20 of a number that fits.
    public init?(stored: AttributeValue) {
        guard let number = UInt64(stored: stored) else { return nil }
        self.init(exactly: number)
    }
}
