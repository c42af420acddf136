/// Why a payload is not of the format that it looks like, and where.
public struct PayloadFlaw: Error, Hashable, Sendable {
    /// What is wrong, as a clause: `a colon is expected`.
    public var reason: String
    /// The number of bytes before it; nil where it concerns the payload as a whole.
    public var position: Int?

    /// Describes a flaw.
    ///
    /// - Parameters:
    ///   - reason: What is wrong, as a clause: `a colon is expected`.
    ///   - position: The number of bytes before it; nil where it concerns the payload as a whole.
    public init(_ reason: String, at position: Int? = nil) {
        self.reason = reason
        self.position = position
    }

    /// How deeply a payload may be nested: more than any tag needs, and recursion must not follow
    /// what somebody has printed.
    static let mostDepth = 32

    static func tooDeep(at position: Int? = nil) -> Self {
        Self("it is nested too deeply", at: position)
    }

    static let notUTF8 = Self("it is not UTF-8")
}
