internal import SystemSupport

/// The reason why a payload is malformed, and the place.
public struct PayloadFlaw: Error, Hashable, Sendable {
    /// The reason as a clause: `a colon is expected`.
    public var reason: String
    /// The byte offset of the flaw; nil if it concerns the payload as a whole.
    public var position: Int?

    /// Describes a flaw.
    ///
    /// - Parameters:
    ///   - reason: The reason as a clause: `a colon is expected`.
    ///   - position: The byte offset of the flaw; nil if it concerns the payload as a whole.
    public init(_ reason: String, at position: Int? = nil) {
        self.reason = reason
        self.position = position
    }

    /// The greatest depth of nesting: more than any tag needs, because it limits recursion.
    static let mostDepth = 32

    static func tooDeep(at position: Int? = nil) -> Self {
        Self("it is nested too deeply", at: position)
    }

    /// The text that Foundation's coders of property lists write for null, which these lists do not have.
    static let nothing = "$null"

    /// Describes this text, which Foundation reads as nothing, also as a name, and other readers as a text.
    static func textForNothing(at position: Int) -> Self {
        Self("the text \(nothing.quoted) means nothing to some readers; leave it out", at: position)
    }

    static let isUTF16 = Self("it is UTF-16, where UTF-8 is expected")

    static let notUTF8 = Self("it is not UTF-8")
}

extension [UInt8] {
    /// Whether it begins with one of some characters in UTF-16, with or without a byte order mark.
    func isUTF16(beginningWith characters: String) -> Bool {
        // One of its first two bytes is then 0, or they are a mark.
        guard count > 1, self[0] == 0 || self[1] == 0 || self[0] >= 0xFE else { return false }
        return characters.utf8.contains { first in
            let starts: [[UInt8]] = [
                [0xFE, 0xFF, 0, first], [0xFF, 0xFE, first, 0], [0, first], [first, 0],
            ]
            return starts.contains(where: self.starts)
        }
    }
}
