import Foundation
import MessagePack
import SeededRandom

/// Values of all kinds, the same for the same seed.
struct ValueGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func value(depth: Int = 4) -> MessagePackValue {
        switch random.number(below: depth > 0 ? 13 : 9) {
        case 0: nil
        case 1: .bool(random.number(below: 2) == 0)
        case 2, 3: integer()
        case 4: .double(double())
        case 5: .float(Float(random.number(in: -1e6...1e6)))
        case 6: .string(text())
        case 7: .binary(data())
        case 8: special()
        case 9, 10: .array((0..<count()).map { _ in value(depth: depth - 1) })
        default: .map(map(depth: depth - 1))
        }
    }

    mutating func integer() -> MessagePackValue {
        let bits = random.next() >> UInt64(random.number(below: 64))
        if random.number(below: 2) == 0, let number = Int64(exactly: bits) { return .int(-number) }
        return Int64(exactly: bits).map { .int($0) } ?? .uint(bits)
    }

    mutating func double() -> Double {
        let number = Double(bitPattern: random.next())
        return number.isNaN ? random.unit() : number
    }

    mutating func text() -> String {
        let letters = Array("abc xyz\"\\\u{0}éßИ漢🧳\u{301}")
        return String((0..<count()).map { _ in letters[random.number(below: letters.count)] })
    }

    mutating func data() -> Data {
        Data((0..<count()).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    mutating func date() -> Date {
        Date(timeIntervalSince1970: random.number(in: -3e10...3e10))
    }

    /// Mostly few, sometimes more than fit the shortest forms.
    mutating func count() -> Int {
        switch random.number(below: 40) {
        case 0: 250 + random.number(below: 20)
        case 1...5: random.number(below: 40)
        default: random.number(below: 6)
        }
    }

    private mutating func special() -> MessagePackValue {
        if random.number(below: 2) == 0 {
            let type = Int8(random.number(below: 128))
            return .extension(MessagePackExtension(type: type, data: data()))
        }
        let seconds = Int64(bitPattern: random.next()) >> Int64(20 + random.number(below: 40))
        let nanoseconds =
            random.number(below: 2) == 0 ? 0 : UInt32(random.number(below: 999_999_999))
        return MessagePackTimestamp(seconds: seconds, nanoseconds: nanoseconds)
            .map { .timestamp($0) } ?? nil
    }

    private mutating func map(depth: Int) -> MessagePackMap {
        var map = MessagePackMap()
        for _ in 0..<count() {
            let key: MessagePackValue =
                switch random.number(below: 10) {
                case 0: integer()
                case 1: .binary(data())
                default: .string(text())
                }
            map[key] = value(depth: depth)
        }
        return map
    }
}

/// A type with a property of every kind that Codable knows.
struct Everything: Codable, Equatable {
    enum Colour: String, Codable, CaseIterable { case red, green, blue }
    enum Shape: Codable, Equatable { case none, circle(Double), named(name: String, sides: [Int]) }

    var flag: Bool
    var integers: [Int64]
    var small: Int8
    var large: UInt64
    var double: Double
    var floats: [Float]
    var text: String?
    var data: Data?
    var date: Date?
    var id: UUID
    var url: URL?
    var price: Decimal
    var colours: [Colour: Int]
    var names: [String: String?]
    var numbers: [Int: Colour]
    var identified: [UUID: [Date]]
    var shapes: [Shape?]
    var children: [Everything]
}

extension ValueGenerator {
    mutating func everything(depth: Int = 3) -> Everything {
        let children = depth > 0 ? random.number(below: 3) : 0
        return Everything(
            flag: random.number(below: 2) == 0,
            integers: many {
                Int64(bitPattern: $0.random.next()) >> Int64($0.random.number(below: 64))
            },
            small: Int8(truncatingIfNeeded: random.next()),
            large: random.next(),
            double: double(),
            floats: many { Float($0.random.unit()) },
            text: maybe { $0.text() },
            data: maybe { $0.data() },
            date: maybe { $0.date() },
            id: identifier(),
            url: maybe { URL(string: "https://example.org/\($0.random.next())?a=b") } ?? nil,
            price: Decimal(Int(truncatingIfNeeded: random.next())) / 1000,
            colours: [.red: random.number(below: 9), .blue: random.number(below: 9)],
            names: Dictionary(many { ($0.text(), $0.maybe { $0.text() }) }) { first, _ in first },
            numbers: Dictionary(many { (Int(bitPattern: UInt($0.random.next())), .green) }) {
                first,
                _ in first
            },
            identified: Dictionary(
                many { generator in
                    (generator.identifier(), generator.many { $0.date() })
                }
            ) { first, _ in first },
            shapes: many { generator in
                switch generator.random.number(below: 4) {
                case 0: nil
                case 1: Everything.Shape.none
                case 2: .circle(generator.double())
                default: .named(name: generator.text(), sides: generator.many { $0.count() })
                }
            },
            children: (0..<children).map { _ in everything(depth: depth - 1) }
        )
    }

    mutating func identifier() -> UUID {
        let bytes = [random.next(), random.next()].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
        let digits = bytes.hexadecimal
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(digits.dropFirst(range.lowerBound).prefix(range.count))
        }
        return UUID(uuidString: groups.joined(separator: "-")) ?? UUID()
    }

    private mutating func many<Element>(_ make: (inout ValueGenerator) -> Element) -> [Element] {
        (0..<random.number(below: 5)).map { _ in make(&self) }
    }

    private mutating func maybe<Value>(_ make: (inout ValueGenerator) -> Value) -> Value? {
        random.number(below: 3) == 0 ? nil : make(&self)
    }
}
