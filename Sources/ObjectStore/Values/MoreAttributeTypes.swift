public import Foundation

extension URL: AttributeType {
    /// Kept as text.
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
    /// Kept as text, since no number of a store is exact enough.
    public static var storage: AttributeStorage { .text }
    /// False: as text, 9 would come after 10.
    public static var isOrdered: Bool { false }
    /// Zero.
    public static var absent: Decimal { 0 }

    /// The digits, without an exponent and without zeros that say nothing.
    public var attributeValue: AttributeValue {
        var compact = self
        unsafe NSDecimalCompact(&compact)
        return .text(compact.description)
    }

    /// Reads the digits.
    public init?(stored: AttributeValue) {
        guard case .text(let text) = stored else { return nil }
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}

/// A type whose values an attribute keeps as JSON.
///
/// For values that are kept and read as a whole: nothing in them can be searched or sorted by.
///
/// ```swift
/// struct Size: CodableAttribute {
///     var width: Double
///     var height: Double
///     static let absent = Size(width: 0, height: 0)
/// }
/// ```
public protocol CodableAttribute: AttributeType, Codable {}

extension CodableAttribute {
    /// Kept as text.
    public static var storage: AttributeStorage { .text }
    /// False: the order of JSON texts says nothing about what they mean.
    public static var isOrdered: Bool { false }

    /// The JSON, with its keys in order; no value where it cannot be encoded.
    public var attributeValue: AttributeValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return .null }
        return .text(String(decoding: data, as: UTF8.self))
    }

    /// Reads the JSON.
    public init?(stored: AttributeValue) {
        guard case .text(let text) = stored,
            let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        else { return nil }
        self = value
    }
}
