internal import System

/// A value that tags give in several representations, and that is one and the same in all of them.
protocol Form: Codable, Equatable {
    /// What it is, to follow "expected": `a number`.
    static var expectation: String { get }
}

/// A member's name as a payload spells it.
struct FormKey: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }

    init(stringValue: String) { self.stringValue = stringValue }

    var intValue: Int? { nil }

    init?(intValue: Int) { nil }

    /// The name with its capital letters made small, where they are of ASCII: the letters of some
    /// languages become others by it.
    var folded: [UInt8] { stringValue.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}

extension KeyedDecodingContainer where Key == FormKey {
    /// The value of a member, whose name may be spelt with capital or small letters.
    ///
    /// A tag that has it in several spellings must say the same in all of them.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The member's name as it is spelt first and foremost.
    /// - Returns: The value; nil where there is none, or null.
    /// - Throws: `DecodingError`.
    func decodeIfStated<Value: Form>(_ type: Value.Type, _ name: String) throws -> Value? {
        var stated: (key: FormKey, value: Value)?
        for key in spellings(of: name) {
            let path = codingPath + [key]
            let decoded = try placed(path) { try decodeIfPresent(type, forKey: key) }
            guard let value = decoded else { continue }
            if let stated, stated.value != value {
                throw Refusal(
                    .ambiguous,
                    "contradicts \(stated.key.stringValue.quoted), which is there too"
                ).error(at: path)
            }
            stated = stated ?? (key, value)
        }
        return stated?.value
    }

    /// The value of a member that must be there.
    func decodeStated<Value: Form>(_ type: Value.Type, _ name: String) throws -> Value {
        if let value = try decodeIfStated(type, name) { return value }
        if let key = spellings(of: name).first {
            throw DecodingError.valueNotFound(type, .init(codingPath + [key], "it is null"))
        }
        throw DecodingError.keyNotFound(FormKey(name), .init(codingPath, "there is no such key"))
    }

    /// The keys that spell a member's name, the one that is spelt so to the letter in front.
    func spellings(of name: String) -> [FormKey] {
        let folded = FormKey(name).folded
        return allKeys.filter { $0.folded == folded }.sorted {
            if $0.stringValue == name { return true }
            return $1.stringValue != name && $0.stringValue < $1.stringValue
        }
    }
}

extension Decoder {
    /// What a representation gives; nil where the payload has another one.
    ///
    /// - Parameter decode: Decodes the representation.
    /// - Returns: The value.
    /// - Throws: `DecodingError`.
    func attempt<Value>(_ decode: () throws -> Value) throws -> Value? {
        do {
            return try placed(codingPath, decode)
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// The error where no representation is the payload's.
    func noForm<Value: Form>(of type: Value.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath, "expected \(type.expectation)"))
    }
}

/// What a function decodes, and where it fails an error that has its place.
///
/// Decoders throw errors of their own, which lose their place further up: JSONDecoder on a number
/// beyond double precision, for one.
private func placed<Value>(_ path: [any CodingKey], _ decode: () throws -> Value) throws -> Value {
    do {
        return try decode()
    } catch let error as DecodingError {
        throw error
    } catch {
        throw DecodingError.dataCorrupted(.init(path, "the value cannot be represented", error))
    }
}

extension DecodingError.Context {
    init(_ path: [any CodingKey], _ description: String, _ cause: (any Error)? = nil) {
        self.init(codingPath: path, debugDescription: description, underlyingError: cause)
    }
}

/// A text, for the parts of a form.
extension String: Form {
    static var expectation: String { "a text" }
}
