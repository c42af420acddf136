/// Why a value of the right type is not accepted: the cause beneath a `DecodingError`.
struct Refusal: Error, CustomStringConvertible {
    let code: TagError.Code
    /// The reason, to follow the place: `has no unit`.
    let description: String

    init(_ code: TagError.Code, _ reason: String) {
        self.code = code
        description = reason
    }

    /// A value that is not what it must be.
    static func expected(_ expectation: String, found value: String) -> Self {
        Self(.notDecodable, "expected \(expectation), found \(value)")
    }

    func error(at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(path, description, self))
    }
}
