import Foundation
import MessagePack
import Testing

@Suite struct NumberTests {
    private let decoder = MessagePackDecoder()

    @Test("a number is decoded as any type that holds it exactly")
    func exactly() throws {
        #expect(try decoder.decode(Int.self, from: bytes("cb4045000000000000")) == 42)
        #expect(try decoder.decode(UInt8.self, from: bytes("ca42280000")) == 42)
        #expect(try decoder.decode(Double.self, from: bytes("2a")) == 42)
        #expect(try decoder.decode(Float.self, from: bytes("d0d6")) == -42)
        #expect(try decoder.decode(Float.self, from: bytes("cb4045400000000000")) == 42.5)
        #expect(try decoder.decode(Double.self, from: bytes("ca42280000")) == 42)
        #expect(try decoder.decode(Double.self, from: bytes("cf8000000000000000")) == 0x1p63)
        #expect(try decoder.decode(Float.self, from: bytes("cb7ff8000000000000")).isNaN)
        #expect(try decoder.decode(Float.self, from: bytes("cbfff0000000000000")) == -.infinity)
    }

    @Test(
        "a number that does not fit is refused",
        arguments: [
            ("cd0100", "UInt8"), ("ff", "UInt8"), ("cc80", "Int8"), ("cfffffffffffffffff", "Int"),
            ("ca3f000000", "Int"), ("cb7ff8000000000000", "Int"), ("cb7ff0000000000000", "UInt64"),
            ("cf0020000000000001", "Double"), ("ce01000001", "Float"),
            ("cb3fb999999999999a", "Float"),
            ("cb7fefffffffffffff", "Float"), ("d38000000000000001", "Double"),
        ]
    )
    func refused(_ message: String, _ type: String) throws {
        let types: [String: any Decodable.Type] = [
            "UInt8": UInt8.self, "Int8": Int8.self, "Int": Int.self, "UInt64": UInt64.self,
            "Double": Double.self, "Float": Float.self,
        ]
        let wanted = try #require(types[type])
        #expect {
            _ = try decoder.decode(wanted, from: bytes(message))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.debugDescription.hasSuffix("is not exactly representable as \(type).")
        }
    }

    @Test(
        "a number of 128 bits is written as one of 64",
        arguments: [
            (0, "00"), (-1, "ff"), (42, "2a"), (Int128(Int64.max), "cf7fffffffffffffff"),
            (Int128(Int64.min), "d38000000000000000"), (Int128(UInt64.max), "cfffffffffffffffff"),
        ] as [(Int128, String)]
    )
    func wide(_ number: Int128, _ message: String) throws {
        let encoder = MessagePackEncoder()
        #expect(try Array(encoder.encode(number)) == bytes(message))
        #expect(try Array(encoder.encode([number])) == [0x91] + bytes(message))
        #expect(try Array(encoder.encode(["a": number])) == [0x81, 0xA1, 0x61] + bytes(message))
        #expect(try decoder.decode(Int128.self, from: bytes(message)) == number)
        #expect(try decoder.decode([Int128].self, from: [0x91] + bytes(message)) == [number])
        #expect(try decoder.decode([Int128?].self, from: [0x91] + bytes(message)) == [number])
        guard let positive = UInt128(exactly: number) else { return }
        #expect(try Array(encoder.encode([positive])) == [0x91] + bytes(message))
        #expect(try decoder.decode(UInt128.self, from: bytes(message)) == positive)
    }

    @Test(
        "a number that needs more than 64 bits is refused, wherever it is",
        arguments: [Int128.max, .min, Int128(Int64.min) - 1, Int128(UInt64.max) + 1]
    )
    func tooWide(_ number: Int128) throws {
        struct Bag: Encodable {
            let weights: [Int128?]
            let first: Int128
        }
        let values: [(any Encodable, [String])] = [
            (number, []), ([1, number], ["Index 1"]), (["a": number], ["a"]),
            (Bag(weights: [], first: number), ["first"]),
            (["a": Bag(weights: [1, number], first: 0)], ["a", "weights", "Index 1"]),
            ([UInt128.max], ["Index 0"]),
        ]
        for (value, path) in values {
            let error = #expect(throws: EncodingError.self) {
                try MessagePackEncoder().encode(value)
            }
            guard case .invalidValue(_, let context) = error else { continue }
            #expect(context.codingPath.map(\.stringValue) == path)
            #expect(context.debugDescription.hasPrefix("Integers have 64 bits, and "))
            #expect(context.debugDescription.hasSuffix(" has more; encode it as text."))
        }
        #expect(throws: DecodingError.self) { try decoder.decode(UInt128.self, from: bytes("ff")) }
        #expect(throws: DecodingError.self) {
            try decoder.decode(Int128.self, from: bytes("cb3fe0000000000000"))
        }
    }

    @Test("the nearest Float is taken if that is allowed, but no infinity for a finite number")
    func narrowing() throws {
        var decoder = MessagePackDecoder()
        decoder.floatNarrowing = .nearest
        #expect(try decoder.decode(Float.self, from: bytes("cb3fb999999999999a")) == 0.1)
        #expect(try decoder.decode([Float].self, from: bytes("91cb3fb999999999999a")) == [0.1])
        #expect(try decoder.decode(Float.self, from: bytes("cb7ff0000000000000")) == .infinity)
        #expect(throws: DecodingError.self) {
            try decoder.decode(Float.self, from: bytes("cb7fefffffffffffff"))
        }
    }

    @Test(
        "every float comes back, bit for bit",
        arguments: [
            0, -0.0, 1, -1.5, .pi, .leastNonzeroMagnitude, .leastNormalMagnitude,
            .greatestFiniteMagnitude, .infinity, -.infinity, .nan, 0x1p-1060,
        ] as [Double]
    )
    func floats(_ number: Double) throws {
        let double = try decoder.decode(Double.self, from: MessagePackEncoder().encode(number))
        #expect(double.bitPattern == number.bitPattern)
        let narrow = Float(number)
        let message = try MessagePackEncoder().encode(narrow)
        #expect(message.count == 5)
        #expect(try decoder.decode(Float.self, from: message).bitPattern == narrow.bitPattern)
    }

    @Test(
        "a decimal keeps its digits",
        arguments: [
            "0", "-0.1", "12.50", "123456789012345678901234567890.12345678", "1e-120", "-9e99",
        ]
    )
    func decimals(_ text: String) throws {
        let number = try #require(Decimal(string: text))
        let message = try MessagePackEncoder().encode([number])
        #expect(try decoder.decode([Decimal].self, from: message) == [number])
    }

    @Test("a decimal is read from numbers, by the digits that a float is printed with")
    func decimalNumbers() throws {
        #expect(
            try decoder.decode(Decimal.self, from: bytes("cb3fb999999999999a"))
                == Decimal(string: "0.1")
        )
        #expect(
            try decoder.decode(Decimal.self, from: bytes("ca3dcccccd")) == Decimal(string: "0.1")
        )
        #expect(
            try decoder.decode(Decimal.self, from: bytes("cfffffffffffffffff"))
                == Decimal(string: "18446744073709551615")
        )
        #expect(
            try decoder.decode(Decimal.self, from: MessagePackEncoder().encode(Decimal.nan)).isNaN
        )
    }

    @Test(
        "what is no decimal is refused",
        arguments: [
            "", "-", ".", "1.2.3", "12abc", "1e", "1e+", " 1", "0x10", "１２", "1e999", "inf", "1,5",
            "1e99999999999999999999", "-1e-99999999999999999999",
        ]
    )
    func noDecimals(_ text: String) throws {
        let message = try MessagePackEncoder().encode(text)
        #expect(throws: DecodingError.self) { try decoder.decode(Decimal.self, from: message) }
    }

    @Test("a decimal of many digits costs little and ends nothing")
    func manyDigits() throws {
        for text in [
            String(repeating: "9", count: 100_000), "0." + String(repeating: "3", count: 100_000),
        ] {
            let message = try MessagePackEncoder().encode(text)
            _ = try? decoder.decode(Decimal.self, from: message)
        }
    }
}
