import Foundation
import MessagePack
import Testing

/// A type whose way of encoding is a function.
struct Encoded: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A type whose way of decoding is a function.
struct Decoded<Result>: Decodable {
    let result: Result

    init(from decoder: any Decoder) throws {
        let found = decoder.userInfo[try Self.key] as? @Sendable (any Decoder) throws -> Result
        let body = try #require(found)
        result = try body(decoder)
    }

    static var key: CodingUserInfoKey {
        get throws { try #require(CodingUserInfoKey(rawValue: "body")) }
    }
}

func decode<Result>(
    _ message: String,
    _ body: @escaping @Sendable (any Decoder) throws -> Result
) throws -> Result {
    var decoder = MessagePackDecoder()
    decoder.userInfo[try Decoded<Result>.key] = body
    return try decoder.decode(Decoded<Result>.self, from: bytes(message)).result
}

enum Key: String, CodingKey { case a, b, c }

@Suite struct ContainerTests {
    @Test("nested containers are filled in any order")
    func nested() throws {
        let value = Encoded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
            var items = outer.nestedUnkeyedContainer(forKey: .b)
            try outer.encode(1, forKey: .c)
            try items.encode("x")
            try inner.encode(2, forKey: .a)
            var deep = items.nestedUnkeyedContainer()
            var map = items.nestedContainer(keyedBy: Key.self)
            try items.encodeNil()
            for number in 0..<20 { try deep.encode(number) }
            try map.encode([Key.a.rawValue: [1, 2]], forKey: .b)
            try inner.encodeNil(forKey: .b)
        }
        let numbers = MessagePackValue.array((0..<20).map { .int($0) })
        #expect(
            try tree(value) == [
                "a": ["a": 2, "b": nil],
                "b": ["x", numbers, ["b": ["a": [1, 2]]], nil],
                "c": 1,
            ]
        )
    }

    @Test("a key that is encoded twice keeps the second value, whatever the first was")
    func repeatedKeys() throws {
        let value = Encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            try container.encode([1: "x"], forKey: .b)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .c)
            try container.encode(Array(0..<20), forKey: .a)
            try container.encode(3, forKey: .a)
            try container.encode(4, forKey: .c)
            try container.encode(5, forKey: .b)
        }
        #expect(try tree(value) == ["a": 3, "c": 4, "b": 5])
    }

    @Test("a key of many that is encoded twice keeps the second value")
    func repeatedAmongMany() throws {
        struct Many: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Number.self)
                for number in 0..<40 {
                    try container.encode(number, forKey: Number("k\(number)"))
                }
                for number in 0..<40 {
                    try container.encode(-number, forKey: Number("k\(number)"))
                }
            }
            struct Number: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }
                init(_ text: String) { stringValue = text }
                init?(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        let expected = MessagePackMap((0..<40).map { .init(.string("k\($0)"), .int(-Int64($0))) })
        #expect(try tree(Many()) == .map(expected))
    }

    @Test("a nested container that is asked for twice is the same one")
    func nestedTwice() throws {
        let value = Encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var first = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            try first.encode(1, forKey: .a)
            var second = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            try second.encode(2, forKey: .b)
        }
        #expect(try tree(value) == ["a": ["a": 1, "b": 2]])
    }

    @Test("a value that cannot be encoded leaves nothing behind")
    func rollback() throws {
        struct Refusal: Error {}
        let failing = Encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode([1, 2, 3], forKey: .a)
            throw Refusal()
        }
        let value = Encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            #expect(throws: Refusal.self) { try container.encode(failing, forKey: .a) }
            try container.encode(1, forKey: .b)
            var items = container.nestedUnkeyedContainer(forKey: .c)
            try items.encode(1)
            #expect(throws: Refusal.self) { try items.encode(failing) }
            try items.encode(
                Encoded { encoder in
                    var single = encoder.singleValueContainer()
                    #expect(throws: Refusal.self) { try single.encode(failing) }
                    try single.encode("instead")
                }
            )
            #expect(items.count == 2)
        }
        #expect(try tree(value) == ["b": 1, "c": [1, "instead"]])
    }

    @Test("a value inside another that encodes nothing is an empty map, at the top an error")
    func nothing() throws {
        let empty = Encoded { _ in }
        #expect(try tree([empty]) == [[:]])
        #expect(throws: EncodingError.self) { try MessagePackEncoder().encode(empty) }
        let unfilled = Encoded { encoder in
            var container = encoder.unkeyedContainer()
            _ = container.superEncoder()
        }
        #expect(try tree(unfilled) == [[:]])
    }

    @Test("an encoder that is misused is an error")
    func misuse() throws {
        let cases: [(any Encoder) throws -> Void] = [
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(1)
                try single.encode(2)
            },
            { encoder in
                _ = encoder.unkeyedContainer()
                _ = encoder.container(keyedBy: Key.self)
            },
            { encoder in
                _ = encoder.unkeyedContainer()
                var single = encoder.singleValueContainer()
                try single.encode(1)
            },
            { encoder in
                var container = encoder.unkeyedContainer()
                let same = container
                try container.encode(
                    Encoded { _ in
                        var outer = same
                        try outer.encode(1)
                    }
                )
            },
            { encoder in
                var kept: (any UnkeyedEncodingContainer)?
                var container = encoder.unkeyedContainer()
                try container.encode(Encoded { kept = $0.unkeyedContainer() })
                try container.encode(Encoded { _ in try kept?.encode(1) })
            },
        ]
        for body in cases {
            #expect(throws: EncodingError.self) {
                try MessagePackEncoder().encode(Encoded(body: body))
            }
        }
    }

    @Test("a value that holds itself is an error, and so is a tree that is too deep")
    func depth() throws {
        final class Cycle: Encodable {
            var next: Cycle?
        }
        let cycle = Cycle()
        cycle.next = cycle
        #expect(throws: EncodingError.self) { try MessagePackEncoder().encode(cycle) }
        cycle.next = nil
        var encoder = MessagePackEncoder()
        encoder.maximumDepth = 3
        #expect(try encoder.encode([[[1]]]).count == 4)
        #expect(throws: EncodingError.self) { try encoder.encode([[[[1]]]]) }
        #expect(throws: EncodingError.self) { try encoder.encode([[[["a": 1]]]]) }
        #expect(throws: EncodingError.self) { try encoder.encode([[[[]]]] as MessagePackValue) }
        #expect {
            try encoder.encode(["a": [[[1]]]] as [String: MessagePackValue])
        } throws: { error in
            guard case EncodingError.invalidValue(_, let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["a"]
        }
        encoder.maximumDepth = .max
        #expect(encoder.maximumDepth == MessagePackLimits.greatestDepth)
    }

    @Test("a value that is itself by a single value container is an error")
    func endless() throws {
        final class Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        let error = #expect(throws: EncodingError.self) {
            try MessagePackEncoder().encode(["a": Endless()])
        }
        guard case .invalidValue(_, let context) = try #require(error) else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a"])
    }

    @Test("containers nested by hand beyond the depth are an error, however many")
    func deepContainers() throws {
        let deep = Encoded { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<100_000 { container = container.nestedUnkeyedContainer() }
        }
        let error = #expect(throws: EncodingError.self) { try MessagePackEncoder().encode(deep) }
        guard case .invalidValue(_, let context) = try #require(error) else { return }
        #expect(context.codingPath.count == MessagePackLimits().depth)
    }

    @Test("nothing is kept when coding has ended, well or not")
    func nothingIsKept() throws {
        final class Witness: Sendable {}
        struct Refusal: Error {}
        let key = try #require(CodingUserInfoKey(rawValue: "witness"))
        let bodies: [(any Encoder) throws -> Void] = [
            { encoder in
                var container = encoder.container(keyedBy: Key.self)
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                _ = nested.nestedUnkeyedContainer(forKey: .b)
                try [1: 2].encode(to: container.superEncoder())
            },
            { encoder in
                var container = encoder.unkeyedContainer()
                _ = container.nestedUnkeyedContainer()
                throw Refusal()
            },
            { encoder in
                _ = encoder.unkeyedContainer()
                _ = encoder.container(keyedBy: Key.self)
            },
        ]
        for body in bodies {
            weak var kept: Witness?
            func encode() {
                let witness = Witness()
                kept = witness
                var encoder = MessagePackEncoder()
                encoder.userInfo[key] = witness
                let message = try? encoder.encode(Encoded(body: body))
                var decoder = MessagePackDecoder()
                decoder.userInfo[key] = witness
                _ = try? decoder.decode([String: [Int: Int]].self, from: message ?? Data())
                #expect(kept != nil)
            }
            encode()
            #expect(kept == nil)
        }
    }

    @Test("keys, counts and places of a decoder's containers are right")
    func reading() throws {
        let keys = try decode("83 a161 01 a162 93 01 c0 a178 a17a 05") { decoder in
            let container = try decoder.container(keyedBy: Key.self)
            #expect(container.contains(.a) && !container.contains(.c))
            var items = try container.nestedUnkeyedContainer(forKey: .b)
            #expect(items.count == 3 && items.currentIndex == 0 && !items.isAtEnd)
            #expect(try !items.decodeNil())
            #expect(try items.decode(Int.self) == 1)
            #expect(throws: DecodingError.self) { try items.decode(Int.self) }
            #expect(items.currentIndex == 1)
            #expect(try items.decodeNil())
            #expect(try items.decodeIfPresent(String.self) == "x")
            #expect(items.isAtEnd && items.currentIndex == 3)
            #expect(items.codingPath.map(\.stringValue) == ["b"])
            #expect(try items.decodeIfPresent(String.self) == nil)
            return container.allKeys
        }
        #expect(keys == [.a, .b])
    }

    @Test("nested containers and super decoders of a decoder are independent")
    func independent() throws {
        let sum = try decode("83 a161 81 a161 01 a162 92 02 93 03 04 05 a5 7375706572 06") {
            decoder in
            let outer = try decoder.container(keyedBy: Key.self)
            let inner = try outer.nestedContainer(keyedBy: Key.self, forKey: .a)
            var items = try outer.nestedUnkeyedContainer(forKey: .b)
            let parent = try outer.superDecoder().singleValueContainer().decode(Int.self)
            let first = try items.superDecoder().singleValueContainer().decode(Int.self)
            var deep = try items.nestedUnkeyedContainer()
            let third = try deep.decode(Int.self)
            #expect(deep.codingPath.map(\.stringValue) == ["b", "Index 1"])
            #expect(throws: DecodingError.self) { try items.nestedUnkeyedContainer() }
            return try inner.decode(Int.self, forKey: .a) + first + third + parent
        }
        #expect(sum == 1 + 2 + 3 + 6)
    }

    @Test("nil, absent and present are told apart")
    func presence() throws {
        let values = try decode("82 a161 c0 a162 05") { decoder in
            let container = try decoder.container(keyedBy: Key.self)
            #expect(try container.decodeNil(forKey: .a))
            #expect(try !container.decodeNil(forKey: .b))
            #expect(throws: DecodingError.self) { try container.decodeNil(forKey: .c) }
            return try [Key.a, .b, .c].map { try container.decodeIfPresent(Int.self, forKey: $0) }
                + [Key.a, .b, .c].map {
                    try container.decodeIfPresent(Int?.self, forKey: $0) ?? nil
                }
        }
        #expect(values == [nil, 5, nil, nil, 5, nil])
    }
}
