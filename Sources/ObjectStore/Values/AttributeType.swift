public import FoundationEssentials

/// A type for properties wrapped in ``Attribute``: an ``AttributeType``, or an optional of one.
public protocol AttributeConvertible: Sendable {
    /// The value to store.
    var attributeValue: AttributeValue { get }

    /// Makes a value from a stored one.
    ///
    /// It must not fail: a value of another kind, and a missing value where one is required, become
    /// the type's absent value. So a property is readable even if another process changed its row.
    ///
    /// - Parameter attributeValue: The stored value.
    init(attributeValue: AttributeValue)
}

/// A type whose values an attribute can hold.
///
/// To add your own type, give it a raw value of such a type, or convert it to and from one of the
/// cases of ``AttributeValue``.
public protocol AttributeType: AttributeConvertible {
    /// The storage type of the values.
    static var storage: AttributeStorage { get }

    /// The value of a property without a stored value: before the first assignment, and after deletion.
    static var absent: Self { get }

    /// Whether stored values sort as the values do, so that stores can compare and sort them.
    static var isOrdered: Bool { get }

    /// Recognises values that no object can have stored: a store with such a value is damaged.
    ///
    /// Nil if every value of the ``storage`` is valid.
    static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? { get }

    /// Makes a value from a stored one, or nil if that is of another kind.
    init?(stored: AttributeValue)
}

/// The storage type of an attribute; decides the type of a column.
public enum AttributeStorage: String, Sendable, Codable {
    /// Integers of 64 signed bits.
    case integer
    /// Integers from 0 that need the 64th bit: text of 20 digits, with leading zeros.
    case unsigned
    /// Floating-point numbers.
    case real
    /// Dates: floating-point seconds since the beginning of 2001 (UTC), as `Date` counts them.
    case date
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

    /// Makes a value from a stored one; a value of another kind becomes ``absent``.
    @inlinable
    public init(attributeValue: AttributeValue) {
        self = Self(stored: attributeValue) ?? .absent
    }
}

extension Optional: AttributeConvertible where Wrapped: AttributeType {
    /// The value to store; null if it is nil.
    public var attributeValue: AttributeValue { self?.attributeValue ?? .null }

    /// Makes a value from a stored one; null becomes nil.
    @inlinable
    public init(attributeValue: AttributeValue) {
        self = Wrapped(stored: attributeValue)
    }
}

extension Bool: AttributeType {
    /// Stored as 0 or 1.
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
    /// Stored as a floating-point number.
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
    /// Stored as a floating-point number.
    public static var storage: AttributeStorage { .real }
    /// Zero.
    public static var absent: Float { 0 }
    /// The number, exactly; a zero loses its sign, which SQLite would not keep.
    public var attributeValue: AttributeValue { .real(Double(self) + 0) }

    /// Reads the number, rounded if it was stored with more digits.
    public init?(stored: AttributeValue) {
        guard case .real(let number) = stored else { return nil }
        self = Float(number)
    }
}

extension String: AttributeType {
    /// Stored as text.
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
    /// Stored as bytes.
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
    /// Stored as seconds since 2001 (UTC), exactly: every date reads back equal.
    ///
    /// The precision is that of `Date`: a fraction of a microsecond in this century.
    public static var storage: AttributeStorage { .date }
    /// The beginning of 1970.
    public static var absent: Date { Date(timeIntervalSince1970: 0) }
    /// The seconds since 2001; a zero loses its sign, which SQLite would not keep.
    public var attributeValue: AttributeValue { .real(timeIntervalSinceReferenceDate + 0) }

    /// Reads the seconds since 2001.
    public init?(stored: AttributeValue) {
        guard case .real(let seconds) = stored else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension URL: AttributeType {
    /// Stored as text.
    public static var storage: AttributeStorage { .text }
    /// A URL that leads nowhere.
    public static var absent: URL { URL(fileURLWithPath: "/dev/null") }
    /// The absolute text.
    public var attributeValue: AttributeValue { .text(absoluteString) }

    /// Reads the text.
    public init?(stored: AttributeValue) {
        guard case .text(let text) = stored else { return nil }
        self.init(string: text)
    }
}

extension Decimal: AttributeType {
    /// Stored as text, because no number type of a store is exact enough.
    public static var storage: AttributeStorage { .text }
    /// False: as text, 9 would come after 10.
    public static var isOrdered: Bool { false }
    /// Zero.
    public static var absent: Decimal { 0 }

    /// The digits, without an exponent and without redundant zeros.
    public var attributeValue: AttributeValue {
        let text = description
        if !text.contains(".") { return .text(text) }
        let digits = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return .text(String(digits.reversed()))
    }

    /// Reads the digits.
    public init?(stored: AttributeValue) {
        guard case .text(let text) = stored else { return nil }
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}

/// Stores enumerations and other types by their raw values.
///
/// Declare the conformance and define ``AttributeType/absent``. Values are compared, sorted and
/// combined by the raw value. An enumeration of texts sorts by their UTF-8, not in the order of its
/// cases: use integers if that order matters.
extension AttributeType where Self: RawRepresentable, RawValue: AttributeType {
    /// The storage type of the raw value.
    public static var storage: AttributeStorage { RawValue.storage }
    /// Whether stored raw values sort as the raw values do.
    public static var isOrdered: Bool { RawValue.isOrdered }
    /// The check of the raw value's type; a value without a case is not damage, because a newer
    /// version of the program may have one.
    public static var isOutOfRange: (@Sendable (AttributeValue) -> Bool)? { RawValue.isOutOfRange }
    /// The raw value.
    public var attributeValue: AttributeValue { rawValue.attributeValue }

    /// Reads the raw value, if it is one of this type.
    @inlinable
    public init?(stored: AttributeValue) {
        guard let rawValue = RawValue(stored: stored) else { return nil }
        self.init(rawValue: rawValue)
    }
}
