import Foundation
import MessagePack
import Testing

@Suite struct ValueTests {
    private let bag: MessagePackValue = [
        "id": 5, "owner": ["D", "ZMU"], "weight": 42.5, 7: nil, "checked": true,
    ]

    @Test("a tree is looked into by keys and places")
    func lookingInside() {
        #expect(bag["owner"]?[item: 1] == "ZMU")
        #expect(bag["id"]?.integer() == 5)
        #expect(bag["id"]?.integer(as: Int8.self) == 5)
        #expect(bag["weight"]?.integer() == nil)
        #expect(bag[7] == .null)
        #expect(bag["missing"] == nil)
        #expect(
            bag["owner"]?[item: 2] == nil && bag["owner"]?[item: -1] == nil && bag[item: 0] == nil
        )
        #expect(MessagePackValue.uint(.max).integer(as: Int.self) == nil)
        #expect(MessagePackValue.int(-1).integer(as: UInt.self) == nil)
    }

    @Test("a map keeps its order, and is changed by keys")
    func maps() {
        var map: MessagePackMap = ["b": 1, "a": 2]
        map["c"] = 3
        map["b"] = 4
        map["a"] = .some(nil)
        #expect(map == ["b": 4, "a": nil, "c": 3])
        map["a"] = MessagePackValue?.none
        #expect(map.map(\.key) == ["b", "c"])
        map["missing"] = MessagePackValue?.none
        #expect(map.count == 2 && map[1].value == 3)
    }

    @Test("integers are the same number in either case, and nothing else")
    func equality() {
        #expect(MessagePackValue.int(5) == .uint(5))
        #expect(MessagePackValue.int(5).hashValue == MessagePackValue.uint(5).hashValue)
        #expect(MessagePackValue.int(-1) != .uint(.max))
        #expect(MessagePackValue.int(1) != .double(1))
        #expect(MessagePackValue.float(1) != .double(1))
        #expect(MessagePackValue.binary(Data([97])) != "a")
        let all: Set<MessagePackValue> = [
            nil, false, 0, 0.0, "", [], [:], .binary(Data()), .float(0),
        ]
        #expect(all.count == 9)
    }

    @Test(
        "a person reads values like JSON",
        arguments: [
            (nil, "nil"), (-5, "-5"), (.uint(.max), "18446744073709551615"), ("a\"b", "\"a\\\"b\""),
            ([1, 2.5, true], "[1, 2.5, true]"), (["a": [:], 2: []], "{\"a\": {}, 2: []}"),
            (.binary(Data([1, 0xAB])), "h'01ab'"),
            (.extension(.init(type: 5, data: Data([0]))), "extension(5, h'00')"),
            (.extension(.init(type: -1, data: Data([0, 0, 0, 9]))), "timestamp(9, 0)"),
            (.extension(.init(type: -1, data: Data([9]))), "extension(-1, h'09')"),
            (.float(0.1), "0.1"),
        ] as [(MessagePackValue, String)]
    )
    func description(_ value: MessagePackValue, _ text: String) {
        #expect(value.description == text)
    }

    @Test("a tree goes through JSON as far as JSON can hold it")
    func json() throws {
        let value: MessagePackValue = ["a": [1, -2, 2.5, "x", true, nil], "b": ["c": .uint(.max)]]
        let json = try JSONEncoder().encode(value)
        let decoded = try JSONDecoder().decode(MessagePackValue.self, from: json)
        #expect(decoded["a"] == value["a"] && decoded["b"] == value["b"])
        let pairs = try JSONEncoder().encode([1: "a"] as MessagePackValue)
        #expect(String(decoding: pairs, as: UTF8.self) == "[1,\"a\"]")
    }

    @Test("a tree that is part of a type comes back, and so does one that a type is made from")
    func partOfType() throws {
        struct Envelope: Codable, Equatable {
            var name: String
            var rest: MessagePackValue
            var more: MessagePackValue?
        }
        let envelope = Envelope(name: "a", rest: bag, more: nil)
        #expect(try roundTrip(envelope) == envelope)
        #expect(try tree(envelope) == ["name": "a", "rest": bag])
    }
}
