import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("A payload")
struct PayloadTests {
    @Test(
        "that is canonical becomes a bag with its owner",
        arguments: [
            (payload(), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "D/ZMU", 42.0),
            (payload(weight: "0"), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "D/ZMU", 0),
            (payload(weight: "4.2e1"), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "D/ZMU", 42),
            (payload(secondID.lowercased()), secondID, "D/ZMU", 42),
            (payload(owner: ["李", "小龙"]), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "李/小龙", 42),
            (payload(owner: ["É", "MÜL"]), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "É/MÜL", 42),
            (payload(owner: ["👩‍🚀", "ก็อ"]), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "👩‍🚀/ก็อ", 42),
            (payload(owner: ["D", "Z"]), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "D/Z", 42),
            (payload(owner: nil), "F432BDB8-D84F-4461-8362-AFF89F6C493E", nil, 42),
            (
                #"{"weight":1,"id":"9c417e05-3b6a-4d92-a1f7-5e802c19d4b3","flight":["LH",1]}"#,
                secondID, nil, 1
            ),
        ] as [(String, String, String?, Float)]
    )
    func decodes(text: String, id: String, owner: String?, weight: Float) async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let luggage = try TagDecoder().decode(Array(text.utf8), in: context)
            #expect(luggage.identifier.uuidString == id)
            #expect(luggage.owner?.name == owner)
            #expect(luggage.weight == weight)
            try context.save()
        }
    }

    @Test(
        "that is wrong is refused with stage, reason and place, and leaves nothing behind",
        arguments: [
            ("", .structured, "not-json", []),
            ("HELLO TAG", .structured, "not-json", []),
            (String(payload().dropLast()), .structured, "not-json", []),
            (payload() + payload(), .structured, "not-json", []),
            (payload(weight: "NaN"), .structured, "not-json", []),
            ("\u{0}", .structured, "not-json", []),
            (String(repeating: "[", count: 3000), .structured, "not-json", []),
            ("[]", .typed, "type-mismatch", []),
            ("42", .typed, "type-mismatch", []),
            ("null", .typed, "value-missing", []),
            ("{}", .typed, "key-missing", ["id"]),
            (#"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E"}"#, .typed, "key-missing", ["weight"]),
            (payload("F432"), .typed, "not-decodable", ["id"]),
            (payload(weight: "\"heavy\""), .typed, "type-mismatch", ["weight"]),
            (payload(weight: "null"), .typed, "value-missing", ["weight"]),
            (payload(weight: "1e300"), .domain, "out-of-range", ["weight"]),
            (payload(weight: "1e400"), .typed, "not-decodable", []),
            (payload(owner: ["D"]), .typed, "value-missing", ["owner", "item 2"]),
            (payload(owner: []), .typed, "value-missing", ["owner", "item 1"]),
            (payload(owner: ["D", "ZMU", "X"]), .typed, "not-decodable", ["owner", "item 3"]),
            (payload(weight: "-1"), .domain, "out-of-range", ["weight"]),
            (payload(owner: ["DD", "ZMU"]), .domain, "out-of-range", ["owner, given name"]),
            (payload(owner: ["", "ZMU"]), .domain, "out-of-range", ["owner, given name"]),
            (payload(owner: ["D", "ZMUD"]), .domain, "out-of-range", ["owner, family name"]),
            (payload(owner: ["D", "   "]), .domain, "out-of-range", ["owner, family name"]),
            (payload(owner: ["D", "Z\\nU"]), .domain, "out-of-range", ["owner, family name"]),
            (payload(owner: ["\\u0000", "ZMU"]), .domain, "out-of-range", ["owner, given name"]),
            (payload(owner: ["D", "\\u202eZM"]), .domain, "out-of-range", ["owner, family name"]),
            (
                payload(owner: ["D" + String(repeating: "\u{301}", count: 500), "ZMU"]),
                .domain, "out-of-range", ["owner, given name"]
            ),
        ] as [(String, TagError.Stage, String, [String])]
    )
    func refuses(
        text: String,
        stage: TagError.Stage,
        reason: String,
        path: [String]
    ) async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let error = try #require(throws: TagError.self) {
                try TagDecoder().decode(Array(text.utf8), in: context)
            }
            #expect(error.stage == stage)
            #expect(error.reason == reason)
            #expect(error.codingPath == path)
            #expect(!context.hasChanges)
            try context.save()
            #expect(try context.count(FetchRequest(Passenger.self)) == 0)
        }
    }

    @Test("that is not UTF-8 is refused")
    func notText() async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            var bytes = Array(payload(owner: ["M", "MÜL"]).utf8)
            bytes.removeAll { $0 == 0xC3 }
            let error = try #require(throws: TagError.self) {
                try TagDecoder().decode(bytes, in: context)
            }
            #expect(error.outcome == .invalid)
            #expect(!context.hasChanges)
        }
    }

    @Test("says what is wrong in words")
    func words() async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            func message(_ text: String) -> String? {
                do throws(TagError) {
                    _ = try TagDecoder().decode(Array(text.utf8), in: context)
                    return nil
                } catch {
                    return error.message
                }
            }
            #expect(message(payload(weight: "\"heavy\"")) == "weight: expected a number")
            #expect(message(payload(weight: "-1")) == "weight: must be at least 0.0, not -1.0")
            #expect(
                message(payload(owner: ["DD", "ZMUD"], weight: "-1")) == """
                    weight: must be at least 0.0, not -1.0; \
                    owner, given name: must have 1 character, not 2 ("DD"); \
                    owner, family name: must have 1 to 3 characters, not 4 ("ZMUD")
                    """
            )
            #expect(message("{}") == "id: is missing")
        }
    }

    @Test("decoded without a context is an error, not a trap")
    func missingContext() throws {
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(Luggage.self, from: Data(payload().utf8))
        }
    }
}
