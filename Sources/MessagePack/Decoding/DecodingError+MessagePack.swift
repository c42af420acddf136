extension DecodingError {
    /// The error for a message whose bytes are wrong.
    static func corrupted(_ error: MessagePackError, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            Context(
                codingPath: path,
                debugDescription: error.description,
                underlyingError: error
            )
        )
    }
}

extension ValueDecoder {
    /// The error for a value of another kind: this one, or one inside it.
    func mismatch(_ type: Any.Type, at index: Int, _ step: Step) -> DecodingError {
        let entry = message.tape[index]
        let expected = "Expected \(Self.phrase(type)) but found"
        if entry.kind == .null {
            return .valueNotFound(type, context("\(expected) nil instead.", step))
        }
        return .typeMismatch(type, context("\(expected) \(entry.kind.phrase) instead.", step))
    }

    /// The error for a scalar of another kind, or one that does not fit into its type.
    func unreadable<Scalar: WireScalar>(
        _ type: Scalar.Type,
        at index: Int,
        _ step: Step
    ) -> DecodingError {
        let entry = message.tape[index]
        guard type.kinds.contains(entry.kind) else { return mismatch(type, at: index, step) }
        let number =
            switch entry.kind {
            case .integer: entry.integer(in: message.bytes).text
            case .float: "\(entry.float(in: message.bytes))"
            default: "\(entry.double(in: message.bytes))"
            }
        return corrupted("The number \(number) is not exactly representable as \(type).", step)
    }

    func corrupted(_ sentence: String, _ step: Step) -> DecodingError {
        .dataCorrupted(context(sentence, step))
    }

    func context(_ sentence: String, _ step: Step = .here) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath + step.keys, debugDescription: sentence)
    }

    /// The expected kind, in the terms of the format if it is a container.
    private static func phrase(_ type: Any.Type) -> String {
        if type == [String: Any].self { return "a map" }
        if type == [Any].self { return "an array" }
        return "\(type)"
    }
}
