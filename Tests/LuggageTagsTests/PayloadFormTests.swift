import Foundation
import LuggageTags
import Testing

@Suite("The form of")
struct PayloadFormTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private func contents(_ members: String, _ format: Format) throws -> TagContents {
        try TagDecoder().contents(of: format.format.payload(json: "{\(members)}"))
    }

    @Test(
        "an owner does not matter, in any format",
        arguments: [
            (#""owner": ["D", "ZMU"]"#, "D/ZMU"),
            (#""owner": {"givenName": "D", "familyName": "ZMU"}"#, "D/ZMU"),
            (#""owner": {"familyname": "ZMU", "GIVENNAME": "D", "title": 1}"#, "D/ZMU"),
            (#""owner": "ZMU/D""#, "D/ZMU"),
            (#""owner": "小龙/李""#, "李/小龙"),
            (#""owner": {"givenName": "E\u0301", "familyName": "MU\u0308L"}"#, "É/MÜL"),
            (#""owner": "D/Z""#, "Z/D"),
            (#""Owner": "ZMU/D""#, "D/ZMU"),
            (#""owner": "ZMU/D", "OWNER": ["D", "ZMU"]"#, "D/ZMU"),
            (#""flight": ["LH", 1, {"to": {}}]"#, nil),
        ] as [(String, String?)],
        Format.all
    )
    func owner(form: (member: String, owner: String?), format: Format) throws {
        let contents = try contents(#""id": "\#(Self.id)", "weight": 1, \#(form.member)"#, format)
        #expect(contents.owner?.description == form.owner)
    }

    @Test("an owner may be null")
    func nullOwner() throws {
        let bag = #""id": "\#(Self.id)", "weight": 1"#
        for format in Format.all {
            #expect(try contents(#"\#(bag), "owner": null"#, format).owner == nil)
            #expect(try contents(#"\#(bag), "owner": null, "Owner": "Z/D""#, format).owner != nil)
        }
    }

    @Test(
        "a weight does not matter, in any format",
        arguments: [
            ("42", 42), ("42.5", 42.5), ("0", 0), ("-0.0", 0), ("-1e-60", 0), ("19.05", 19.05),
            (#"{"value": 19.05087954, "unit": "kg"}"#, 42),
            (#"{"value": 42, "unit": "lb"}"#, 42),
            (#"{"unit": "LBS", "value": 42, "scale": 3}"#, 42),
            (#"{"Unit": "Kg", "VALUE": 19.05087954}"#, 42),
            (#""19.05087954 kg""#, 42), (#""19.05087954KG""#, 42), (#"" 42  lb ""#, 42),
            (#""42 lbs""#, 42), (#""42.0Lbs""#, 42), (#""4.2e1 lb""#, 42), (#""42\u00a0lb""#, 42),
            (#""42\u202flb""#, 42), (#""0 kg""#, 0), (#""-0 kg""#, 0), (#""19 kg""#, 41.88783),
            (#""042 lb""#, 42),
        ] as [(String, Float)],
        Format.all
    )
    func weight(form: (json: String, pounds: Float), format: Format) throws {
        let contents = try contents(#""id": "\#(Self.id)", "weight": \#(form.json)"#, format)
        #expect(contents.weight == form.pounds)
        #expect(contents.weight.sign == .plus)
    }

    @Test(
        "an identifier may be in any case, and in two spellings that agree",
        arguments: Format.all
    )
    func identifier(format: Format) throws {
        let lower = Self.id.lowercased()
        for members in [
            #""id": "\#(lower)""#, #""ID": "\#(lower)""#,
            #""id": "\#(lower)", "Id": "\#(Self.id)""#,
        ] {
            let contents = try contents(members + #", "weight": 1"#, format)
            #expect(contents.identifier.uuidString == Self.id)
        }
    }

    @Test(
        "an identifier may be its 16 bytes, where a format has bytes",
        arguments: Format.withoutJSON
    )
    func binaryIdentifier(format: Format) throws {
        struct Bag: Encodable {
            let id: Data
            let weight = 42
        }
        let bytes = Data([
            0xF4, 0x32, 0xBD, 0xB8, 0xD8, 0x4F, 0x44, 0x61, 0x83, 0x62, 0xAF, 0xF8, 0x9F, 0x6C,
            0x49,
            0x3E,
        ])
        let payload = try format.format.encode(Bag(id: bytes), userInfo: [:])
        #expect(try TagDecoder().contents(of: payload).identifier.uuidString == Self.id)
        let short = try format.format.encode(Bag(id: bytes.dropLast()), userInfo: [:])
        let error = #expect(throws: TagError.self) { try TagDecoder().contents(of: short) }
        #expect(error?.message == "id: expected 16 bytes, found 15")
    }

    @Test(
        "a number does not matter: whole, or of any precision",
        arguments: [
            (42 as Int8, 42), (1 << 63 as UInt64, 0x1p63), (Int64.min, -0x1p63),
            (1 << 53, 0x1p53), (42.1 as Float, 42.1), (42.1 as Double, 42.1),
            (Double.leastNonzeroMagnitude, 0), (Double.greatestFiniteMagnitude, .infinity),
        ] as [(any Encodable & Sendable, Float)],
        Format.all
    )
    func number(form: (number: any Encodable & Sendable, pounds: Float), format: Format) throws {
        struct Bag: Encodable {
            let weight: any Encodable

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(PayloadFormTests.id, forKey: .id)
                try container.encode(weight, forKey: .weight)
            }

            enum Key: CodingKey { case id, weight }
        }
        let payload = try format.format.encode(Bag(weight: form.number), userInfo: [:])
        #expect(try TagDecoder().contents(of: payload).weight == form.pounds)
    }

    @Test("times is read from records and not from tags", arguments: Format.all)
    func times(format: Format) throws {
        let json = """
            {"id": "\(Self.id)", "weight": 1,
            "departedAt": "2026-07-01T08:00:00.25Z", "arrivedAt": 1782900000.5}
            """
        let payload = try format.format.payload(json: json)
        #expect(try TagDecoder().contents(of: payload).departedAt == nil)
        let record = try TagDecoder(readsDates: true).contents(of: payload)
        #expect(record.departedAt?.timeIntervalSince1970 == 1_782_892_800.25)
        #expect(record.arrivedAt?.timeIntervalSince1970 == 1_782_900_000.5)
    }

    @Test(
        "times is not guessed at",
        arguments: [
            "2026-07-01", "2026-07-01T08:00:00", "2026-07-01T08:00:00+02:00",
            "2026-02-30T08:00:00Z",
            "2026-07-01T24:00:00Z", "2026-07-01T08:00:00.Z", "2026-07-01T08:00:00.5e3Z",
            "yesterday",
            "2026-07-01T08:00:00.١Z", "",
        ]
    )
    func wrongTimes(text: String) throws {
        let json = #"{"id": "\#(Self.id)", "weight": 1, "departedAt": "\#(text)"}"#
        let error = #expect(throws: TagError.self) {
            try TagDecoder(readsDates: true).contents(of: Array(json.utf8))
        }
        #expect(error?.codingPath == ["departedAt"])
        #expect(error?.message.contains("expected a time in UTC") == true)
    }
}
