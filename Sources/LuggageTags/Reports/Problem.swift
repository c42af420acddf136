/// What was wrong with a tag or a picture, as reports give it.
public struct Problem: Sendable, Codable, Hashable {
    /// How far the way from picture to record was gone.
    public var stage: TagError.Stage
    /// The stable code of the reason.
    public var reason: String
    /// Where in the payload, from the outside in; left out for the payload as a whole.
    public var path: [String]?
    /// What is wrong, for a person.
    public var message: String
    /// What should be there; left out where that is not one thing.
    public var expected: String?
    /// What is there instead; left out where nothing is, or where it does not matter.
    public var found: String?

    /// Takes down what was wrong.
    public init(_ error: TagError) {
        stage = error.stage
        reason = error.code.description
        path = error.codingPath.isEmpty ? nil : error.codingPath
        message = error.message
        expected = error.expected
        found = error.found
    }
}
