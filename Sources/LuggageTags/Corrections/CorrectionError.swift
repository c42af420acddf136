/// Why something is not corrected, taken back or brought back.
public struct CorrectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of reason; stable, and open to new kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable word for this kind.
        public let description: String

        /// There is no such bag or change.
        public static let notFound = Code(description: "not-found")
        /// Nothing can be taken back, or brought back.
        public static let nothing = Code(description: "nothing")
        /// The change is taken back already, or it counts already.
        public static let alreadyDone = Code(description: "already-done")
        /// A value is missing, or is none that a bag can have.
        public static let invalid = Code(description: "invalid")
    }

    /// The kind of reason.
    public let code: Code
    /// The reason as a sentence.
    public let message: String
    /// What to do about it, where the reason does not say so by itself.
    public let remedy: Remedy?

    init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// The reason as a sentence, with what to do.
    public var description: String { message + (remedy.map { "; \($0)" } ?? "") }
}
