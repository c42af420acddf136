/// The reason why something was not corrected, undone or redone.
public struct CorrectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of reason; stable, and open to new kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable word for this kind.
        public let description: String

        /// There is no such bag or change.
        public static let notFound = Code(description: "not-found")
        /// There is nothing to undo or redo.
        public static let nothing = Code(description: "nothing")
        /// The change is already undone, or it already counts.
        public static let alreadyDone = Code(description: "already-done")
    }

    /// The kind of reason.
    public let code: Code
    /// The reason as a sentence.
    public let message: String
    /// What to do about it, unless the reason itself says so.
    public let remedy: Remedy?

    init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// The reason as a sentence, with the remedy.
    public var description: String { message + (remedy.map { "; \($0)" } ?? "") }
}
