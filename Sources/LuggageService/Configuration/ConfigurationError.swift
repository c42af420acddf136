internal import SystemSupport

/// The error with everything that is wrong with a configuration.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong: at least one mistake, in the order of the sources.
    package let mistakes: [ConfigurationMistake]

    /// Whether only the command line is wrong.
    package var isOfCommandLine: Bool {
        mistakes.allSatisfy { if case .option = $0.source { true } else { false } }
    }

    /// The mistakes, a line each.
    package var description: String {
        mistakes.map(\.description).joined(separator: "\n")
    }

    /// The mistakes on one line, numbered if there are several.
    package var line: String {
        if mistakes.count == 1 { return mistakes[0].description }
        let words = mistakes.enumerated().map { "(\($0.offset + 1)) \($0.element)" }
        return "\(mistakes.count) mistakes: " + words.joined(separator: " ")
    }
}

/// One thing that is wrong with a configuration.
package struct ConfigurationMistake: Hashable, Sendable, CustomStringConvertible {
    /// Where something is set.
    package enum Source: Hashable, Sendable {
        /// A file, and the place in it, counted from 1; the column in characters.
        case file(path: String, line: Int? = nil, column: Int? = nil)
        /// An environment variable.
        case variable(String)
        /// A command line option or argument.
        case option(String)
        /// Nowhere: something is missing.
        case nowhere
    }

    /// Where it is wrong.
    package let source: Source
    /// The key in the file; nil if the mistake concerns none, or the source names it.
    package let key: String?
    /// What is wrong.
    package let problem: String
    /// What to do about it.
    package let remedy: String

    init(_ source: Source, key: String? = nil, _ wrong: WrongValue) {
        self.source = source
        self.key = key
        problem = wrong.problem
        remedy = wrong.remedy
    }

    /// Whether it is known to concern a setting: by its key, or the key that was probably meant.
    ///
    /// Every mistake of an option or a variable is.
    package func isKnown(toConcern setting: WatchSetting) -> Bool {
        guard case .file = source else { return source != .nowhere }
        let keys = WatchSetting.allCases.map(\.rawValue)
        guard let key else { return false }
        return key == setting.rawValue
            || !keys.contains(key) && Spelling.nearest(to: key, among: keys) == setting.rawValue
    }

    /// The line in the file.
    var line: Int? {
        if case .file(_, let line, _) = source { line } else { nil }
    }

    /// One line: where, what, and what to do about it.
    package var description: String {
        let place: String? =
            switch source {
            case .file(let path, let line, let column):
                ([path] + [line, column].compactMap { $0 }.map(String.init))
                    .joined(separator: ":")
            case .variable(let name): "$\(name)"
            case .option(let name): name
            case .nowhere: nil
            }
        let parts = [place, key, "\(problem); \(remedy)"].compactMap { $0 }
        return parts.joined(separator: ": ").onOneLine
    }
}
