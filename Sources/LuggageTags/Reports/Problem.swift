/// An error in a tag or a picture, as reports show it.
public struct Problem: Sendable, Codable, Hashable {
    /// The stage, from picture to record, at which the error occurred.
    public var stage: TagError.Stage
    /// The stable error code.
    public var reason: String
    /// The place in the payload, from the outside in; left out for the payload as a whole.
    public var path: [String]?
    /// The error as a text for a person.
    public var message: String
    /// The value that should be there; left out if there is not just one.
    public var expected: String?
    /// The value that is there instead; left out if there is none or it does not matter.
    public var found: String?

    /// Makes the report about an error.
    public init(_ error: TagError) {
        stage = error.stage
        reason = error.code.description
        path = error.codingPath.isEmpty ? nil : error.codingPath
        message = error.message
        expected = error.expected
        found = error.found
    }
}
