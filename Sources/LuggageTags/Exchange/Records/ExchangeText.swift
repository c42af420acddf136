internal import FoundationEssentials
internal import SystemSupport

/// A text of a record; if a format cannot express it as a text, its UTF-8 bytes as data.
struct ExchangeText: Form {
    static let expectation = "a text"

    /// The greatest length in bytes; no name from a system is longer.
    private static let longest = 4096

    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        if let text = try decoder.attempt({ try String(from: decoder) }) {
            self.text = text
        } else if let data = try decoder.attempt({
            try decoder.singleValueContainer().decode(Data.self)
        }) {
            guard let text = String(validating: data, as: UTF8.self) else {
                throw Refusal.expected("UTF-8", found: "other bytes").error(at: decoder.codingPath)
            }
            self.text = text
        } else {
            throw decoder.noForm(of: Self.self)
        }
        if text.utf8.count > Self.longest {
            throw Refusal(.outOfRange, "is too long: \(text.utf8.count) bytes")
                .error(at: decoder.codingPath)
        }
        if text.utf8.contains(0) {
            throw Refusal(.outOfRange, "has a zero byte, which a record cannot keep")
                .error(at: decoder.codingPath)
        }
    }

    /// Whether a record can keep a text.
    static func isAllowed(_ text: String) -> Bool {
        text.utf8.count <= longest && !text.utf8.contains(0)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let isXML = encoder.userInfo[.isXML] != nil
        let isKept = text.unicodeScalars.allSatisfy(\.isKeptByXML) && text != PayloadFlaw.nothing
        if isXML && !isKept {
            try container.encode(Data(text.utf8))
        } else {
            try container.encode(text)
        }
    }
}

extension CodingUserInfoKey {
    /// The key with which an encoder tells that it writes XML, which cannot express every text.
    static let isXML = key("LuggageTags.isXML")

    /// The key with which an encoder tells that it writes bytes as they are.
    static let hasNativeData = key("LuggageTags.hasNativeData")
}

extension Unicode.Scalar {
    /// Whether XML 1.0 allows it, and readers do not change it, as they change carriage returns.
    fileprivate var isKeptByXML: Bool { XMLReader.isCharacter(self) && self != "\r" }
}

/// A value that a word stands for.
protocol Worded: RawRepresentable<String>, Equatable {
    /// The allowed words, as words after "expected".
    static var expectation: String { get }
}

extension Worded where Self: CaseIterable {
    static var expectation: String {
        let words = allCases.map { "\"\($0.rawValue)\"" }
        return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}

extension RecordKind: Worded {}
extension Outcome: Worded {}
extension Point.Role: Worded {}

extension Point: Worded {
    // A word that is unknown here may be known in another record.
    static let expectation =
        "a word of 1 to 32 small letters, digits and hyphens that begins with a letter"
}

/// A value that is decoded from a word.
struct Choice<Value: Worded>: Form {
    static var expectation: String { Value.expectation }

    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        guard let text = try decoder.attempt({ try String(from: decoder) }) else {
            throw decoder.noForm(of: Self.self)
        }
        guard let value = Value(rawValue: text) else {
            throw Refusal.expected(Self.expectation, found: "the text \(text.quoted)")
                .error(at: decoder.codingPath)
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws { try value.rawValue.encode(to: encoder) }
}
