internal import FoundationEssentials

/// A property list, in one of its two layouts.
public struct PropertyListFormat: PayloadFormat {
    /// The layout of a property list.
    public enum Layout: Sendable {
        /// XML 1.0 in UTF-8.
        case xml
        /// Binary, version 00.
        case binary
    }

    /// The layout.
    public let layout: Layout

    /// Makes the format with a layout.
    public init(_ layout: Layout) {
        self.layout = layout
    }

    /// `an XML property list` or `a binary property list`.
    public var name: String {
        switch layout {
        case .xml: "an XML property list"
        case .binary: "a binary property list"
        }
    }

    /// `not-property-list`.
    public var malformed: TagError.Code { .notPropertyList }

    /// Whether the payload begins like XML, in any encoding, or like a binary property list.
    public func recognises(_ payload: [UInt8]) -> Bool {
        switch layout {
        case .xml:
            // UTF-16 is refused later, with a better reason than an unknown format.
            if payload.isUTF16(beginningWith: "<") { return true }
            var rest = payload[...]
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
            return rest.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
        case .binary:
            return payload.starts(with: "bplist".utf8)
        }
    }

    /// Checks that the payload is a property list with only one meaning.
    ///
    /// It must be a tree without two members of the same name and without entities of its own. Its numbers
    /// and times must be well-formed.
    public func check(_ payload: [UInt8]) throws(PayloadFlaw) {
        switch layout {
        case .xml: try StrictXMLPropertyList.check(payload)
        case .binary: try StrictBinaryPropertyList.check(payload)
        }
    }

    private var foundationLayout: PropertyListDecoder.PropertyListFormat {
        switch layout {
        case .xml: .xml
        case .binary: .binary
        }
    }

    /// Decodes a property list of this layout, and of no other, with `PropertyListDecoder`.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        let decoder = PropertyListDecoder()
        decoder.userInfo = userInfo
        var found = foundationLayout
        let value = try decoder.decode(type, from: Data(payload), format: &found)
        guard found == foundationLayout else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [],
                    debugDescription: "the property list is of another format than it looks like"
                )
            )
        }
        return value
    }

    /// Encodes with `PropertyListEncoder`.
    public func encode(
        _ value: some Encodable,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = foundationLayout
        encoder.userInfo = userInfo
        encoder.userInfo[.hasNativeDates] = true
        return Array(try encoder.encode(value))
    }
}

extension PayloadFormat where Self == PropertyListFormat {
    /// A property list in XML 1.0 and UTF-8.
    public static var xmlPropertyList: PropertyListFormat { PropertyListFormat(.xml) }

    /// A binary property list, version 00.
    public static var binaryPropertyList: PropertyListFormat { PropertyListFormat(.binary) }
}
