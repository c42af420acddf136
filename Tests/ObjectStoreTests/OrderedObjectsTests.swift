import SeededRandom
import Testing

@testable import ObjectStore

@Suite("Objects in an order")
struct OrderedObjectsTests {
    @Test("are in it after any changes, and copies stay as they were", arguments: 1...30)
    func changes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let order = [StoreOrder(column: 2, isDescending: true), StoreOrder(column: 0)]
        var ordered = OrderedObjects(entity: 0, order: order)
        var model: [ObjectID: [AttributeValue]] = [:]
        var copies: [(OrderedObjects, [ObjectID: [AttributeValue]])] = []
        for step in 0..<1500 {
            let id = ObjectID(entity: 0, key: Int64(random.number(below: 400)) - 200)
            if let old = model.removeValue(forKey: id) {
                ordered.remove(id, ObjectRow(inserting: old))
            }
            // Many are equal in the order, or in its first term, or have no place in it.
            let values: [AttributeValue] = [
                random.number(below: 5) == 0
                    ? .real(.nan) : .real(Double(random.number(below: 9))),
                .integer(Int64(step)),
                random.number(below: 5) == 0
                    ? .null : .text(String(random.number(below: 12))),
            ]
            if random.number(below: 3) > 0 {
                ordered.insert(id, ObjectRow(inserting: values))
                model[id] = values
            }
            if step.isMultiple(of: 250) { copies.append((ordered, model)) }
        }
        for (ordered, model) in copies + [(ordered, model)] {
            let expected = model.sorted { Self.isInOrder($0, $1) }
            func ids(_ bounds: [ValueBounds], before end: StoredRow? = nil) -> [ObjectID] {
                Array(ordered.ids(at: ordered.places(within: bounds, before: end)))
            }
            #expect(ids([]) == expected.map(\.key))
            for _ in 0..<20 {
                let limits = (0..<2).map { _ in
                    AttributeValue.text(String(random.number(below: 13)))
                }
                let least = ValueBounds(
                    column: 2,
                    isBelow: { $0 < limits[0] },
                    isAbove: { _ in false }
                )
                let most = ValueBounds(
                    column: 2,
                    isBelow: \.isNull,
                    isAbove: { $0 >= limits[1] }
                )
                let others = ValueBounds(
                    column: 0,
                    isBelow: { _ in true },
                    isAbove: { _ in true }
                )
                let above = expected.filter { limits[0] <= $0.value[2] }
                let below = expected.filter { $0.value[2] < limits[1] && !$0.value[2].isNull }
                #expect(ids([least, others]) == above.map(\.key))
                #expect(ids([most]) == below.map(\.key))
                let between = Set(above.map(\.key)).intersection(below.map(\.key))
                #expect(ids([most, least]) == above.map(\.key).filter(between.contains))
            }
            for (place, (id, values)) in expected.enumerated() {
                let row = StoredRow(id: id, version: 1, values: RowValues(values))
                #expect(ids([], before: row) == expected[..<place].map(\.key))
            }
        }
    }

    private static func isInOrder(
        _ a: (key: ObjectID, value: [AttributeValue]),
        _ b: (key: ObjectID, value: [AttributeValue])
    ) -> Bool {
        func number(_ value: AttributeValue) -> Double {
            if case .real(let number) = value, !number.isNaN { number } else { -1 }
        }
        if a.value[2] != b.value[2] { return b.value[2] < a.value[2] }
        let numbers = (number(a.value[0]), number(b.value[0]))
        return numbers.0 == numbers.1 ? a.key < b.key : numbers.0 < numbers.1
    }
}
