internal import ArgumentParser

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Takes the value of an option that is one of several words.
    ///
    /// - Throws: `ValidationError` with the words, where it is none of them.
    init(word: String) throws {
        guard let value = Self(rawValue: word) else {
            let words = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw ValidationError("'\(word)' is none of \(words)")
        }
        self = value
    }

    /// The words, for completion.
    static var words: CompletionKind { .list(allCases.map(\.rawValue)) }
}
