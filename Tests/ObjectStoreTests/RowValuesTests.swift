import Foundation
import SeededRandom
import Testing

@testable import ObjectStore

@Suite("The values of a row")
struct RowValuesTests {
    /// Each kind, at the ends of what it holds and of what fits into a packed row.
    private static let values: [AttributeValue] =
        [.null, .invalid("cannot be a value")]
        + [Int64.min, -.init(1 << 56), -32_769, -129, -128, -1, 0, 1, 127, 128, 255, 1 << 31, .max]
        .map {
            .integer($0)
        }
        + [
            0, -0.0, 1, 0.1, -1.5, .pi, .infinity, -.infinity, .nan, .signalingNaN,
            .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, Double(Float.greatestFiniteMagnitude), 812_345_678.123,
        ].map { .real($0) }
        + [0, 1, 15, 16, 36, 1000, 1023, 1024, 70_000].flatMap { length in
            [
                .text(String(repeating: "é", count: length)),
                .text(String(repeating: "x", count: length)),
                .data(Data(repeating: 0xFF, count: length)),
            ]
        }
        + ["\u{0}", "e\u{301}", "👩‍👩‍👧‍👦🧳"].map { .text($0) }
        + [0, 1, 254, 255, 256, 70_000].flatMap { entity in
            [Int64.min, -1, 0, 1, .max].map { .reference(ObjectID(entity: entity, key: $0)) }
        }

    /// What tells two values apart that are equal, too: NaN, 0 and -0.
    private static func bits(_ value: AttributeValue) -> String {
        if case .real(let number) = value { return "real \(number.bitPattern)" }
        if case .text(let text) = value { return "text \(Array(text.utf8))" }
        if case .data(let data) = value { return "data \(Array(data))" }
        return "\(value)"
    }

    private static func keeps(_ values: [AttributeValue]) -> Bool {
        let row = RowValues(values)
        return row.count == values.count && row.map(bits) == values.map(bits)
    }

    @Test("of every kind are as they were given", arguments: values)
    func kinds(value: AttributeValue) {
        #expect(Self.keeps([value]))
        #expect(Self.keeps([.null, value, .null, value]))
    }

    @Test("are as many as were given", arguments: [0, 1, 2, 255, 300, 511, 512, 513, 40_000])
    func counts(count: Int) {
        #expect(Self.keeps(Array(repeating: .null, count: count)))
        #expect(Self.keeps((0..<count).map { .integer(Int64($0)) }))
    }

    @Test("are those that were given, last set and compared, in any rows", arguments: 1...10)
    func anyRows(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rows: [[AttributeValue]] = []
        for _ in 0..<60 {
            var values = (0..<random.number(below: 12)).map { _ in
                Self.values[random.number(below: Self.values.count)]
            }
            var row = RowValues(values)
            if !values.isEmpty {
                let (column, value) = (
                    random.number(below: values.count),
                    Self.values[random.number(below: Self.values.count)]
                )
                values[column] = value
                row[column] = value
            }
            #expect(row.map(Self.bits) == values.map(Self.bits))
            rows.append(values)
        }
        for a in rows {
            for b in rows where a != b { #expect(RowValues(a) != RowValues(b)) }
            // NaN is equal to nothing; whether a row with it is equal to itself does not matter.
            if a.allSatisfy({ $0 == $0 }) { #expect(RowValues(a) == RowValues(a)) }
        }
    }

    @Test("that are equal are the same value of a set")
    func equality() {
        let rows: [RowValues] = [[.real(0), .text("é")], [.real(-0.0), .text("é")]].map {
            RowValues($0)
        }
        #expect(rows[0] == rows[1])
        #expect(Set(rows).count == 1)
        // As constraints have it, which compare bytes.
        #expect(RowValues([.text("é")]) != RowValues([.text("e\u{301}")]))
        #expect(RowValues([.integer(1)]) != RowValues([.real(1)]))
    }

    @Test("that differ only at their ends are told apart by their hashes")
    func hashesOfLongValues() {
        let beginning = Data(repeating: 7, count: 200)
        let values = (0..<100).flatMap { number in
            [
                AttributeValue.data(beginning + [number]),
                .text(String(repeating: "7", count: 200) + "\(number)"),
            ]
        }
        #expect(Set(values.map(\.hashValue)).count == values.count)
    }

    @Test("of several rows that one packer packs do not mix")
    func severalRows() {
        var packer = RowPacker(columnCount: 2)
        let rows: [[AttributeValue]] = [
            [.text("one"), .integer(1)], [.text(String(repeating: "x", count: 2000)), .integer(2)],
            [.null, .null], [.integer(3), .text("three")],
        ]
        let packed = rows.map { row in
            for value in row { packer.append(value) }
            return packer.takeRow()
        }
        #expect(packed.map { $0.map { Array($0) } } == [rows[0], nil, rows[2], rows[3]])
    }

    @Test("take the memory that they need, and not what the packer has for longer ones")
    func capacity() throws {
        var packer = RowPacker(columnCount: 1)
        for length in [900, 3, 100] {
            let row = RowValues([.text(String(repeating: "x", count: length))], packedBy: &packer)
            let packed = Mirror(reflecting: row).descendant("storage", "packed") as? PackedRow
            let block = try #require(packed).block
            #expect(block.capacity < Int(block.header) + 16)
        }
    }

    @Test(
        "are not packed if they are fewer or more than the columns",
        arguments: [0, 1, 2, 4, 5, 600]
    )
    func otherCounts(count: Int) {
        var packer = RowPacker(columnCount: 3)
        let rows = [3, count, 3].map { count in
            (0..<count).map { AttributeValue.integer(Int64($0)) }
        }
        for row in rows {
            let values = RowValues(row, packedBy: &packer)
            #expect(Array(values) == row)
        }
    }
}
