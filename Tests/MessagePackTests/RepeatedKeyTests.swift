import SeededRandom
import Testing

@testable import MessagePack

/// Any text as a key.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

private typealias Pairs = KeyedEncodingContainer<AnyKey>

/// A way of writing keys more than once, and how many keys are left of it.
struct Repetition: CustomTestStringConvertible, Sendable {
    let testDescription: String
    fileprivate let left: Int
    fileprivate let write: @Sendable (inout Pairs) throws -> Void

    static let count = 20_000

    static let all = [
        Repetition(testDescription: "one key again and again", left: 1) { pairs in
            for number in 0..<count { try pairs.encode(number, forKey: AnyKey("a")) }
        },
        Repetition(testDescription: "few keys in turn", left: 12) { pairs in
            for number in 0..<count { try pairs.encode(number, forKey: AnyKey("\(number % 12)")) }
        },
        Repetition(testDescription: "few keys, one of them seldom", left: 12) { pairs in
            for number in 0..<count {
                let key = number.isMultiple(of: 1000) ? number / 1000 % 11 : 11
                try pairs.encode(number, forKey: AnyKey("\(key)"))
            }
        },
        Repetition(testDescription: "many keys, and then each again", left: count) { pairs in
            for number in 0..<2 * count {
                try pairs.encode(number, forKey: AnyKey("\(number % count)"))
            }
        },
        Repetition(testDescription: "many keys, and then each again backwards", left: count) {
            pairs in
            for number in 0..<count { try pairs.encode(number, forKey: AnyKey("\(number)")) }
            for number in (0..<count).reversed() {
                try pairs.encode(number, forKey: AnyKey("\(number)"))
            }
        },
        Repetition(testDescription: "many arrays, each replaced by a longer one", left: count) {
            pairs in
            for number in 0..<2 * count {
                let items = Array(repeating: 1, count: 16 + number / count)
                try pairs.encode(items, forKey: AnyKey("\(number % count)"))
            }
        },
        Repetition(testDescription: "many containers that are filled later", left: count) { pairs in
            for number in 0..<2 * count {
                var items = pairs.nestedUnkeyedContainer(forKey: AnyKey("\(number % count)"))
                try items.encode(number)
            }
        },
        Repetition(testDescription: "such containers, each replaced by a number", left: count) {
            pairs in
            for number in 0..<count {
                var items = pairs.nestedUnkeyedContainer(forKey: AnyKey("\(number)"))
                try items.encode(number)
            }
            for number in 0..<count { try pairs.encode(number, forKey: AnyKey("\(number)")) }
        },
    ]
}

@Suite struct RepeatedKeyTests {
    @Test(
        "keys that are replaced take work in proportion to the message",
        arguments: Repetition.all
    )
    func work(_ repetition: Repetition) throws {
        let session = EncodingSession(options: MessagePackEncoder())
        defer { session.end() }
        let root = ValueEncoder(session: session)
        let value = Encoded { encoder in
            var pairs = encoder.container(keyedBy: AnyKey.self)
            try repetition.write(&pairs)
        }
        try root.write(value, step: .here)
        let bytes = try unsafe root.output.withBytes { unsafe Array($0) }
        guard
            case .map(let map) = try MessagePackDecoder().decode(
                MessagePackValue.self,
                from: bytes
            )
        else {
            Issue.record("it is no map")
            return
        }
        #expect(map.count == repetition.left)
        // Looked up among few keys, or by halves among many.
        #expect(root.output.looks < 40 * Repetition.count)
    }

    @Test(
        "the last value of each key is what is written, of whatever kind both are",
        arguments: 0..<200
    )
    func lastValues(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let keys = 1 + random.number(below: 20)
        var expected: [MessagePackValue: MessagePackValue] = [:]
        func item() -> MessagePackValue {
            switch random.number(below: 4) {
            case 0: .int(Int64(random.number(below: 100)))
            case 1: .array(Array(repeating: 7, count: random.number(below: 20)))
            case 2: .map(["a": ["b": [1, 2, 3]], "c": nil])
            default: .string(String(repeating: "x", count: random.number(below: 40)))
            }
        }
        let value = Encoded { encoder in
            var pairs = encoder.container(keyedBy: AnyKey.self)
            for _ in 0..<random.number(below: 60) {
                let name = "k\(random.number(below: keys))"
                let item = item()
                switch random.number(below: 4) {
                case 0:
                    // What was written before is replaced, unless it is such a container too.
                    var items = pairs.nestedUnkeyedContainer(forKey: AnyKey(name))
                    let known = items.count
                    try items.encode(item)
                    if known > 0, case .array(let old)? = expected[.string(name)] {
                        expected[.string(name)] = .array(old + [item])
                    } else {
                        expected[.string(name)] = [item]
                    }
                case 1:
                    var inner = pairs.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(name))
                    try inner.encode(1, forKey: AnyKey("same"))
                    try inner.encode(item, forKey: AnyKey("same"))
                    expected[.string(name)] = ["same": item]
                default:
                    try pairs.encode(item, forKey: AnyKey(name))
                    expected[.string(name)] = item
                }
            }
        }
        guard case .map(let map) = try tree([value]).items?.first else {
            Issue.record("it is no map")
            return
        }
        #expect(map.count == expected.count, "seed \(seed)")
        for pair in map { #expect(expected[pair.key] == pair.value, "seed \(seed)") }
    }
}

extension MessagePackValue {
    fileprivate var items: [MessagePackValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}
