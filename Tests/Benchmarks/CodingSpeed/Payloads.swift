internal import Foundation
internal import SeededRandom

/// What a luggage tag says.
struct Tag: Codable, Equatable {
    var id: UUID
    var owner: [String]
    var weight: Float
    var departedAt: Date?
    var arrivedAt: Date?
}

/// A document of objects in arrays in objects.
struct Document: Codable, Equatable {
    struct Section: Codable, Equatable {
        var title: String
        var paragraphs: [Paragraph]
        var properties: [String: Int]
        var sections: [Section]
    }

    struct Paragraph: Codable, Equatable {
        var text: String
        var offset: Int
        var isVisible: Bool
        var position: Position
        var marks: [Int]
    }

    struct Position: Codable, Equatable {
        var x: Double
        var y: Double
    }

    var title: String
    var version: Int
    var sections: [Section]
}

/// Payloads that are the same in every run.
struct Payloads {
    private var random = SeededGenerator(seed: 20_240_501)

    mutating func tags(_ count: Int) -> [Tag] {
        (0..<count).map { index in
            Tag(
                id: identifier(),
                owner: [text(1), text(3)],
                weight: Float(random.number(below: 1000)) / 10,
                departedAt: index % 2 == 0 ? date() : nil,
                arrivedAt: index % 4 == 0 ? date() : nil
            )
        }
    }

    mutating func document() -> Document {
        Document(
            title: text(20),
            version: 3,
            sections: (0..<20).map { _ in section(depth: 3) }
        )
    }

    private mutating func section(depth: Int) -> Document.Section {
        Document.Section(
            title: text(12),
            paragraphs: (0..<8).map { _ in paragraph() },
            properties: Dictionary(
                uniqueKeysWithValues: (0..<6).map { ("property\($0)", random.number(below: 5000)) }
            ),
            sections: depth == 0 ? [] : (0..<3).map { _ in section(depth: depth - 1) }
        )
    }

    private mutating func paragraph() -> Document.Paragraph {
        Document.Paragraph(
            text: text(20 + random.number(below: 60)),
            offset: random.number(below: 1_000_000),
            isVisible: random.number(below: 2) == 0,
            position: Document.Position(x: random.unit() * 600, y: random.unit() * 800),
            marks: (0..<random.number(below: 6)).map { _ in random.number(below: 300) }
        )
    }

    private mutating func identifier() -> UUID {
        let (high, low) = (random.next(), random.next())
        let bytes =
            (0..<8).map { UInt8(truncatingIfNeeded: high >> (8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (8 * $0)) }
        let hexadecimal = bytes.map { String(format: "%02X", $0) }.joined()
        var text = hexadecimal
        for place in [20, 16, 12, 8] {
            text.insert("-", at: text.index(text.startIndex, offsetBy: place))
        }
        return UUID(uuidString: text) ?? UUID()
    }

    private mutating func text(_ length: Int) -> String {
        String(
            (0..<length).map { _ in Character(Unicode.Scalar(UInt8(65 + random.number(below: 26))))
            }
        )
    }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: 1_700_000_000 + Double(random.number(below: 10_000_000)))
    }
}
