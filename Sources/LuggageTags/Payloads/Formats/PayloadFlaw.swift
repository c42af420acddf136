internal import System

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

    /// The text by which Foundation's coders of property lists, which have no null, write one.
    static let nothing = "$null"

    /// Foundation reads that text as nothing, and an object with such a name as well; every other
    /// reader takes it for a text.
    static func textForNothing(at position: Int) -> Self {
        Self("the text \(nothing.quoted) means nothing to some readers; leave it out", at: position)
    }

    static let isUTF16 = Self("it is UTF-16, where UTF-8 is expected")

    static let notUTF8 = Self("it is not UTF-8")
}

extension [UInt8] {
    /// Whether it begins with one of some characters in UTF-16, behind a byte order mark or not.
    func isUTF16(beginningWith characters: String) -> Bool {
        characters.utf8.contains { first in
            let starts: [[UInt8]] = [
                [0xFE, 0xFF, 0, first], [0xFF, 0xFE, first, 0], [0, first], [first, 0],
            ]
            return starts.contains(where: self.starts)
        }
    }
}
