import LuggageTags
import Testing

@Suite("A hostile payload")
struct HostileMessagePackTests {
    private static let name: [UInt8] = [0xA1, 0x61]

    static let messages = [
        HostilePayload(
            "two members of one name",
            [0x82] + name + [1] + name + [2],
            "the same name"
        ),
        HostilePayload("something behind the end", [0x81] + name + [1, 1], "follows its end"),
        HostilePayload("less than it declares", [0x82] + name + [1], "ends early"),
        HostilePayload("an object of 2³² - 1", [0xDF, 0xFF, 0xFF, 0xFF, 0xFF], "ends early"),
        HostilePayload(
            "a list of 2³² - 1",
            [0x81] + name + [0xDD, 0xFF, 0xFF, 0xFF, 0xFF],
            "ends early"
        ),
        HostilePayload(
            "a text of 2³² - 1",
            [0x81] + name + [0xDB, 0xFF, 0xFF, 0xFF, 0xFF],
            "ends early"
        ),
        HostilePayload("deep objects", (0..<200_000).flatMap { _ in [0x81] + name }, "deeply"),
        HostilePayload("a text that is not UTF-8", [0x81] + name + [0xA1, 0xFF], "not UTF-8"),
        HostilePayload("a byte without meaning", [0x81] + name + [0xC1], "begins no value"),
    ]

    @Test("in MessagePack is refused, and the reason is given", arguments: messages)
    func message(hostile: HostilePayload) async throws {
        let error = try #require(await refusal(hostile.payload))
        #expect(error.code == .notMessagePack)
        #expect(error.stage == .structured)
        #expect(error.message.hasPrefix("the payload is not MessagePack: "))
        #expect(error.message.contains(hostile.words), "\(error.message)")
    }

    @Test(
        "of no known format is refused",
        arguments: [
            Array("HELLO TAG".utf8), Array("WIFI:S:guests;;".utf8), [0x00], [0xC0],
            [0x93, 1, 2, 3],
            [0xEF, 0xBB, 0xBF], Array("( a, b )".utf8),
        ]
    )
    func unknown(payload: [UInt8]) async throws {
        let error = try #require(await refusal(payload))
        #expect(error.code == .notJSON)
        #expect(error.stage == .structured)
        #expect(
            error.message
                == "the payload is not JSON, nor a property list, nor MessagePack, nor a label of "
                + "an airline or of GS1"
        )
    }

    @Test(
        "of no format says what it is",
        arguments: [
            ([], "the QR code is empty: it has no payload"),
            (
                [0xEF, 0xBB, 0xBF] + Array(payload().utf8),
                "the payload is not JSON: a byte order mark stands in front of it; write it without one"
            ),
            (
                [0xFE, 0xFF] + payload().utf8.flatMap { [0, $0] },
                "the payload is not JSON: it is UTF-16, where UTF-8 is expected"
            ),
            (
                payload().utf8.flatMap { [$0, 0] },
                "the payload is not JSON: it is UTF-16, where UTF-8 is expected"
            ),
        ] as [([UInt8], String)]
    )
    func almost(payload: [UInt8], sentence: String) async throws {
        let error = try #require(await refusal(payload))
        #expect(error.code == .notJSON)
        #expect(error.message == sentence)
    }

    @Test("is recognised by one format at most")
    func oneFormat() {
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                let payload = [first, second, 0, 0x3C]
                #expect(PayloadFormats.all.filter { $0.recognises(payload) }.count < 2)
            }
        }
    }
}
