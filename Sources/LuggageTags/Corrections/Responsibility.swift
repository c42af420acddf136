/// The person who changes the record by hand, with the reason.
public struct Responsibility: Hashable, Sendable {
    /// The name of the person, in composed form.
    public let author: String
    /// The reason; empty if none is required.
    public var reason: String

    /// Names a person.
    public init(author: String, reason: String) {
        self.author = author.composed
        self.reason = reason
    }
}
