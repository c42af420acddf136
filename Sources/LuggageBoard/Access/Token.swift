package import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// A secret that lets its holder use the board.
package struct Token: Sendable {
    /// The secret itself, which stands in the link and nowhere else.
    package let text: String

    /// Makes a token of 256 bits from the system's source of chance.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        text = Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Takes a text that somebody presents; nil if no token can be so.
    package init?(_ text: String) {
        let isWord = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x2D || $0 == 0x5F
        }
        guard text.utf8.count == 43, isWord else { return nil }
        self.text = text
    }

    /// What is kept of it.
    package var digest: String { Self.digest(of: "token \(text)") }

    /// What the forms for its holder have in them.
    var seal: String { Self.digest(of: "form \(text)") }

    private static func digest(of text: String) -> String {
        var digest = SHA256()
        digest.update(Array(text.utf8))
        return digest.finalize().hexadecimal
    }
}

/// What is kept of a token: everything but the secret.
package struct TokenEntry: Codable, Hashable, Sendable {
    /// The name of its holder.
    package var name: String
    /// What it allows.
    package var role: Role
    /// Its SHA-256, in hexadecimal.
    package var digest: String
    /// When it was made.
    package var madeAt: Date

    /// Describes a token.
    package init(name: String, role: Role, token: Token, madeAt: Date) {
        (self.name, self.role, digest) = (name, role, token.digest)
        // The file has whole seconds.
        self.madeAt = Date(timeIntervalSince1970: madeAt.timeIntervalSince1970.rounded(.down))
    }
}

/// The tokens that count.
package struct TokenList: Codable, Sendable {
    /// The tokens, in the order in which they were made.
    package var tokens: [TokenEntry] = []

    /// Makes an empty list.
    package init() {}

    /// Reads the content of a file.
    ///
    /// - Throws: `DecodingError`.
    package init(_ bytes: Data) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        self = try decoder.decode(Self.self, from: bytes)
    }

    /// The content of a file.
    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try Array(encoder.encode(self)) + [0x0A]
        }
    }

    /// The holder of a token; nil if it does not count.
    func visitor(_ token: Token) -> Visitor? {
        // What is compared is a digest: the time that it takes tells nothing about the token.
        let digest = token.digest
        return tokens.first { $0.digest == digest }.map {
            Visitor(name: $0.name, role: $0.role, seal: token.seal)
        }
    }
}
