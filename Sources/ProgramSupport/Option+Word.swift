package import ArgumentParser
internal import SystemSupport

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Parses the value of an option that is one of several words.
    ///
    /// - Throws: `ValidationError` with the words, if it is none of them.
    package init(word: String) throws {
        let names =
            [word]
            + aliases.filter { $0.name == word || $0.alias == word }
            .flatMap { [$0.name, $0.alias] }
        guard let value = names.lazy.compactMap({ Self(rawValue: $0) }).first else {
            let words = Self.names.map { "'\($0)'" }.joined(separator: ", ")
            throw ValidationError("'\(word.onOneLine)' is none of \(words)")
        }
        self = value
    }

    /// The words as the user types them; the same thing has the same word in every command.
    fileprivate static var names: [String] {
        allCases.map { value in
            aliases.first { $0.alias == value.rawValue }?.name ?? value.rawValue
        }
    }

    fileprivate static var words: CompletionKind { .list(names) }

    /// The words, for help.
    fileprivate static var valueName: String { names.joined(separator: "|") }
}

/// Alternative words, which are accepted wherever the others are.
private let aliases = [(name: "jsonl", alias: "json-lines")]

extension Option {
    /// An optional option that is one of several words.
    ///
    /// - Parameters:
    ///   - abstract: Its purpose, for the help.
    ///   - discussion: More text for the help.
    package init<Word>(word abstract: String, discussion: String = "")
    where Value == Word?, Word: RawRepresentable<String> & CaseIterable & Sendable {
        self.init(
            help: ArgumentHelp(abstract, discussion: discussion, valueName: Word.valueName),
            completion: Word.words,
            transform: { try Word(word: $0) }
        )
    }

    /// An option that is one of several words, with a default.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default.
    ///   - abstract: Its purpose, for the help.
    ///   - discussion: The meaning of the words, if it is not obvious.
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
