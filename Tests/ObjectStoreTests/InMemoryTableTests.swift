import StoreTesting
import Testing

@testable import ObjectStore

@Suite("Rows in memory")
struct InMemoryTableTests {
    private let model: ManagedObjectModel
    private let seals: ManagedObjectModel.Entity
    private var table: InMemoryTable

    private static func reference(_ key: Int64) -> AttributeValue {
        .reference(ObjectID(entity: 1, key: key))
    }

    /// A thousand seals: a hundred bags have ten each.
    init() throws {
        model = try TestModel.make()
        seals = try #require(model.entities.first { $0.name == "Seal" })
        table = InMemoryTable(seals)
        for key in 1...1000 { table.put(row(Int64(key), of: Int64(key % 100))) }
    }

    private func row(_ key: Int64, of bag: Int64?) -> StoredRow {
        StoredRow(
            id: ObjectID(entity: seals.index, key: key),
            version: 1,
            values: [.integer(key), bag.map(Self.reference) ?? .null]
        )
    }

    private func query(_ filter: StoreExpression?) -> StoreQuery {
        StoreQuery(model: model, entity: seals, filter: filter)
    }

    @Test("are looked at as far as no index tells that they are not meant")
    func candidates() throws {
        let bag = StoreExpression.equal(.column(1), .constant(Self.reference(7)))
        let number = StoreExpression.equal(.column(0), .constant(.integer(107)))
        let keys = Set(
            [107, 108, 2000].map {
                AttributeValue.reference(ObjectID(entity: seals.index, key: $0))
            }
        )
        let one = AttributeValue.reference(ObjectID(entity: seals.index, key: 207))
        let table: [(StoreExpression?, Int)] = [
            (nil, 1000), (number, 1000), (bag, 10), (.and(number, bag), 10), (.not(bag), 1000),
            (.or(bag, number), 1000), (.equal(.column(1), .constant(.null)), 1000),
            (.isOneOf(.column(1), [Self.reference(7), Self.reference(8)]), 20),
            (.isOneOf(.column(1), [Self.reference(7), .null]), 1000),
            (.isOneOf(.column(1), []), 0), (.isOneOf(.key, keys), 2),
            (.and(.and(.isOneOf(.key, keys), .always), bag), 2),
            (.or(bag, .isOneOf(.key, keys)), 11), (.or(.equal(.key, .constant(one)), bag), 10),
            (.equal(.constant(one), .key), 1),
            (.or(.and(number, bag), .and(.isOneOf(.key, keys), number)), 11),
        ]
        for (filter, count) in table {
            #expect(self.table.candidates(for: query(filter)).count == count)
        }
        #expect(self.table.rows(where: [1], areOneOf: [[Self.reference(7)]]).count == 10)
        #expect(self.table.rows(where: [0], areOneOf: [[.integer(107)], [.integer(5)]]).count == 2)
        #expect(
            self.table.rows(where: [0, 1], areOneOf: [[.integer(107), Self.reference(7)]]).count
                == 1
        )
    }

    @Test("are found by what they hold now")
    func changes() throws {
        var table = table
        let seven = StoreExpression.equal(.column(1), .constant(Self.reference(7)))
        let eight = StoreExpression.equal(.column(1), .constant(Self.reference(8)))
        table.put(row(107, of: 8))
        table.put(row(207, of: nil))
        table.remove(307)
        #expect(table.candidates(for: query(seven)).count == 7)
        #expect(table.candidates(for: query(eight)).count == 11)
        table.put(row(207, of: 8))
        #expect(table.candidates(for: query(eight)).count == 12)
        #expect(table.candidates(for: query(nil)).count == 999)
        #expect(self.table.candidates(for: query(seven)).count == 10)
    }
}
