/// What somebody may do at the board; each role may also do what those before it may.
package enum Role: String, CaseIterable, Codable, Comparable, Sendable {
    /// May look at everything.
    case see
    /// May hand in pictures, and type tags that no reader could read.
    case file
    /// May correct owners and weights, and take changes back.
    case correct

    /// Whether the first role may do less.
    package static func < (first: Self, second: Self) -> Bool {
        allCases.firstIndex(of: first) ?? 0 < allCases.firstIndex(of: second) ?? 0
    }
}

/// Somebody whose token is known.
package struct Visitor: Hashable, Sendable {
    /// The name that the token was given, which is the author of what its holder changes.
    package var name: String
    /// What the token allows.
    package var role: Role
    /// What the board's own forms have in them for this visitor, and no other page can know.
    package var seal: String
}
