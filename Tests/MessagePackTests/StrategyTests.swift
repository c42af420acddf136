import Foundation
import MessagePack
import SeededRandom
import Testing

@Suite struct StrategyTests {
    struct Trip: Codable, Equatable {
        var departedAt: Date
        var imageURLPath: String
        var ticketData: Data
        var luggageID: UUID
    }

    private static let trip = Trip(
        departedAt: Date(timeIntervalSince1970: 1_700_000_000),
        imageURLPath: "/a",
        ticketData: Data([1, 2, 255]),
        luggageID: UUID()
    )

    typealias DateStrategies = (
        MessagePackEncoder.DateEncodingStrategy, MessagePackDecoder.DateDecodingStrategy
    )

    @Test("a date comes back by every strategy", arguments: 0..<6)
    func dates(_ index: Int) throws {
        let strategies: [DateStrategies] = [
            (.timestamp, .timestamp), (.deferredToDate, .deferredToDate),
            (.secondsSince1970, .secondsSince1970),
            (.millisecondsSince1970, .millisecondsSince1970), (.iso8601, .iso8601),
            (
                .custom { date, encoder in
                    var container = encoder.unkeyedContainer()
                    try container.encode(date.timeIntervalSince1970)
                },
                .custom { decoder in
                    var container = try decoder.unkeyedContainer()
                    return Date(timeIntervalSince1970: try container.decode(Double.self))
                }
            ),
        ]
        let forms: [MessagePackValue] = [
            .timestamp(try #require(MessagePackTimestamp(seconds: 1_700_000_000, nanoseconds: 0))),
            721_692_800.0, 1_700_000_000.0, 1_700_000_000_000.0, "2023-11-14T22:13:20Z",
            [1_700_000_000.0],
        ]
        var encoder = MessagePackEncoder()
        var decoder = MessagePackDecoder()
        (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = strategies[index]
        #expect(try tree(Self.trip, encoder)["departedAt"] == forms[index])
        #expect(try roundTrip(Self.trip, encoder, decoder) == Self.trip)
        #expect(try roundTrip([Date?.none, Self.trip.departedAt], encoder, decoder).count == 2)
    }

    @Test("ISO 8601 may have fractions of a second")
    func fractions() throws {
        var decoder = MessagePackDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let message = try MessagePackEncoder().encode("2023-11-14T22:13:20.250Z")
        #expect(
            try decoder.decode(Date.self, from: message)
                == Date(timeIntervalSince1970: 1_700_000_000.25)
        )
    }

    @Test(
        "a date that no timestamp holds is an error with its path",
        arguments: [
            .nan, .infinity, -.infinity, 1e19, -1e300,
        ] as [Double]
    )
    func impossibleDates(_ seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect {
            try MessagePackEncoder().encode(["a": [date]])
        } throws: { error in
            guard case EncodingError.invalidValue(_, let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["a", "Index 0"]
        }
    }

    @Test(
        "a date that ISO 8601 has no year for is an error",
        arguments: [
            .nan, .infinity, -.infinity, 1e19, -1e300, 252_423_993_600, -63_113_904_001,
        ] as [Double]
    )
    func impossibleYears(_ seconds: Double) {
        var encoder = MessagePackEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(throws: EncodingError.self) { try encoder.encode(date) }
    }

    @Test("text that is nearly a date, a decimal or a link ends nothing")
    func nearlyRight() throws {
        var random = SeededGenerator(seed: 77)
        let models = ["2023-11-14T22:13:20.250Z", "-1234.567e-12", "https://a.example:80/b?c=d#e"]
        let letters = Array("0123456789-+:.TZeE/%#[]é \u{0}")
        var decoder = MessagePackDecoder()
        decoder.dateDecodingStrategy = .iso8601
        for round in 0..<3000 {
            var text = Array(models[round % 3])
            for _ in 0...random.number(below: 4) {
                let place = random.number(below: text.count)
                text[place] = letters[random.number(below: letters.count)]
            }
            let message = try MessagePackEncoder().encode(String(text))
            _ = try? decoder.decode(Date.self, from: message)
            _ = try? decoder.decode(URL.self, from: message)
            if let number = try? decoder.decode(Decimal.self, from: message) {
                #expect(try roundTrip(number) == number)
            }
        }
    }

    @Test("dates keep each nanosecond that they have")
    func nanoseconds() throws {
        for seconds in [0, 0.5, -0.5, 1e9 + 0.25, -1e9 - 0.125, 0.999_999_999_9, -62_135_769_600] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(abs(try roundTrip(date).timeIntervalSince(date)) <= 0.5e-9)
        }
        let far = Date(timeIntervalSinceReferenceDate: 1e18)
        #expect(try roundTrip(far) == far)
        for (seconds, nanoseconds) in [(Int64.min, 0), (.max, 999_999_999)] as [(Int64, UInt32)] {
            let timestamp = try #require(
                MessagePackTimestamp(seconds: seconds, nanoseconds: nanoseconds)
            )
            #expect(abs(timestamp.date.timeIntervalSince1970 - Double(seconds)) <= 1024)
        }
    }

    @Test("data comes back by every strategy", arguments: 0..<4)
    func data(_ index: Int) throws {
        let strategies:
            [(MessagePackEncoder.DataEncodingStrategy, MessagePackDecoder.DataDecodingStrategy)] = [
                (.binary, .binary), (.deferredToData, .deferredToData), (.base64, .base64),
                (
                    .custom { data, encoder in
                        var container = encoder.singleValueContainer()
                        try container.encode(data.count)
                    },
                    .custom { decoder in
                        Data(
                            repeating: 9,
                            count: try decoder.singleValueContainer().decode(Int.self)
                        )
                    }
                ),
            ]
        let forms: [MessagePackValue] = [.binary(Data([1, 2, 255])), [1, 2, 255], "AQL/", 3]
        var encoder = MessagePackEncoder()
        var decoder = MessagePackDecoder()
        (encoder.dataEncodingStrategy, decoder.dataDecodingStrategy) = strategies[index]
        #expect(try tree(Self.trip, encoder)["ticketData"] == forms[index])
        let expected = index == 3 ? Data([9, 9, 9]) : Self.trip.ticketData
        #expect(try roundTrip(Self.trip, encoder, decoder).ticketData == expected)
    }

    @Test("a UUID is 16 bytes or text, and read as either")
    func identifiers() throws {
        var encoder = MessagePackEncoder()
        #expect(try encoder.encode(Self.trip.luggageID).count == 18)
        #expect(try roundTrip(Self.trip, encoder) == Self.trip)
        encoder.uuidEncodingStrategy = .text
        #expect(try tree(Self.trip.luggageID, encoder) == .string(Self.trip.luggageID.uuidString))
        #expect(try roundTrip(Self.trip, encoder) == Self.trip)
        let small = try encoder.encode(Self.trip.luggageID.uuidString.lowercased())
        #expect(try MessagePackDecoder().decode(UUID.self, from: small) == Self.trip.luggageID)
    }

    @Test(
        "what is no UUID is refused",
        arguments: [
            "", "F432BDB8-D84F-4461-8362-AFF89F6C493", "F432BDB8-D84F-4461-8362-AFF89F6C493EE",
            "F432BDB8D84F-4461-8362-AFF89F6C493E-", "G432BDB8-D84F-4461-8362-AFF89F6C493E",
            "F432BDB8-D84F-4461-8362-AFF89F6C49éE", "{432BDB8-D84F-4461-8362-AFF89F6C493}",
        ]
    )
    func noIdentifiers(_ text: String) throws {
        let message = try MessagePackEncoder().encode(text)
        #expect(throws: DecodingError.self) {
            try MessagePackDecoder().decode(UUID.self, from: message)
        }
    }

    @Test(
        "a dictionary in the place of its owner leaves the owner's keys alone",
        arguments: [false, true]
    )
    func ownerOfDictionary(_ isFirst: Bool) throws {
        enum NumberedKey: Int, CodingKey { case departedAt = 5 }
        let owner = Encoded { encoder in
            if isFirst { try ["aName": 1, "7": 2].encode(to: encoder) }
            var container = encoder.container(keyedBy: NumberedKey.self)
            try container.encode(3, forKey: .departedAt)
            if !isFirst { try ["aName": 1, "7": 2].encode(to: encoder) }
        }
        var encoder = MessagePackEncoder()
        let plain = try tree(owner, encoder)
        #expect([plain["aName"], plain["7"], plain[5]] == [1, 2, 3])
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let snake = try tree(owner, encoder)
        #expect([snake["aName"], snake["7"], snake[5]] == [1, 2, 3])
    }

    @Test("snake case goes both ways, and leaves dictionaries alone")
    func snakeCase() throws {
        var encoder = MessagePackEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var decoder = MessagePackDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try tree(Self.trip, encoder)["image_url_path"] == "/a")
        struct Simple: Codable, Equatable {
            var departedAt: Int
            var someNames: [String: Int]
        }
        let simple = Simple(departedAt: 5, someNames: ["aName": 1, "a_name": 2])
        #expect(try tree(simple, encoder)["some_names"]?["aName"] == 1)
        #expect(try roundTrip(simple, encoder, decoder) == simple)
    }

    @Test(
        "snake case is the same as in Foundation's coders",
        arguments: [
            "", "a", "A", "aB", "URL", "imageURLPath", "someURL", "oneTwoThree", "a1B2", "_leading",
            "trailing_", "__both__", "already_snake", "ABc", "aBC", "été", "myÉté", "_", "__",
            "x_Y",
            "a__b", "_a_b_", "Some_URL_name", "éTé", "a.b", "aB_cD",
        ]
    )
    func sameAsFoundation(_ name: String) throws {
        struct Named: Codable {
            static let key = CodingUserInfoKey(rawValue: "name")!
            var names: [String] = []
            init() {}
            init(from decoder: any Decoder) throws {
                names = try decoder.container(keyedBy: Plain.self).allKeys.map(\.stringValue)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Plain.self)
                let name = encoder.userInfo[Self.key] as? String ?? ""
                try container.encode(1, forKey: Plain(stringValue: name))
            }
        }
        struct Plain: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        var encoder = MessagePackEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.userInfo[Named.key] = name
        let jsonEncoder = JSONEncoder()
        jsonEncoder.keyEncodingStrategy = .convertToSnakeCase
        jsonEncoder.userInfo[Named.key] = name
        let snake = try JSONDecoder().decode([String: Int].self, from: jsonEncoder.encode(Named()))
        let message = try encoder.encode(Named())
        #expect(try MessagePackDecoder().decode([String: Int].self, from: message) == snake)

        var decoder = MessagePackDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let jsonDecoder = JSONDecoder()
        jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
        let camel = try jsonDecoder.decode(Named.self, from: JSONEncoder().encode([name: 1])).names
        #expect(
            try decoder.decode(Named.self, from: MessagePackEncoder().encode([name: 1])).names
                == camel
        )
    }

    @Test("a function makes keys of the coding path")
    func customKeys() throws {
        struct Outer: Codable, Equatable {
            var inner: Inner
            struct Inner: Codable, Equatable { var value: Int }
        }
        var encoder = MessagePackEncoder()
        encoder.keyEncodingStrategy = .custom { path in
            Spelled(stringValue: path.map(\.stringValue).joined(separator: "."))
        }
        var decoder = MessagePackDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            let last = path.last?.stringValue.split(separator: ".").last.map(String.init)
            return Spelled(stringValue: last ?? "")
        }
        let outer = Outer(inner: .init(value: 5))
        #expect(try tree(outer, encoder) == ["inner": ["inner.value": 5]])
        #expect(try roundTrip(outer, encoder, decoder) == outer)
    }

    struct Spelled: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test("two keys that become one are refused, or one counts")
    func convertedTwice() throws {
        struct Simple: Decodable { var aB: Int }
        let message = bytes("82 a3615f62 01 a26142 02")
        var decoder = MessagePackDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try decoder.decode(Simple.self, from: message) }
        decoder.duplicateKeys = .useFirst
        #expect(try decoder.decode(Simple.self, from: message).aB == 1)
        decoder.duplicateKeys = .useLast
        #expect(try decoder.decode(Simple.self, from: message).aB == 2)
    }
}
