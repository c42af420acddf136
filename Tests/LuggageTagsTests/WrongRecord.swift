import LuggageTags

extension WrongFile {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private static func scan(_ members: String) -> String {
        #"{"record":"scan","station":"MUC","point":"origin","#
            + #""scannedAt":"2026-07-01T08:00:00Z",\#(members)}"#
    }

    /// A scan that gave no code.
    private static func failed(station: String) -> String {
        scan(#""outcome":"no-code","reason":"no-code""#).replacing("MUC", with: station)
    }

    /// A scan of a payload that describes the bag.
    private static func filed(_ members: String, payload: String = payload()) -> String {
        let text = payload.replacing("\"", with: "\\\"")
        return scan(#""outcome":"new","imageDigest":"a","payload":"\#(text)"\#(members)"#)
    }

    /// What is wrong with one record of a file.
    static let records = [
        WrongFile("no object", "[42]", "type-mismatch", "expected an object", record: 1),
        WrongFile(
            "a weight in words",
            "[\(payload()),\n\(payload(secondID, weight: "\"heavy\""))]",
            "type-mismatch",
            "weight: expected a number, found the text \"heavy\"",
            line: 2,
            record: 2
        ),
        WrongFile(
            "a weight without its number",
            "{\"id\":\"\(id)\",\"weight\":{\"unit\":\"kg\"}}",
            "key-missing",
            "weight, value: missing",
            record: 1
        ),
        WrongFile(
            "a weight below 0",
            payload(weight: "-1"),
            "out-of-range",
            "weight: must be at least 0"
        ),
        WrongFile(
            "a weight beyond all bounds",
            payload(weight: "1e400"),
            "not-decodable",
            "weight"
        ),
        WrongFile(
            "a member twice",
            #"{"id":"\#(id)","weight":1,"weight":2}"#,
            "not-json",
            "two members have the same name"
        ),
        WrongFile(
            "a name that is too long",
            payload(owner: ["DD", "ZMU"]),
            "out-of-range",
            "given name"
        ),
        WrongFile(
            "a time to come",
            #"{"id":"\#(id)","weight":1,"departedAt":"9999-01-01T00:00:00Z"}"#,
            "out-of-range",
            "departedAt: 9999-01-01T00:00:00Z is in the future"
        ),
        WrongFile(
            "a time that no calendar has",
            #"{"id":"\#(id)","weight":1,"departedAt":-1e300}"#,
            "out-of-range",
            "departedAt: expected a time in the years 1 to 9999, found the number -1e+300"
        ),
        WrongFile(
            "a time in MessagePack that no calendar has",
            bytes: [0x83, 0xA2, 0x69, 0x64, 0xD9, 36] + id.utf8
                + [0xA6] + "weight".utf8 + [1, 0xAA] + "departedAt".utf8 + [
                    0xC7, 12, 0xFF, 0, 0, 0, 0, 0x7F,
                ]
                + [UInt8](repeating: 0xFF, count: 7),
            "out-of-range",
            "departedAt: expected a time in the years 1 to 9999, found one that is 9.22"
        ),
        WrongFile(
            "a time in a scan that no calendar has",
            #"{"record":"scan","station":"MUC","point":"origin","scannedAt":1e300,"outcome":"new"}"#,
            "out-of-range",
            "scannedAt: expected a time in the years 1 to 9999"
        ),
        WrongFile(
            "a day that does not exist",
            #"{"id":"\#(id)","weight":1,"arrivedAt":"2026-02-30T00:00:00Z"}"#,
            "not-decodable",
            "arrivedAt: expected a time in UTC"
        ),
        WrongFile("an unknown kind", #"{"record":"crate"}"#, "not-decodable", "\"passenger\""),
        WrongFile(
            "a kind in the list of another",
            #"{"bags":[{"record":"scan"}]}"#,
            "ambiguous",
            "in the list of bags"
        ),
        WrongFile(
            "nesting beyond all bounds",
            #"{"id":\#(String(repeating: "[", count: 999))\#(String(repeating: "]", count: 999))}"#,
            "not-json",
            "nested too deeply"
        ),
        WrongFile(
            "half a line",
            payload() + "\n{\"id\":",
            "not-json",
            "ends early",
            line: 2,
            record: 2
        ),
        WrongFile("a scan without a point", #"{"record":"scan"}"#, "key-missing", "point: missing"),
        WrongFile(
            "a point that is no word",
            scan(#""outcome":"new""#).replacing("origin", with: "../Gate"),
            "not-decodable",
            "point: expected a word of 1 to 32 small letters, digits and hyphens"
        ),
        WrongFile(
            "a point that is too long",
            scan(#""outcome":"new""#).replacing("origin", with: String(repeating: "a", count: 33)),
            "not-decodable",
            "point: expected a word"
        ),
        WrongFile(
            "a point that is no text",
            scan(#""outcome":"new""#).replacing("\"origin\"", with: "4"),
            "type-mismatch",
            "point: expected a word"
        ),
        WrongFile(
            "a role that is none",
            scan(#""outcome":"new","role":"lost""#).replacing("origin", with: "gate"),
            "not-decodable",
            "role: expected \"departing\", \"under-way\" or \"arriving\""
        ),
        WrongFile(
            "an unknown outcome",
            scan(#""outcome":"lost""#),
            "not-decodable",
            "outcome: expected \"new\", \"updated\""
        ),
        WrongFile(
            "a failure without a reason",
            scan(#""outcome":"no-code""#),
            "key-missing",
            "reason: missing"
        ),
        WrongFile(
            "a failure with a bag",
            scan(#""outcome":"no-code","reason":"no-code","bag":"\#(id)""#),
            "ambiguous",
            "has no bag"
        ),
        WrongFile(
            "a success with a reason",
            filed(#","reason":"late""#),
            "ambiguous",
            "has no reason"
        ),
        WrongFile(
            "another bag than the payload's",
            filed(#","bag":"\#(secondID)""#),
            "conflict",
            "not the bag of the payload, \(id)"
        ),
        WrongFile(
            "a payload that breaks rules",
            filed("", payload: payload(weight: "-1")),
            "out-of-range",
            "payload: weight: must be at least 0"
        ),
        WrongFile(
            "a bag that nobody describes",
            filed(#","bag":"\#(id)""#, payload: "later"),
            "key-missing",
            "neither on record nor in the file before this scan"
        ),
        WrongFile(
            "a station with a zero byte",
            #"{"record":"scan","station":"a\u0000","point":"origin"}"#,
            "out-of-range",
            "zero byte"
        ),
        WrongFile(
            "a station without a name",
            failed(station: ""),
            "out-of-range",
            "station: expected a name of 1 to 64 characters on one line, found \"\"",
            record: 1
        ),
        WrongFile(
            "a station with too long a name",
            failed(station: String(repeating: "M", count: 65)),
            "out-of-range",
            "station: expected a name of 1 to 64 characters"
        ),
        WrongFile(
            "a station with a line break",
            failed(station: "MUC\\n2"),
            "out-of-range",
            "found \"MUC\\n2\""
        ),
        WrongFile(
            "a station with a hidden character",
            failed(station: "MUC\\u202E2"),
            "out-of-range",
            "found \"MUC\\u{202e}2\""
        ),
        WrongFile(
            "a payload that no tag can hold",
            scan(
                #""outcome":"invalid","reason":"not-structured","payload":""#
                    + String(repeating: "a", count: 65_537) + "\""
            ),
            "out-of-range",
            "payload: has 65537 bytes, and a record holds at most 65536"
        ),
        WrongFile(
            "a payload in base64 that no tag can hold",
            scan(
                #""outcome":"invalid","reason":"not-structured","base64":""#
                    + String(repeating: "AAAA", count: 21_846) + "\""
            ),
            "out-of-range",
            "base64: has 65538 bytes"
        ),
        WrongFile(
            "a property list of something else",
            "<plist><dict><key>CFBundleName</key><string>luggage</string></dict></plist>",
            "key-missing",
            "id: missing",
            record: 1
        ),
        WrongFile(
            "hexadecimal digits in CSV",
            "id,weight\r\n\(id),0x2A\r\n",
            "not-decodable",
            "weight: expected a weight in lb or kg, found the text \"0x2A\""
        ),
        WrongFile(
            "hexadecimal digits in a property list",
            "<plist><array><dict><key>id</key><string>\(id)</string><key>weight</key>"
                + "<integer>0x2A</integer></dict></array></plist>",
            "not-property-list",
            "<integer> must be a whole number in decimal digits, like 42, not \"0x2A\""
        ),
        WrongFile(
            "a CSV line that is too short",
            "id,weight\r\n\(id)\r\n",
            "malformed",
            "the line has 1 fields, and the header has 2",
            line: 2,
            record: 1
        ),
        WrongFile(
            "a CSV line that was cut off",
            "id,weight,version\r\n\(id),42,\r\n\(secondID),4",
            "malformed",
            "has 2 fields",
            line: 3,
            record: 2
        ),
        WrongFile(
            "a later version in CSV",
            "id,weight,version\r\n\(id),42,3\r\n",
            "malformed",
            "this program reads versions 1 to 2"
        ),
        WrongFile(
            "CSV that is not UTF-8",
            bytes: Array("id,weight,givenName\n\(id),1,".utf8) + [0xC9],
            "malformed",
            "not UTF-8"
        ),
        WrongFile(
            "text behind a quotation",
            "id,weight\r\n\"\(id)\"x,1\r\n",
            "malformed",
            "behind a field in quotes"
        ),
        WrongFile(
            "a quotation mark within",
            "id,weight\r\n\(id),4\"2\r\n",
            "malformed",
            "not in quotes"
        ),
        WrongFile(
            "kilograms in words in CSV",
            "id,weight\n\(id),\"19,05 kg\"\n",
            "ambiguous",
            "comma"
        ),
    ]
}
