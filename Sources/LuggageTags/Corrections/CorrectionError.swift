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
        /// Later changes depend on it.
        public static let conflict = Code(description: "conflict")
        /// A value is missing, or is none that a bag can have.
        public static let invalid = Code(description: "invalid")
    }

    /// The kind of reason.
    public let code: Code
    /// The reason as a sentence, with what to do.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The reason as a sentence.
    public var description: String { message }
}
