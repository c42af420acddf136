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
