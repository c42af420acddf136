import Foundation
import LuggageTags
import Testing

/// A wrong payload, and what is said about it.
struct WrongPayload: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// In JSON; the same is wrong in the other formats.
    let json: String
    let code: TagError.Code
    let path: [String]
    let sentence: String
    /// Whether it can be said in XML, which has no control characters.
    let isInXML: Bool

    init(
        _ testDescription: String,
        _ members: String,
        _ code: TagError.Code,
        _ path: [String],
        _ sentence: String,
        isInXML: Bool = true
    ) {
        self.testDescription = testDescription
        json = "{\(members)}"
        self.code = code
        self.path = path
        self.sentence = sentence
        self.isInXML = isInXML
    }

    private static let id = #""id": "F432BDB8-D84F-4461-8362-AFF89F6C493E""#

    private static func weight(_ json: String) -> String { #"\#(id), "weight": \#(json)"# }

    private static func owner(_ json: String) -> String {
        #"\#(id), "weight": 42, "owner": \#(json)"#
    }

    static let all = [
        Self("nothing", "", .keyMissing, ["id"], "id: missing"),
        Self("no weight", id, .keyMissing, ["weight"], "weight: missing"),
        Self(
            "an identifier that is a number",
            #""id": 5, "weight": 42"#,
            .typeMismatch,
            ["id"],
            "id: expected a text, found the number 5"
        ),
        Self(
            "an identifier of another bag's system",
            #""id": "MUC-0001", "weight": 42"#,
            .notDecodable,
            ["id"],
            "id: expected 32 hexadecimal digits in groups of 8-4-4-4-12, found the text \"MUC-0001\""
        ),
        Self(
            "two identifiers",
            #"\#(id), "ID": "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3", "weight": 1"#,
            .ambiguous,
            ["ID"],
            "ID: contradicts \"id\", which is there too"
        ),
        Self(
            "a weight in words",
            weight(#""heavy""#),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found the text \"heavy\""
        ),
        Self(
            "a weight that is true",
            weight("true"),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found true"
        ),
        Self(
            "a weight that is a list",
            weight("[42]"),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found a list of 1"
        ),
        Self(
            "a weight that is null",
            weight("null"),
            .valueMissing,
            ["weight"],
            "weight: expected a number, found nothing"
        ),
        Self(
            "a text without a unit",
            weight(#""42""#),
            .ambiguous,
            ["weight"],
            "weight: the text \"42\" has no unit; write \"lb\" or \"kg\" after it, or a number "
                + "without quotes for pounds"
        ),
        Self(
            "a comma",
            weight(#""19,05 kg""#),
            .ambiguous,
            ["weight"],
            "weight: the text \"19,05 kg\" has a comma, which may separate thousands or decimals; "
                + "write a point for decimals"
        ),
        Self(
            "an unknown unit",
            weight(#""3 stone""#),
            .notDecodable,
            ["weight"],
            "weight: expected a weight in lb or kg, found the text \"3 stone\""
        ),
        Self(
            "an unknown unit in an object",
            weight(#"{"value": 3, "unit": "stone"}"#),
            .notDecodable,
            ["weight", "unit"],
            "weight, unit: expected the text \"kg\" or \"lb\", found the text \"stone\""
        ),
        Self(
            "a weight without its unit",
            weight(#"{"value": 3}"#),
            .keyMissing,
            ["weight", "unit"],
            "weight, unit: missing"
        ),
        Self(
            "a value that is a text",
            weight(#"{"value": "3", "unit": "kg"}"#),
            .typeMismatch,
            ["weight", "value"],
            "weight, value: expected a number, found the text \"3\""
        ),
        Self(
            "two weights",
            weight(#"42, "Weight": "42 kg""#),
            .ambiguous,
            ["Weight"],
            "Weight: contradicts \"weight\", which is there too"
        ),
        Self(
            "a weight below 0",
            weight(#""-19 kg""#),
            .outOfRange,
            ["weight"],
            "weight: must be at least 0.0, not -41.88783 (from the text \"-19 kg\")"
        ),
        Self(
            "a weight below 0 in an object",
            weight(#"{"value": -2, "unit": "lb"}"#),
            .outOfRange,
            ["weight", "value"],
            "weight: must be at least 0.0, not -2.0"
        ),
        Self(
            "an owner without names",
            owner("[]"),
            .valueMissing,
            ["owner", "0"],
            "owner, item 1: missing"
        ),
        Self(
            "an owner without a family name",
            owner(#"["D"]"#),
            .valueMissing,
            ["owner", "1"],
            "owner, item 2: missing"
        ),
        Self(
            "an owner whose family name is null",
            owner(#"["D", null]"#),
            .valueMissing,
            ["owner", "1"],
            "owner, item 2: expected a text, found nothing"
        ),
        Self(
            "an owner of numbers",
            owner(#"["D", 7]"#),
            .typeMismatch,
            ["owner", "1"],
            "owner, item 2: expected a text, found the number 7"
        ),
        Self(
            "an owner with a title",
            owner(#"["D", "ZMU", "Dr"]"#),
            .notDecodable,
            ["owner", "2"],
            "owner, item 3: expected two names, given and family, and found more"
        ),
        Self(
            "an owner that is a number",
            owner("7"),
            .typeMismatch,
            ["owner"],
            "owner: expected a list of given and family name, found the number 7"
        ),
        Self(
            "an owner without a slash",
            owner(#""ZMU D""#),
            .notDecodable,
            ["owner"],
            "owner: the text \"ZMU D\" has no slash; write the family name first, like \"ZMU/D\""
        ),
        Self(
            "an owner with two slashes",
            owner(#""ZMU/D/MR""#),
            .ambiguous,
            ["owner"],
            "owner: the text \"ZMU/D/MR\" has more than one slash; write the family name first, like "
                + "\"ZMU/D\""
        ),
        Self(
            "an owner with half a name",
            owner(#"{"familyName": "ZMU"}"#),
            .keyMissing,
            ["owner", "givenName"],
            "owner, givenName: missing"
        ),
        Self(
            "an owner with the given name first",
            owner(#""D/ZMU""#),
            .outOfRange,
            ["owner"],
            "owner, given name: must have 1 character, not 3 (\"ZMU\") (from the text \"D/ZMU\")"
        ),
        Self(
            "an owner with a whole name",
            owner(#"{"givenName": "D", "familyName": "ZMUDA"}"#),
            .outOfRange,
            ["owner", "familyName"],
            "owner, family name: must have 1 to 3 characters, not 5 (\"ZMUDA\")"
        ),
        Self(
            "a text that steers a terminal",
            weight(#""\u001b[31m7 \u202e\u0007""#),
            .notDecodable,
            ["weight"],
            #"weight: expected a weight like "42 lb" or "19.05 kg", found the text "#
                + #""\u{1b}[31m7 \u{202e}\u{7}""#,
            isInXML: false
        ),
        Self(
            "a text of any length",
            weight("\"" + String(repeating: "heavy ", count: 100) + "\""),
            .typeMismatch,
            ["weight"],
            "weight: expected a number, found the text "
                + "\"heavy heavy heavy heavy heavy heavy heav…\""
        ),
    ]
}

@Suite("Of a wrong payload")
struct WrongPayloadTests {
    @Test("a person is told what is wrong, where and how", arguments: WrongPayload.all, Format.all)
    func sentence(wrong: WrongPayload, format: Format) async throws {
        if format.format is XMLPropertyListFormat && !wrong.isInXML { return }
        let error = try #require(await refusal(format.format.payload(json: wrong.json)))
        #expect(error.message == wrong.sentence)
        #expect(error.code == wrong.code)
        #expect(error.codingPath == wrong.path)
        #expect(error.stage == (wrong.code == .outOfRange ? .domain : .typed))
        #expect(error.outcome == .invalid)
    }

    @Test("a person is told in a bearable number of words")
    func length() async throws {
        let name = String(repeating: "e" + String(repeating: "\u{301}", count: 2000), count: 9)
        for names in [["D", name], [name, "ZMU"]] {
            let error = try #require(await refusal(Array(payload(owner: names).utf8)))
            #expect(error.message.utf8.count < 1100)
            #expect(error.found?.utf8.count ?? 0 < 200)
        }
    }

    @Test("a report has the same as the library's caller, in parts")
    func report() async throws {
        let payload = #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":"heavy"}"#
        try await TestStore.memory.withRecord { container in
            let reports = try ScanRecorder(container: container).record(.of(payload))
            let problem = try #require(reports.first?.error)
            let error = try #require(await refusal(Array(payload.utf8)))
            #expect(problem == Problem(error))
            let json = try JSONEncoder.forReports().encode(problem)
            #expect(
                String(decoding: json, as: UTF8.self) == #"""
                    {"expected":"a number","found":"the text \"heavy\"",\#
                    "message":"weight: expected a number, found the text \"heavy\"",\#
                    "path":["weight"],"reason":"type-mismatch","stage":"typed"}
                    """#
            )
        }
    }
}
