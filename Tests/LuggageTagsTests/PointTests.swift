import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("A point")
struct PointTests {
    @Test(
        "that is built in has its role, whatever anybody says",
        arguments: [
            (.origin, .departing), (.load, .underWay), (.transfer, .underWay), (.unload, .underWay),
            (.destination, .arriving), (.delivery, .arriving),
        ] as [(Point, Point.Role)]
    )
    func builtIn(point: Point, role: Point.Role) {
        #expect(Point.builtIn.contains(point))
        #expect(point.builtInRole == role)
        for told in [nil] + Point.Role.allCases { #expect(point.role(told: told) == role) }
    }

    @Test("that is not built in has the role that it was given, and is one under way without it")
    func others() throws {
        let kerb = try #require(Point(rawValue: "kerb"))
        #expect(kerb.builtInRole == nil && !Point.builtIn.contains(kerb))
        for role in Point.Role.allCases { #expect(kerb.role(told: role) == role) }
        #expect(kerb.role(told: nil) == .underWay)
    }

    @Test(
        "is a word of small letters, digits and hyphens",
        arguments: ["a", "x-ray", "gate-4", "a--", "pier3"]
    )
    func words(word: String) throws {
        let point = try #require(Point(rawValue: word))
        #expect(point.rawValue == word && "\(point)" == word)
        let json = try JSONEncoder().encode([point])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(word)\"]")
        #expect(try JSONDecoder().decode([Point].self, from: json) == [point])
        #expect(Point(attributeValue: point.attributeValue) == point)
        #expect(Point(rawValue: String(repeating: "a", count: 32)) != nil)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", " ", "Origin", "ORIGIN", "4-gate", "-gate", "gate 4", "gate_4", ".", "..", "a/b",
            "../a",
            "a.b", "gäte", "a\u{301}", "a\n", "\na", "a\0", "\u{FEFF}a", "ａ", "ß",
            String(repeating: "a", count: 33), String(repeating: "a", count: 100_000),
        ]
    )
    func noWords(word: String) throws {
        #expect(Point(rawValue: word) == nil)
        let json = try JSONEncoder().encode([word])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Point].self, from: json) }
        // A store in which somebody else has written can be read all the same.
        #expect(Point(attributeValue: .text(word)) == .absent)
    }
}
