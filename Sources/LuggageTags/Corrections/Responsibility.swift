/// Who changes the record by hand, and why.
public struct Responsibility: Hashable, Sendable {
    /// Who, in the composed form of the name.
    public let author: String
    /// Why; empty where nobody has to say so.
    public var reason: String

    /// Names somebody.
    public init(author: String, reason: String) {
        self.author = author.composed
        self.reason = reason
    }
}
