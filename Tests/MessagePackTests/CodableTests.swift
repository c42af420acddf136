import Foundation
import MessagePack
import Testing

/// Encodes and decodes a value, and gives what came back.
func roundTrip<Value: Codable>(
    _ value: Value,
    _ encoder: MessagePackEncoder = MessagePackEncoder(),
    _ decoder: MessagePackDecoder = MessagePackDecoder()
) throws -> Value {
    try decoder.decode(Value.self, from: encoder.encode(value))
}

/// The tree of what a value encodes to.
func tree(
    _ value: some Encodable,
    _ encoder: MessagePackEncoder = MessagePackEncoder()
) throws -> MessagePackValue {
    try MessagePackDecoder().decode(MessagePackValue.self, from: encoder.encode(value))
}

class Bag: Codable {
    var weight: Int

    init(weight: Int) { self.weight = weight }
}

/// Encodes its superclass under a key.
final class LabelledBag: Bag {
    var label: String

    init(weight: Int, label: String) {
        self.label = label
        super.init(weight: weight)
    }

    private enum CodingKeys: CodingKey { case label }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        label = try container.decode(String.self, forKey: .label)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: container.superEncoder())
        try container.encode(label, forKey: .label)
    }
}

/// Encodes its superclass into the same map.
final class FlatBag: Bag {
    var label: String

    init(weight: Int, label: String) {
        self.label = label
        super.init(weight: weight)
    }

    private enum CodingKeys: CodingKey { case label }

    required init(from decoder: any Decoder) throws {
        label = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .label)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(label, forKey: .label)
    }
}

@Suite struct CodableTests {
    enum Colour: String, Codable, CaseIterable { case red, green }
    enum Shape: Codable, Equatable { case circle(radius: Double), square(Int), none }
    enum NumberedKeys: Int, CodingKey { case first = 1, second = 2 }

    @Test("a superclass is encoded under a key, or into the same map")
    func inheritance() throws {
        #expect(
            try tree(LabelledBag(weight: 5, label: "a")) == ["super": ["weight": 5], "label": "a"]
        )
        #expect(try tree(FlatBag(weight: 5, label: "a")) == ["weight": 5, "label": "a"])
        let nested = try roundTrip(LabelledBag(weight: 7, label: "b"))
        #expect(nested.weight == 7 && nested.label == "b")
        let flat = try roundTrip(FlatBag(weight: 7, label: "b"))
        #expect(flat.weight == 7 && flat.label == "b")
    }

    @Test("a missing superclass is nil, and the error tells the way to it")
    func missingSuper() throws {
        #expect {
            try MessagePackDecoder().decode(
                LabelledBag.self,
                from: MessagePackEncoder().encode(["label": "a"])
            )
        } throws: { error in
            guard case DecodingError.valueNotFound(_, let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["super"]
        }
    }

    @Test("fragments of any type stand at the top")
    func fragments() throws {
        #expect(try roundTrip(5) == 5)
        #expect(try roundTrip("text") == "text")
        #expect(try roundTrip(Int?.none) == nil)
        #expect(try roundTrip(Int?.some(3)) == 3)
        #expect(try roundTrip([1, nil, 3] as [Int?]) == [1, nil, 3])
        #expect(try roundTrip(URL(string: "https://example.org/a?b=c#d")) != nil)
        #expect(try roundTrip(Colour.green) == .green)
        #expect(try tree(Data([1, 2])) == .binary(Data([1, 2])))
        #expect(try roundTrip([UInt8](0...255)) == [UInt8](0...255))
        #expect(try roundTrip(Set([1, 2, 3])) == [1, 2, 3])
        #expect(try roundTrip(Data(repeating: 7, count: 70_000)[5...]).count == 69_995)
    }

    @Test("enumerations with values come back")
    func enumerations() throws {
        let shapes: [Shape] = [.circle(radius: 1.5), .square(3), .none]
        #expect(try roundTrip(shapes) == shapes)
        #expect(try tree(shapes)[item: 1] == ["square": ["_0": 3]])
    }

    @Test("dictionaries have text, integer or paired keys, as Codable has it")
    func dictionaries() throws {
        #expect(try tree(["7": true]) == ["7": true])
        #expect(try tree([7: true]) == [7: true])
        #expect(try tree([-300: true]) == [-300: true])
        let id = UUID()
        #expect(try tree([id: 1])[item: 1] == 1)
        #expect(try roundTrip([id: 1]) == [id: 1])
        #expect(try tree([Colour.red: 1]) == ["red", 1])
        #expect(try roundTrip([Colour.red: 1]) == [.red: 1])
        let texts = ["007": 1, "7": 2, "+7": 3, "": 4]
        #expect(try roundTrip(texts) == texts)
        let many = Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0 * 37 - 9000, "\($0)") })
        #expect(try roundTrip(many) == many)
    }

    @Test("a dictionary encoded in the place of its owner keeps its keys as text")
    func dictionaryInPlace() throws {
        struct Owner: Codable {
            var names: [String: Int]
            init(_ names: [String: Int]) { self.names = names }
            init(from decoder: any Decoder) throws { names = try [String: Int](from: decoder) }
            func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }
        }
        let names = ["12": 1, "007": 2]
        let owner = try tree(Owner(names))
        #expect(owner["12"] == 1 && owner["007"] == 2)
        #expect(try roundTrip(Owner(names)).names == names)
    }

    @Test("integer keys and text keys are found by each other")
    func mixedKeys() throws {
        let decoder = MessagePackDecoder()
        #expect(
            try decoder.decode([Int: Bool].self, from: bytes("82 a137 c3 08 c2")) == [
                7: true, 8: false,
            ]
        )
        #expect(try decoder.decode([String: Bool].self, from: bytes("81 07 c3")) == ["7": true])
        #expect(throws: DecodingError.self) {
            try decoder.decode([Int: Bool].self, from: bytes("82 a137 c3 07 c2"))
        }
        #expect(throws: DecodingError.self) {
            try decoder.decode([String: Bool].self, from: bytes("82 a137 c3 ca00000000 c2"))
        }
    }

    @Test("coding keys with integers are written as integers, and read as either")
    func numberedKeys() throws {
        struct Pair: Codable, Equatable {
            var first: String
            var second: Int
            enum CodingKeys: Int, CodingKey { case first = 1, second = 2 }
        }
        let pair = Pair(first: "a", second: 5)
        #expect(try tree(pair) == [1: "a", 2: 5])
        #expect(try roundTrip(pair) == pair)
        let named = try MessagePackEncoder().encode(
            ["first": "a", "second": 5] as MessagePackValue
        )
        #expect(try MessagePackDecoder().decode(Pair.self, from: named) == pair)
    }

    @Test("raw extensions and timestamps stand as they are")
    func extensions() throws {
        let value = MessagePackExtension(type: 42, data: Data([1, 2, 3]))
        #expect(try roundTrip(["a": value]) == ["a": value])
        let timestamp = try #require(MessagePackTimestamp(seconds: -5, nanoseconds: 17))
        #expect(try roundTrip([timestamp]) == [timestamp])
        #expect(MessagePackExtension(timestamp).timestamp == timestamp)
        #expect(MessagePackTimestamp(seconds: 0, nanoseconds: 1_000_000_000) == nil)
        #expect(
            try JSONDecoder().decode(
                MessagePackTimestamp.self,
                from: JSONEncoder().encode(timestamp)
            ) == timestamp
        )
    }

    @Test("what values want to know reaches them")
    func userInfo() throws {
        struct Curious: Codable {
            static let key = CodingUserInfoKey(rawValue: "answer")
            var answer = 0
            init() {}
            init(from decoder: any Decoder) throws {
                answer = Self.key.flatMap { decoder.userInfo[$0] as? Int } ?? -1
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? Int } ?? -1)
            }
        }
        let key = try #require(Curious.key)
        var encoder = MessagePackEncoder()
        encoder.userInfo[key] = 41
        var decoder = MessagePackDecoder()
        decoder.userInfo[key] = 42
        #expect(try tree([Curious()], encoder) == [41])
        #expect(try decoder.decode(Curious.self, from: bytes("c0")).answer == 42)
    }

    @Test("a map with many keys is found by any of them, in any order")
    func manyKeys() throws {
        struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Wide: Codable, Equatable {
            var numbers: [String: Int]
            init(_ count: Int) {
                numbers = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", $0) })
            }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                numbers = [:]
                for index in (0..<container.allKeys.count).reversed() {
                    let key = "key\(index)"
                    numbers[key] = try container.decode(Int.self, forKey: AnyKey(stringValue: key))
                }
                #expect(!container.contains(AnyKey(stringValue: "missing")))
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                for (key, value) in numbers {
                    try container.encode(value, forKey: AnyKey(stringValue: key))
                }
            }
        }
        for count in [0, 1, 15, 16, 17, 18, 300] {
            #expect(try roundTrip(Wide(count)) == Wide(count))
        }
    }
}
