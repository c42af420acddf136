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
    /// What is wrong, and what to do about it.
    public let description: String

    /// Describes a failure.
    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
