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
            (#""owner": {"givenName": "E\u0301", "familyName": "MU\u0308L"}"#, "\u{C9}/M\u{DC}L"),
            (#""owner": ["E\u0301", "MU\u0308L"]"#, "\u{C9}/M\u{DC}L"),
            (#""owner": "\uF9E1/E\u0301""#, "\u{C9}/\u{674E}"),
            (#""owner": ["\uAC00\u11A8", "\u1100\u1161"]"#, "\u{AC01}/\u{AC00}"),
            (#""owner": "D/Z""#, "Z/D"),
            (#""Owner": "ZMU/D""#, "D/ZMU"),
            (#""owner": "ZMU/D", "OWNER": ["D", "ZMU"]"#, "D/ZMU"),
            (#""flight": ["LH", 1, {"to": {}}]"#, nil),
        ] as [(String, String?)],
        Format.all
    )
    func owner(form: (member: String, owner: String?), format: Format) throws {
        let contents = try contents(#""id": "\#(Self.id)", "weight": 1, \#(form.member)"#, format)
        // Byte for byte: in Swift, all spellings of a name are equal.
        #expect(
            contents.owner.map { Array($0.description.utf8) } == form.owner.map { Array($0.utf8) }
        )
    }

    @Test("an owner may be null")
    func nullOwner() throws {
        let bag = #""id": "\#(Self.id)", "weight": 1"#
        // Property lists have none.
        for format in Format.all where !(format.format is PropertyListFormat) {
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
            (#""042 lb""#, 42), (#""0.500 kg""#, 1.1023113), (#""1250.125 lb""#, 1250.125),
            (#""1.0000 kg""#, 2.2046225), (#""1.00 kg""#, 2.2046225), (#""1.125e1 lb""#, 11.25),
            (#""00.125 lb""#, 0.125), (#"{"value": 1.125, "unit": "lb"}"#, 1.125),
        ] as [(String, Float)],
        Format.all
    )
    func weight(form: (json: String, pounds: Float), format: Format) throws {
        let contents = try contents(#""id": "\#(Self.id)", "weight": \#(form.json)"#, format)
        #expect(contents.weight == form.pounds)
        #expect(contents.weight?.sign == .plus)
    }

    @Test("a weight may be left out, or null", arguments: Format.all)
    func noWeight(format: Format) throws {
        let bag = #""id": "\#(Self.id)", "owner": ["D", "ZMU"]"#
        var forms = [bag, #"\#(bag), "pounds": 42"#]
        // Property lists have no null.
        if !(format.format is PropertyListFormat) { forms.append(#"\#(bag), "weight": null"#) }
        for form in forms {
            let contents = try contents(form, format)
            #expect(contents.weight == nil && contents.owner?.description == "D/ZMU", "\(form)")
            let again = try TagEncoder(format: format.format, weightForm: .text(.kilograms))
                .encode(contents)
            #expect(try TagDecoder().contents(of: again) == contents)
        }
        if format.format is PropertyListFormat { return }
        let stated = try self.contents(#"\#(bag), "weight": null, "Weight": 7"#, format)
        #expect(stated.weight == 7)
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
        #expect(error?.message == "id: expected the 16 bytes of an identifier, found 15")
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

    @Test(
        "times is refused where no calendar has it",
        arguments: [
            1e300, -1e300, 253_402_300_800, -62_135_596_801, .infinity, -.infinity, .nan,
            .greatestFiniteMagnitude,
        ]
    )
    func timesBeyondCalendars(seconds: Double) throws {
        struct Bag: Encodable {
            let id = PayloadFormTests.id
            let weight = 1
            let arrivedAt: Double
        }
        for format in Format.all where seconds.isFinite || format.format.name != "JSON" {
            let payload = try format.format.encode(Bag(arrivedAt: seconds), userInfo: [:])
            let error = #expect(throws: TagError.self) {
                try TagDecoder(readsDates: true).contents(of: payload)
            }
            #expect(error?.codingPath == ["arrivedAt"])
            #expect(
                error?.message
                    == "arrivedAt: expected a time in the years 1 to 9999, found the number \(seconds)"
            )
            #expect(error?.code == .outOfRange)
        }
    }

    /// Times as texts, and how many seconds from 1970 they are by the calendar that is used now.
    static let oldTimes: [(text: String, seconds: Double)] = [
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("1500-02-28T24:00:00Z", .nan),
        ("1500-02-29T00:00:00Z", .nan), ("0000-12-31T00:00:00Z", .nan),
        ("1582-10-10T00:00:00Z", -12_219_724_800), ("1582-12-31T23:59:59.5Z", -12_212_553_600.5),
        ("1583-01-01T00:00:00Z", -12_212_553_600), ("1900-02-29T00:00:00Z", .nan),
        ("1960-01-01T00:00:00Z", -315_619_200), ("1969-12-31T23:59:59.75Z", -0.25),
    ]

    @Test("times is taken of days long ago too, as a text", arguments: Format.all)
    func longAgo(format: Format) throws {
        for (text, seconds) in Self.oldTimes {
            let json = #"{"id": "\#(Self.id)", "weight": 1, "arrivedAt": "\#(text)"}"#
            let payload = try format.format.payload(json: json)
            let contents = try? TagDecoder(readsDates: true).contents(of: payload)
            #expect(
                contents?.arrivedAt?.timeIntervalSince1970 == (seconds.isNaN ? nil : seconds),
                "\(text)"
            )
            // The very same text is written again.
            guard let contents else { continue }
            let written = try TagEncoder(dateForm: .text).encode(contents)
            #expect(String(decoding: written, as: UTF8.self).contains(text), "\(text)")
        }
    }

    @Test("times is taken from the first year to the last", arguments: Format.all)
    func firstAndLastTimes(format: Format) throws {
        let json = """
            {"id": "\(Self.id)", "weight": 1, "departedAt": -62135596800, "arrivedAt": 253402300799}
            """
        let record = try TagDecoder(readsDates: true)
            .contents(of: format.format.payload(json: json))
        #expect(record.departedAt?.timeIntervalSince1970 == -62_135_596_800)
        #expect(record.arrivedAt?.timeIntervalSince1970 == 253_402_300_799)
    }
}
