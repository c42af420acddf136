import Foundation
import MessagePack
import Testing

/// A value, and its shortest bytes by the specification.
struct Vector: CustomTestStringConvertible, Sendable {
    let value: MessagePackValue
    let bytes: [UInt8]

    var testDescription: String { String(bytes.prefix(12).hexadecimal) }

    init(_ value: MessagePackValue, _ hexadecimal: String, then rest: [UInt8] = []) {
        self.value = value
        bytes = MessagePackTests.bytes(hexadecimal) + rest
    }

    static let scalars = [
        Vector(nil, "c0"), Vector(false, "c2"), Vector(true, "c3"),
        Vector(0, "00"), Vector(127, "7f"), Vector(128, "cc80"), Vector(255, "ccff"),
        Vector(256, "cd0100"), Vector(65_535, "cdffff"), Vector(65_536, "ce00010000"),
        Vector(4_294_967_295, "ceffffffff"), Vector(4_294_967_296, "cf0000000100000000"),
        Vector(.int(.max), "cf7fffffffffffffff"), Vector(.uint(.max), "cfffffffffffffffff"),
        Vector(.uint(1 << 63), "cf8000000000000000"),
        Vector(-1, "ff"), Vector(-32, "e0"), Vector(-33, "d0df"), Vector(-128, "d080"),
        Vector(-129, "d1ff7f"), Vector(-32_768, "d18000"), Vector(-32_769, "d2ffff7fff"),
        Vector(-2_147_483_648, "d280000000"), Vector(-2_147_483_649, "d3ffffffff7fffffff"),
        Vector(.int(.min), "d38000000000000000"),
        Vector(.float(0), "ca00000000"), Vector(.float(-0.5), "cabf000000"),
        Vector(.float(.infinity), "ca7f800000"), Vector(.double(0.1), "cb3fb999999999999a"),
        Vector(.double(-.infinity), "cbfff0000000000000"),
        Vector(.double(-0.0), "cb8000000000000000"),
    ]

    static let payloads = [
        Vector("", "a0"), Vector("é", "a2c3a9"), Vector("a\u{0}b", "a3610062"),
        Vector(text(31), "bf", then: letters(31)), Vector(text(32), "d920", then: letters(32)),
        Vector(text(255), "d9ff", then: letters(255)),
        Vector(text(256), "da0100", then: letters(256)),
        Vector(text(65_535), "daffff", then: letters(65_535)),
        Vector(text(65_536), "db00010000", then: letters(65_536)),
        Vector(data(0), "c400"), Vector(data(255), "c4ff", then: letters(255)),
        Vector(data(256), "c50100", then: letters(256)),
        Vector(data(65_536), "c600010000", then: letters(65_536)),
        Vector(extended(0), "c70005"), Vector(extended(1), "d405", then: letters(1)),
        Vector(extended(2), "d505", then: letters(2)),
        Vector(extended(3), "c70305", then: letters(3)),
        Vector(extended(4), "d605", then: letters(4)),
        Vector(extended(8), "d705", then: letters(8)),
        Vector(extended(16), "d805", then: letters(16)),
        Vector(extended(17), "c71105", then: letters(17)),
        Vector(extended(256), "c8010005", then: letters(256)),
        Vector(extended(65_536), "c90001000005", then: letters(65_536)),
    ]

    static let containers = [
        Vector([], "90"), Vector([1, [2]], "92019102"), Vector(nils(15), "9f", then: nilBytes(15)),
        Vector(nils(16), "dc0010", then: nilBytes(16)),
        Vector(nils(65_535), "dcffff", then: nilBytes(65_535)),
        Vector(nils(65_536), "dd00010000", then: nilBytes(65_536)),
        Vector([:], "80"), Vector(["a": 1, 2: "b"], "82a1610102a162"),
        Vector([[1]: [2: 3]], "8191018102 03"),
        Vector(numbers(15), "8f", then: numberBytes(15)),
        Vector(numbers(16), "de0010", then: numberBytes(16)),
    ]

    static let timestamps = [
        Vector(timestamp(0, 0), "d6ff00000000"),
        Vector(timestamp(4_294_967_295, 0), "d6ffffffffff"),
        Vector(timestamp(1, 1), "d7ff0000000400000001"),
        Vector(timestamp(4_294_967_296, 0), "d7ff0000000100000000"),
        Vector(timestamp(17_179_869_183, 999_999_999), "d7ffee6b27ffffffffff"),
        Vector(timestamp(17_179_869_184, 0), "c70cff000000000000000400000000"),
        Vector(timestamp(-1, 999_999_999), "c70cff3b9ac9ffffffffffffffffff"),
        Vector(timestamp(.min, 0), "c70cff000000008000000000000000"),
    ]

    private static func letters(_ count: Int) -> [UInt8] { Array(repeating: 0x61, count: count) }
    private static func nilBytes(_ count: Int) -> [UInt8] { Array(repeating: 0xC0, count: count) }
    private static func text(_ count: Int) -> MessagePackValue {
        .string(String(repeating: "a", count: count))
    }
    private static func data(_ count: Int) -> MessagePackValue { .binary(Data(letters(count))) }
    private static func extended(_ count: Int) -> MessagePackValue {
        .extension(MessagePackExtension(type: 5, data: Data(letters(count))))
    }
    private static func nils(_ count: Int) -> MessagePackValue {
        .array(Array(repeating: .null, count: count))
    }
    private static func numbers(_ count: Int) -> MessagePackValue {
        .map(MessagePackMap((0..<count).map { .init(.int(Int64($0)), true) }))
    }
    private static func numberBytes(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { [UInt8($0), 0xC3] }
    }
    private static func timestamp(_ seconds: Int64, _ nanoseconds: UInt32) -> MessagePackValue {
        MessagePackTimestamp(seconds: seconds, nanoseconds: nanoseconds).map { .timestamp($0) }
            ?? nil
    }
}

@Suite struct SpecificationTests {
    @Test(
        "a value is the bytes of the specification, and they are the value",
        arguments: Vector.scalars + Vector.payloads + Vector.containers + Vector.timestamps
    )
    func bothWays(_ vector: Vector) throws {
        let encoded = try MessagePackEncoder().encode(vector.value)
        #expect(Array(encoded) == vector.bytes)
        let decoded = try MessagePackDecoder().decode(MessagePackValue.self, from: vector.bytes)
        #expect(decoded == vector.value)
    }

    @Test(
        "a longer form than needed means the same",
        arguments: [
            Vector(1, "cc01"), Vector(1, "cd0001"), Vector(1, "ce00000001"),
            Vector(1, "cf0000000000000001"), Vector(1, "d001"), Vector(-1, "d1ffff"),
            Vector(-1, "d2ffffffff"), Vector(-1, "d3ffffffffffffffff"), Vector("a", "d90161"),
            Vector("a", "da000161"), Vector("a", "db0000000161"), Vector([nil], "dc0001c0"),
            Vector([nil], "dd00000001c0"), Vector([1: 2], "de00010102"),
            Vector([1: 2], "df000000010102"), Vector(.binary(Data([7])), "c5000107"),
            Vector(.binary(Data([7])), "c60000000107"),
            Vector(.extension(.init(type: -2, data: Data([7]))), "c701fe07"),
            Vector(.extension(.init(type: -2, data: Data([7]))), "c80001fe07"),
            Vector(.extension(.init(type: -2, data: Data([7]))), "c900000001fe07"),
        ]
    )
    func longForms(_ vector: Vector) throws {
        let decoded = try MessagePackDecoder().decode(MessagePackValue.self, from: vector.bytes)
        #expect(decoded == vector.value)
    }

    @Test(
        "timestamps of 32, 64 and 96 bits are dates",
        arguments: [
            ("d6ff 00000000", 0), ("d6ff ffffffff", 4_294_967_295), ("d7ff ee6b2800 65000000", nil),
            ("d7ff 77359400 65000000", 1_694_498_816.5), ("c70cff 1dcd6500 ffffffffffffffff", -0.5),
            ("c70cff 00000000 fffffffffffffff6", -10),
        ] as [(String, Double?)]
    )
    func dates(_ message: String, _ seconds: Double?) throws {
        let decoder = MessagePackDecoder()
        guard let seconds else {
            #expect(throws: DecodingError.self) {
                try decoder.decode(Date.self, from: bytes(message))
            }
            return
        }
        let date = try decoder.decode(Date.self, from: bytes(message))
        #expect(date == Date(timeIntervalSince1970: seconds))
        #expect(try decoder.decode(Date.self, from: MessagePackEncoder().encode(date)) == date)
    }

    @Test("every type of integer takes the fewest bytes, and comes back")
    func integers() throws {
        func check<Number: FixedWidthInteger & Codable & Sendable>(_ type: Number.Type) throws {
            for bit in 0..<Number.bitWidth {
                for near in [-1, 0, 1] as [Int8] {
                    let number = (Number(1) << bit) &+ Number(truncatingIfNeeded: near)
                    let message = try MessagePackEncoder().encode(number)
                    #expect(try MessagePackDecoder().decode(type, from: message) == number)
                    let wide = Int64(exactly: number).map { MessagePackValue.int($0) }
                    let tree = wide ?? .uint(UInt64(truncatingIfNeeded: number))
                    #expect(try MessagePackEncoder().encode(tree) == message)
                }
            }
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
    }
}
