public import LuggageTags

/// Why a tag cannot be printed.
public struct TagPrintingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; open to new kinds.
    public struct Code: Hashable, Sendable {
        private let word: String

        /// What the tag is to say is wrong.
        public static let tag = Code(word: "tag")
        /// There is no font for a text, or none that it can be set in.
        public static let font = Code(word: "font")
        /// The paper is too small, or no paper at all.
        public static let paper = Code(word: "paper")
        /// The symbol has no room for the payload.
        public static let symbol = Code(word: "symbol")
        /// Drawing failed.
        public static let drawing = Code(word: "drawing")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong, as a sentence.
    public let message: String
    /// What to do about it, where the sentence does not say so by itself.
    public let remedy: Remedy?

    /// Describes a failure.
    init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// What is wrong, and what to do about it.
    public var description: String { message + (remedy.map { "; \($0)" } ?? "") }
}

extension Remedy {
    /// For letters that people could not read on paper so small.
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
