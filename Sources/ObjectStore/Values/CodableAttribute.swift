internal import FoundationEssentials

/// A type whose values an attribute stores as JSON.
///
/// Use it for values that are stored and read as a whole: they cannot be searched or sorted. A
/// value that cannot be encoded, such as one with a NaN, reads as absent, and saving it throws
/// ``ValidationError``.
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
    /// Stored as text.
    public static var storage: AttributeStorage { .text }
    /// False: the order of JSON texts has no meaning.
    public static var isOrdered: Bool { false }

    /// The JSON, with sorted keys; if it cannot be encoded, a value that every save rejects.
    public var attributeValue: AttributeValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .text(String(decoding: try encoder.encode(self), as: UTF8.self))
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            let place = path.isEmpty ? "" : " at \(path)"
            return .invalid("cannot be encoded as JSON\(place): \(context.debugDescription)")
        } catch {
            return .invalid("cannot be encoded as JSON: \(error)")
        }
    }

    /// Reads the JSON.
    public init?(stored: AttributeValue) {
        guard case .text(let text) = stored,
            let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        else { return nil }
        self = value
    }
}
