public import Foundation

/// A type that a property wrapped in ``Attribute`` may have: an ``AttributeType``, or one made
/// optional.
public protocol AttributeConvertible: Sendable {
    /// The value to keep.
    var attributeValue: AttributeValue { get }

    /// Reads a kept value back.
    ///
    /// It must not fail: a value of another kind, and no value where one is required, become the
    /// type's absent value. A property can then be read whatever another process has done to its row.
    ///
    /// - Parameter attributeValue: The value as a store gives it.
    init(attributeValue: AttributeValue)
}

/// A type whose values an attribute can hold.
///
/// To make a type of your own one, give it a raw value that is one, or convert it to and from one
/// of the cases of ``AttributeValue``.
public protocol AttributeType: AttributeConvertible {
    /// The kind of value that this type is kept as.
    static var storage: AttributeStorage { get }

    /// What a property reads as while it has no value: before it is first assigned, and after its
    /// object was deleted.
    static var absent: Self { get }

    /// Whether kept values are in the order of the values, so that stores can compare and sort them.
    static var isOrdered: Bool { get }

    /// Tells values that no object of this program can have kept: a store that holds one is damaged.
    /// Nil where every value of the ``storage`` can be kept.
    static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? { get }

    /// Reads a kept value back, or gives nil where the value is of another kind.
    init?(stored: AttributeValue)
}

/// The kind of value that an attribute is kept as; decides the type of a column.
public enum AttributeStorage: String, Sendable, Codable {
    /// Whole numbers of 64 signed bits.
    case integer
    /// Whole numbers from 0 that need the 64th bit: text of 20 digits, with zeros in front.
    case unsigned
    /// Floating-point numbers.
    case real
    /// Text.
    case text
    /// Bytes.
    case data
}

extension AttributeType {
    /// True.
    public static var isOrdered: Bool { true }

    /// Nil.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? { nil }

    /// Reads a kept value back; anything else becomes ``absent``.
    @inlinable
    public init(attributeValue: AttributeValue) {
        self = Self(stored: attributeValue) ?? .absent
    }
}

extension Optional: AttributeConvertible where Wrapped: AttributeType {
    /// The value to keep; null where there is none.
    public var attributeValue: AttributeValue { self?.attributeValue ?? .null }

    /// Reads a kept value back; null becomes nil.
    @inlinable
    public init(attributeValue: AttributeValue) {
        self = Wrapped(stored: attributeValue)
    }
}

extension Bool: AttributeType {
    /// Kept as 0 or 1.
    public static var storage: AttributeStorage { .integer }
    /// False.
    public static var absent: Bool { false }
    /// 0 or 1.
    public var attributeValue: AttributeValue { .integer(self ? 1 : 0) }

    /// Reads anything but 0 as true.
    public init?(stored: AttributeValue) {
        guard case .integer(let number) = stored else { return nil }
        self = number != 0
    }
}

extension Double: AttributeType {
    /// Kept as a floating-point number.
    public static var storage: AttributeStorage { .real }
    /// Zero.
    public static var absent: Double { 0 }
    /// The number; a zero loses its sign, which SQLite would not keep.
    public var attributeValue: AttributeValue { .real(self + 0) }

    /// Reads the number.
    public init?(stored: AttributeValue) {
        guard case .real(let number) = stored else { return nil }
        self = number
    }
}

extension Float: AttributeType {
    /// Kept as a floating-point number.
    public static var storage: AttributeStorage { .real }
    /// Zero.
    public static var absent: Float { 0 }
    /// The number, exactly; a zero loses its sign, which SQLite would not keep.
    public var attributeValue: AttributeValue { .real(Double(self) + 0) }

    /// Reads the number, rounded where it was kept with more digits.
    public init?(stored: AttributeValue) {
        guard case .real(let number) = stored else { return nil }
        self = Float(number)
    }
}

extension String: AttributeType {
    /// Kept as text.
    public static var storage: AttributeStorage { .text }
    /// The empty text.
    public static var absent: String { "" }
    /// The text.
    public var attributeValue: AttributeValue { .text(self) }

    /// Reads the text.
    public init?(stored: AttributeValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}

extension Data: AttributeType {
    /// Kept as bytes.
    public static var storage: AttributeStorage { .data }
    /// No bytes.
    public static var absent: Data { Data() }
    /// The bytes.
    public var attributeValue: AttributeValue { .data(self) }

    /// Reads the bytes.
    public init?(stored: AttributeValue) {
        guard case .data(let data) = stored else { return nil }
        self = data
    }
}

extension Date: AttributeType {
    /// Kept as seconds since 1970 (UTC), to a fraction of a microsecond.
    public static var storage: AttributeStorage { .real }
    /// The beginning of 1970.
    public static var absent: Date { Date(timeIntervalSince1970: 0) }
    /// The seconds since 1970.
    public var attributeValue: AttributeValue { .real(timeIntervalSince1970) }

    /// Reads the seconds since 1970.
    public init?(stored: AttributeValue) {
        guard case .real(let seconds) = stored else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }
}

/// Enumerations and other types that have a raw value which can be kept.
///
/// Conform such a type by naming the protocol and giving ``AttributeType/absent``. Values are compared,
/// sorted and combined by the raw value: those of an enumeration of texts by the UTF-8 of these, not in
/// the order in which its cases stand. Give it whole numbers where that order matters.
extension AttributeType where Self: RawRepresentable, RawValue: AttributeType {
    /// Kept as the raw value is.
    public static var storage: AttributeStorage { RawValue.storage }
    /// Whether the raw value's type has the order of its values.
    public static var isOrdered: Bool { RawValue.isOrdered }
    /// What the raw value's type tells; one that is merely of no case is not damage, for a newer
    /// version of the program may have it.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? { RawValue.isOutOfRange }
    /// The raw value.
    public var attributeValue: AttributeValue { rawValue.attributeValue }

    /// Reads the raw value, where it is one of this type.
    @inlinable
    public init?(stored: AttributeValue) {
        guard let rawValue = RawValue(stored: stored) else { return nil }
        self.init(rawValue: rawValue)
    }
}
