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
            // Joiners and selectors that shape what is seen: Sinhala, Persian, a variant of an
            // ideograph, emoji with a colour of skin, the flag of Scotland.
            (
                payload(secondID, owner: ["ක්\u{200D}", "می\u{200C}خ"]), secondID,
                "ක්\u{200D}/می\u{200C}خ", 42
            ),
            (
                payload(secondID, owner: ["葛\u{E0100}", "👩🏽\u{200D}🚀❤\u{FE0F}"]), secondID,
                "葛\u{E0100}/👩🏽\u{200D}🚀❤\u{FE0F}", 42
            ),
            (
                payload(
                    secondID,
                    owner: [
                        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
                        "👁\u{FE0F}\u{200D}🗨\u{FE0F}",
                    ]
                ),
                secondID,
                "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}/👁\u{FE0F}\u{200D}🗨\u{FE0F}",
                42
            ),
            // These ideographs are canonically equivalent to others: the scan keeps what is printed.
            (
                payload(owner: ["\u{FA19}", "\u{FA1B}"]), "F432BDB8-D84F-4461-8362-AFF89F6C493E",
                "\u{795E}/\u{798F}", 42
            ),
            (payload(weight: "-0.0"), "F432BDB8-D84F-4461-8362-AFF89F6C493E", "D/ZMU", 0),
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
            #expect(
                luggage.owner.map { Array($0.name.description.utf8) }
                    == owner.map { Array($0.utf8) }
            )
            #expect(luggage.weight == weight)
            #expect(luggage.weight?.sign == .plus)
            try context.save()
        }
    }

    @Test(
        "that is wrong is refused with stage, reason and place, and leaves nothing behind",
        arguments: [
            ("", .structured, .notJSON, []),
            ("HELLO TAG", .structured, .notJSON, []),
            (String(payload().dropLast()), .structured, .notJSON, []),
            (payload() + payload(), .structured, .notJSON, []),
            (payload(weight: "NaN"), .structured, .notJSON, []),
            ("\u{0}", .structured, .notJSON, []),
            (String(repeating: "[", count: 3000), .structured, .notJSON, []),
            ("[]", .typed, .typeMismatch, []),
            ("42", .typed, .typeMismatch, []),
            ("null", .typed, .valueMissing, []),
            ("{}", .typed, .keyMissing, ["id"]),
            (#"{"weight":42}"#, .typed, .keyMissing, ["id"]),
            (payload(weight: "42,"), .structured, .notJSON, []),
            (payload(weight: "042"), .structured, .notJSON, []),
            (payload(weight: "0x2A"), .structured, .notJSON, []),
            (payload(weight: "42, \"weight\": 43"), .structured, .notJSON, []),
            (payload(weight: "42, \"\\u0069d\": \"\""), .structured, .notJSON, []),
            (payload(owner: ["\\ud800", "ZMU"]), .structured, .notJSON, []),
            ("\u{FEFF}" + payload(), .structured, .notJSON, []),
            (payload("0x32BDB8-D84F-4461-8362-AFF89F6C493E"), .typed, .notDecodable, ["id"]),
            (payload("+432BDB8-D84F-4461-8362-AFF89F6C493E"), .typed, .notDecodable, ["id"]),
            (payload(" 432BDB8-D84F-4461-8362-AFF89F6C493E"), .typed, .notDecodable, ["id"]),
            (
                payload("F432BDB8-D84F-4461-8362-AFF89F6C493E\\u0000x"), .typed, .notDecodable,
                ["id"]
            ),
            (payload("F432"), .typed, .notDecodable, ["id"]),
            (payload(weight: "\"heavy\""), .typed, .typeMismatch, ["weight"]),
            (payload(weight: "{}"), .typed, .keyMissing, ["weight", "unit"]),
            (payload(weight: "1e300"), .domain, .outOfRange, ["weight"]),
            (payload(weight: "1e400"), .typed, .notDecodable, ["weight"]),
            (payload(owner: ["D"]), .typed, .valueMissing, ["owner", "1"]),
            (payload(owner: []), .typed, .valueMissing, ["owner", "0"]),
            (payload(owner: ["D", "ZMU", "X"]), .typed, .notDecodable, ["owner", "2"]),
            (payload(weight: "-1"), .domain, .outOfRange, ["weight"]),
            (payload(owner: ["DD", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D", "ZMUD"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "   "]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["\u{200B}", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D", "Z\\nU"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["\\u0000", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D", "\\u202eZM"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D\u{200D}", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D\u{200C}", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D\u{FE0F}", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D", "Z\u{200B}M"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "Z\u{AD}M"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "ZM\u{200E}"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "\u{200F}ZM"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "Z\u{2060}M"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "Z\u{2066}M"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "Z\u{FEFF}M"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "Z\u{34F}M"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["\u{3164}", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D", "Z\u{E0041}"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["🚀\u{200D}", "ZMU"]), .domain, .outOfRange, ["owner", "0"]),
            (payload(owner: ["D", "🚀\u{200D}1"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "مي\u{200C}"]), .domain, .outOfRange, ["owner", "1"]),
            (payload(owner: ["D", "Z\u{FFF9}M"]), .domain, .outOfRange, ["owner", "1"]),
            (
                payload(owner: ["D" + String(repeating: "\u{301}", count: 500), "ZMU"]),
                .domain, .outOfRange, ["owner", "0"]
            ),
        ] as [(String, TagError.Stage, TagError.Code, [String])]
    )
    func refuses(
        text: String,
        stage: TagError.Stage,
        code: TagError.Code,
        path: [String]
    ) async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let error = try #require(throws: TagError.self) {
                try TagDecoder().decode(Array(text.utf8), in: context)
            }
            #expect(error.stage == stage)
            #expect(error.code == code)
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
            #expect(
                message(payload(weight: "\"heavy\"")) == """
                    weight: expected a number, found the text "heavy"
                    """
            )
            #expect(message(payload(weight: "-1")) == "weight: must be at least 0.0, not -1.0")
            #expect(
                message(payload(owner: ["DD", "ZMUD"], weight: "-1")) == """
                    weight: must be at least 0.0, not -1.0; \
                    owner, given name: must have 1 character, not 2 ("DD"); \
                    owner, family name: must have 1 to 3 characters, not 4 ("ZMUD")
                    """
            )
            #expect(message("{}") == "id: missing")
            #expect(message(payload(weight: "1e400")) == "weight: the value cannot be represented")
            let nested = payload(weight: #"{"value": 1e400, "unit": "kg"}"#)
            #expect(message(nested) == "weight, value: the value cannot be represented")
            let comma = "the payload is not JSON: at byte 11, a name in quotes is expected"
            #expect(message(#"{"id": 1, }"#) == comma)
            #expect(message(payload(owner: ["D"])) == "owner, item 2: missing")
        }
    }

    @Test("is not said to have nothing where it has what nothing can be made of")
    func unreadableValue() async throws {
        let error = try #require(await refusal(Array(payload(weight: "1e400").utf8)))
        #expect(error.codingPath == ["weight"])
        #expect(error.found == nil)
    }

    @Test("decoded without a context is an error, not a trap")
    func missingContext() throws {
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(Luggage.self, from: Data(payload().utf8))
        }
    }
}
