package import ArgumentParser
internal import LuggageTags

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Takes the value of an option that is one of several words.
    ///
    /// - Throws: `ValidationError` with the words, where it is none of them.
    package init(word: String) throws {
        guard let value = Self(rawValue: word) else {
            let words = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw ValidationError("'\(word.onOneLine)' is none of \(words)")
        }
        self = value
    }

    /// The words, for completion.
    fileprivate static var words: CompletionKind { .list(allCases.map(\.rawValue)) }

    /// The words, for help.
    fileprivate static var valueName: String { allCases.map(\.rawValue).joined(separator: "|") }
}

extension Option {
    /// An option that is one of several words, or is not given.
    ///
    /// - Parameter abstract: What it is for, as the help says it.
    package init<Word>(word abstract: String)
    where Value == Word?, Word: RawRepresentable<String> & CaseIterable & Sendable {
        self.init(
            help: ArgumentHelp(abstract, valueName: Word.valueName),
            completion: Word.words,
            transform: { try Word(word: $0) }
        )
    }

    /// An option that is one of several words, with the one that counts where none is given.
    ///
    /// - Parameters:
    ///   - wrappedValue: The one that counts.
    ///   - abstract: What it is for, as the help says it.
    ///   - discussion: What the words mean, where they do not say it.
    package init(wrappedValue: Value, word abstract: String, discussion: String = "")
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        self.init(
            wrappedValue: wrappedValue,
            help: ArgumentHelp(
                "\(abstract.dropLast()) (default: \(wrappedValue.rawValue)).",
                discussion: discussion,
                valueName: Value.valueName
            ),
            completion: Value.words,
            transform: { try Value(word: $0) }
        )
    }
}
