internal import SystemSupport

/// A value that tags give in several forms, and that is equal in all of them.
protocol Form: Codable, Equatable {
    /// What the value is, as words after "expected": `a number`.
    static var expectation: String { get }
}

/// The name of a member as a payload spells it.
struct FormKey: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }

    init(stringValue: String) { self.stringValue = stringValue }

    var intValue: Int? { nil }

    init?(intValue: Int) { nil }

    /// The name with ASCII letters in lower case; for other letters this depends on the language.
    var folded: [UInt8] { stringValue.utf8.map(Self.folded) }

    /// Whether it is another name but for capital and small ASCII letters.
    func spells(_ name: String) -> Bool {
        let (own, other) = (stringValue.utf8, name.utf8)
        return own.count == other.count
            && zip(own, other).allSatisfy { Self.folded($0) == Self.folded($1) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension KeyedDecodingContainer where Key == FormKey {
    /// Decodes a member, whose name may have capital or small letters; nil if it is missing or null.
    ///
    /// If a tag has several spellings of the member, all must have equal values.
    func decodeIfStated<Value: Form>(_ type: Value.Type, _ name: String) throws -> Value? {
        var stated: (key: FormKey, value: Value)?
        for key in spellings(of: name) {
            let decoded = try placed(codingPath + [key]) { try decodeIfPresent(type, forKey: key) }
            guard let value = decoded else { continue }
            if let stated, stated.value != value {
                throw Refusal(
                    .ambiguous,
                    "contradicts \(stated.key.stringValue.quoted), which is there too"
                ).error(at: codingPath + [key])
            }
            stated = stated ?? (key, value)
        }
        return stated?.value
    }

    /// Decodes a member that must be there.
    func decodeStated<Value: Form>(_ type: Value.Type, _ name: String) throws -> Value {
        if let value = try decodeIfStated(type, name) { return value }
        if let key = spellings(of: name).first {
            throw DecodingError.valueNotFound(type, .init(codingPath + [key], "it is null"))
        }
        throw DecodingError.keyNotFound(FormKey(name), .init(codingPath, "there is no such key"))
    }

    /// The keys that spell a member's name; an exact match comes first.
    func spellings(of name: String) -> [FormKey] {
        allKeys.filter { $0.spells(name) }.sorted {
            if $0.stringValue == name { return true }
            return $1.stringValue != name && $0.stringValue < $1.stringValue
        }
    }
}

extension Decoder {
    /// Whether it reads a list that people write, with labels for bags and the time of the local clocks.
    var isOfList: Bool { userInfo[.isOfList] != nil }

    /// Decodes one form; nil if the payload has another form.
    func attempt<Value>(_ decode: () throws -> Value) throws -> Value? {
        do {
            return try placed(codingPath, decode)
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// The error that the payload has none of the forms.
    func noForm<Value: Form>(of type: Value.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath, "expected \(type.expectation)"))
    }
}

/// Runs a decoding function, and gives its errors the coding path.
///
/// Decoders also throw errors without a path, for example JSONDecoder for a number beyond double
/// precision.
private func placed<Value>(
    _ path: @autoclosure () -> [any CodingKey],
    _ decode: () throws -> Value
) throws -> Value {
    do {
        return try decode()
    } catch let error as DecodingError {
        throw error
    } catch {
        throw DecodingError.dataCorrupted(.init(path(), "the value cannot be represented", error))
    }
}

extension DecodingError.Context {
    init(_ path: [any CodingKey], _ description: String, _ cause: (any Error)? = nil) {
        self.init(codingPath: path, debugDescription: description, underlyingError: cause)
    }
}

/// A text as a part of a form.
extension String: Form {
    static var expectation: String { "a text" }
}

/// True or false.
extension Bool: Form {
    static var expectation: String { "true or false" }
}

/// The reason why a value of the right type is refused: the underlying error of a `DecodingError`.
struct Refusal: Error, CustomStringConvertible {
    let code: TagError.Code
    /// The reason, as words after the place: `has no unit`.
    let description: String

    init(_ code: TagError.Code, _ reason: String) {
        self.code = code
        description = reason
    }

    /// The refusal of an unexpected value.
    static func expected(_ expectation: String, found value: String) -> Self {
        Self(.notDecodable, "expected \(expectation), found \(value)")
    }

    func error(at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(path, description, self))
    }
}

extension CodingUserInfoKey {
    /// The key of the ``OwnerForm`` in which an encoder writes owners.
    public static let ownerForm = key("LuggageTags.ownerForm")

    /// The key of the ``WeightForm`` in which an encoder writes weights.
    public static let weightForm = key("LuggageTags.weightForm")

    /// The key of the ``DateForm`` in which an encoder writes when a bag departed and arrived.
    ///
    /// A coder without it ignores these times, because a tag does not tell when its bag was scanned. A
    /// decoder with any form reads all forms.
    public static let dateForm = key("LuggageTags.dateForm")

    /// The key with which a decoder tells that it reads a list that people write.
    static let isOfList = key("LuggageTags.isOfList")

    static func key(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else {
            // The initializer is failable by declaration only; it accepts every text.
            preconditionFailure("a text is always a key")
        }
        return key
    }
}
