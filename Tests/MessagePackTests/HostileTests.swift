import Foundation
import MessagePack
import Testing

/// Bytes that are no message, and what is wrong with them.
struct Damage: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let code: MessagePackError.Code
    let offset: Int
    let path: [String]

    init(
        _ hexadecimal: String,
        _ code: MessagePackError.Code,
        at offset: Int,
        _ path: [String] = []
    ) {
        self.init(MessagePackTests.bytes(hexadecimal), code, at: offset, path)
    }

    init(_ bytes: [UInt8], _ code: MessagePackError.Code, at offset: Int, _ path: [String] = []) {
        self.bytes = bytes
        self.code = code
        self.offset = offset
        self.path = path
    }

    var testDescription: String { "\(code.name) \(bytes.prefix(12).hexadecimal)" }
}

/// The damage that an error tells of, and the way to it.
func damage(_ error: DecodingError?) throws -> (error: MessagePackError, path: [String]) {
    guard case .dataCorrupted(let context) = try #require(error) else {
        throw try #require(error)
    }
    let underlying = try #require(context.underlyingError as? MessagePackError)
    return (underlying, context.codingPath.map(\.stringValue))
}

@Suite struct HostileTests {
    static let truncated = [
        Damage("", .truncated, at: 0), Damage("cc", .truncated, at: 0),
        Damage("cd00", .truncated, at: 0),
        Damage("cf00000000000000", .truncated, at: 0), Damage("a261", .truncated, at: 0),
        Damage("d9", .truncated, at: 0), Damage("d905 61", .truncated, at: 0),
        Damage("dbffffffff 61", .truncated, at: 0), Damage("c6ffffffff", .truncated, at: 0),
        Damage("c9ffffffff05", .truncated, at: 0), Damage("c7", .truncated, at: 0),
        Damage("d4", .truncated, at: 0), Damage("d405", .truncated, at: 0),
        Damage("ddffffffff", .truncated, at: 0), Damage("dfffffffff", .truncated, at: 0),
        Damage("df7fffffff c0c0", .truncated, at: 0), Damage("dc0002 c0", .truncated, at: 0),
        Damage("92 92 01 02", .truncated, at: 4, ["Index 1"]),
        Damage("81 a161", .truncated, at: 3, ["a"]),
        Damage("82 a161 01 a162 ca0000", .truncated, at: 6, ["b"]),
        Damage("81 a161 93 c0 dd00000009", .truncated, at: 5, ["a", "Index 1"]),
    ]

    static let wrong = [
        Damage("c1", .reservedByte, at: 0),
        Damage("93 01 02 c1", .reservedByte, at: 3, ["Index 2"]),
        Damage("81 c1 c0", .reservedByte, at: 1), Damage("01 02", .trailingBytes, at: 1),
        Damage("c0 c1", .trailingBytes, at: 1), Damage("82 a161 01 a161 02", .duplicateKey, at: 4),
        Damage("82 01 c0 cd0001 c0", .duplicateKey, at: 3),
        Damage("82 d0ff c0 ff c0", .duplicateKey, at: 4),
        Damage("91 82 92 01 a161 c0 92 cc01 a161 c0", .duplicateKey, at: 7, ["Index 0"]),
        Damage("82 c0 c0 c0 c0", .duplicateKey, at: 3),
        Damage("82 c3 c0 c3 c0", .duplicateKey, at: 3),
        Damage("82 c40107 c0 c5000107 c0", .duplicateKey, at: 5),
    ]

    static let texts = [
        "80", "bf", "c0af", "c1bf", "c3", "c328", "e08080", "e09f80", "e0a0", "eda080", "edbfbf",
        "f0808080", "f08fbfbf", "f0908080 ff", "f4908080", "f5808080", "f09080", "fe", "61ff62",
        "efbf", "e2 28 a1",
    ]

    @Test("damage is found, named and located", arguments: truncated + wrong)
    func table(_ expected: Damage) throws {
        let error = #expect(throws: DecodingError.self) {
            try MessagePackDecoder().decode(MessagePackValue.self, from: expected.bytes)
        }
        let found = try damage(error)
        #expect(found.error.code == expected.code)
        #expect(found.path == expected.path)
        #expect(found.error.byteOffset == expected.offset)
        #expect(!found.error.description.isEmpty)
    }

    @Test("text that is not UTF-8 is refused or repaired, as a key too", arguments: texts)
    func invalidText(_ text: String) throws {
        let text = bytes(text)
        #expect(String(validating: text, as: UTF8.self) == nil)
        for message in [
            [0xA0 | UInt8(text.count)] + text, [0x81, 0xA0 | UInt8(text.count)] + text + [1],
        ] {
            let error = #expect(throws: DecodingError.self) {
                try MessagePackDecoder().decode(MessagePackValue.self, from: message)
            }
            #expect(try damage(error).error.code == .invalidText)
            var decoder = MessagePackDecoder()
            decoder.invalidText = .repair
            let value = try decoder.decode(MessagePackValue.self, from: message)
            #expect(value.description.contains("\u{FFFD}"))
        }
    }

    @Test(
        "text that is UTF-8 is taken",
        arguments: [
            "c3bf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf", "00", "7f",
            "c280",
        ]
    )
    func validText(_ text: String) throws {
        let text = bytes(text)
        let message = [0xA0 | UInt8(text.count)] + text
        #expect(
            try MessagePackDecoder().decode(String.self, from: message)
                == String(decoding: text, as: UTF8.self)
        )
    }

    @Test("a map of many keys is searched for the same ones", arguments: [2, 12, 13, 14, 500])
    func manyKeys(_ count: Int) throws {
        var map = MessagePackMap((0..<count).map { .init(.string("key\($0)"), 1) })
        var decoder = MessagePackDecoder()
        #expect(
            try decoder.decode(
                MessagePackValue.self,
                from: MessagePackEncoder().encode(MessagePackValue.map(map))
            ) == .map(map)
        )
        map = MessagePackMap(Array(map.dropLast()) + [.init("key0", 2)])
        let message = try MessagePackEncoder().encode(MessagePackValue.map(map))
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([String: Int].self, from: message)
        }
        #expect(try damage(error).error.code == .duplicateKey)
        decoder.duplicateKeys = .useFirst
        #expect(try decoder.decode([String: Int].self, from: message)["key0"] == 1)
        decoder.duplicateKeys = .useLast
        #expect(try decoder.decode([String: Int].self, from: message)["key0"] == 2)
    }

    @Test("keys that hold maps with keys that hold maps are compared in a moment")
    func deepKeys() throws {
        struct Ignored: Decodable {
            init(from decoder: any Decoder) {}
        }
        // Thirteen keys, so that they are compared by hashes; the first holds all that is deeper.
        let start = [UInt8](repeating: 0x8D, count: 120)
        let long: [UInt8] = [0xDD, 0, 4, 0, 0] + [UInt8](repeating: 1, count: 1 << 18)
        let rest = [0xC0] + (UInt8(0)..<12).map { [$0, 0xC0] }.joined()
        let message = start + long + Array(repeating: rest, count: start.count).joined()
        let time = try processorTime {
            _ = try MessagePackDecoder().decode(Ignored.self, from: message)
        }
        // Each level once more would take a hundred times as long as the message by itself.
        let plain = try processorTime {
            _ = try MessagePackDecoder().decode(Ignored.self, from: long)
        }
        #expect(time < plain * 20)
    }

    /// The time for which a processor did this, which does not grow while others have it.
    private func processorTime(_ body: () throws -> Void) rethrows -> Duration {
        func now() -> Duration {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        try body()
        return now() - start
    }

    @Test("a key that is an array comes twice among many", arguments: [13, 40])
    func repeatedContainer(_ count: UInt8) throws {
        let pairs = ((0..<count) + [3]).map { [0x91, $0, 0xC0] as [UInt8] }
        let message = [0xDE, 0, count + 1] + pairs.joined()
        let error = #expect(throws: DecodingError.self) {
            try MessagePackDecoder().decode(MessagePackValue.self, from: message)
        }
        #expect(try damage(error).error.code == .duplicateKey)
        #expect(try damage(error).error.byteOffset == message.count - 3)
    }

    @Test("keys that only look the same are different")
    func differentKeys() throws {
        let messages = [
            "82 01 c0 a131 c0", "82 01 c0 cb3ff0000000000000 c0", "82 a161 c0 c40161 c0",
            "82 ca00000000 c0 cb0000000000000000 c0", "82 a2c3a9 c0 a365cc81 c0", "82 90 c0 80 c0",
            "82 ff c0 ccff c0", "82 c2 c0 c3 c0", "82 9101 c0 9102 c0",
        ]
        for message in messages {
            let value = try MessagePackDecoder().decode(MessagePackValue.self, from: bytes(message))
            #expect(try Array(MessagePackEncoder().encode(value)) == bytes(message))
        }
    }

    @Test("depth is limited, however deep a message is", arguments: [129, 1_025, 100_000])
    func depth(_ depth: Int) throws {
        for marker in [[0x91], [0x81, 0xA0], [0x81]] as [[UInt8]] {
            let message = [UInt8](Array(repeating: marker, count: depth).joined()) + [0x90, 0xC0]
            let error = #expect(throws: DecodingError.self) {
                try MessagePackDecoder().decode(MessagePackValue.self, from: message)
            }
            let found = try damage(error)
            #expect(found.error == MessagePackError(.tooDeep, byteOffset: 128 * marker.count))
        }
    }

    @Test("a value as deep as can be allowed is decoded and encoded")
    func greatestDepth() throws {
        indirect enum Nest: Codable { case leaf, nest(Nest) }
        struct Chain: Codable { var next: [Chain] }
        var decoder = MessagePackDecoder()
        decoder.limits.depth = .max
        #expect(decoder.limits.depth == MessagePackLimits.greatestDepth)
        var encoder = MessagePackEncoder()
        encoder.maximumDepth = .max
        let arrays = Array(repeating: UInt8(0x91), count: 1023) + [0x90]
        let value = try decoder.decode(MessagePackValue.self, from: arrays)
        #expect(try Array(encoder.encode(value)) == arrays)
        let chain = (0..<511).flatMap { _ in bytes("81 a46e657874 91") } + bytes("81 a46e657874 90")
        #expect(try Array(encoder.encode(decoder.decode(Chain.self, from: chain))) == chain)
    }

    @Test("limits of values and bytes hold")
    func limits() throws {
        var decoder = MessagePackDecoder()
        decoder.limits = MessagePackLimits(depth: 2, elementCount: 4, byteCount: 6)
        #expect(try decoder.decode([Int].self, from: bytes("93 01 02 03")) == [1, 2, 3])
        let cases: [(String, MessagePackError.Code)] = [
            ("94 01 02 03 04", .tooManyElements), ("91 91 90", .tooDeep),
            ("96 01 02 03 04 05 06", .tooLong),
        ]
        for (message, code) in cases {
            let error = #expect(throws: DecodingError.self) {
                try decoder.decode(MessagePackValue.self, from: bytes(message))
            }
            #expect(try damage(error).error.code == code)
        }
        decoder.limits = MessagePackLimits(depth: -1, elementCount: -1, byteCount: -1)
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: [1]) }
    }

    @Test("bytes after the message can be ignored")
    func trailing() throws {
        var decoder = MessagePackDecoder()
        decoder.trailingBytes = .ignore
        #expect(try decoder.decode(Int.self, from: bytes("05 c1 c1")) == 5)
    }

    @Test(
        "bytes after the message that are ignored do not count for its length",
        arguments: [
            ("05", nil), ("92 a161 05 c1", nil), ("93 01 02 03 c1 c1 c1 c1", nil),
            ("a3616263 c1", nil), ("c40161 0102", nil), ("a4 61626364", .tooLong),
            ("c40261 62 63", nil), ("c4036162 63", .tooLong), ("92 a3616263 05", .tooLong),
            ("dc0003 01 02 03", .tooLong), ("94 01 02 03 04", .tooLong),
            ("c5000161 01", nil), ("c60000000161", .tooLong), ("93 01 02 cd0001 01", .tooLong),
            ("a3 6162", .truncated), ("93 01 02", .truncated), ("c5 00", .truncated),
        ] as [(String, MessagePackError.Code?)]
    )
    func trailingBeyondLimit(message: String, code: MessagePackError.Code?) throws {
        var decoder = MessagePackDecoder()
        decoder.limits.byteCount = 4
        decoder.trailingBytes = .ignore
        do {
            _ = try decoder.decode(MessagePackValue.self, from: bytes(message))
            #expect(code == nil)
        } catch let error as DecodingError {
            #expect(try damage(error).error.code == code)
        }
        // Otherwise they do.
        decoder.trailingBytes = .refuse
        guard bytes(message).count > 4 else { return }
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode(MessagePackValue.self, from: bytes(message))
        }
        #expect(try damage(error).error.code == .tooLong)
    }

    @Test("an unknown field that is wrong is found all the same")
    func unknownField() {
        struct Small: Decodable { var a: Int }
        #expect(throws: DecodingError.self) {
            try MessagePackDecoder().decode(Small.self, from: bytes("82 a161 01 a178 a1ff"))
        }
        #expect(throws: Never.self) {
            try MessagePackDecoder().decode(Small.self, from: bytes("83 a161 01 a178 a17a 90 c0"))
        }
    }
}
