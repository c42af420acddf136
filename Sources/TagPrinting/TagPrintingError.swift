public import LuggageTags

/// The error of a tag that cannot be printed.
public struct TagPrintingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: Hashable, Sendable {
        private let word: String

        /// The tag's data is invalid.
        public static let tag = Code(word: "tag")
        /// There is no font for a text.
        public static let font = Code(word: "font")
        /// The paper, the resolution or the number of tags is not possible.
        public static let paper = Code(word: "paper")
        /// The symbol has no room for the payload.
        public static let symbol = Code(word: "symbol")
        /// The printer is not there, or does not take the tags.
        public static let printer = Code(word: "printer")
        /// Drawing failed.
        public static let drawing = Code(word: "drawing")
    }

    /// The kind of failure.
    public let code: Code
    /// The error, as a sentence.
    public let message: String
    /// The remedy, unless the sentence already gives it.
    public let remedy: Remedy?

    /// Describes a failure.
    init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// The error and its remedy.
    public var description: String { message + (remedy.map { "; \($0)" } ?? "") }
}

extension Remedy {
    /// For letters that would be too small to read.
    public static let largerPaper = Self(rawValue: "choose larger paper")
    /// For more dots than can be drawn.
    public static let fewerDots = Self(
        rawValue: "choose smaller paper, or fewer dots in an inch"
    )
    /// For a symbol whose modules would be too small.
    public static let roomForSymbol = Self(
        rawValue: "choose larger paper, less error correction or a payload of fewer bytes"
    )
}
