import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("The guide that shows a Core Data program side by side")
struct SideBySideExampleTests {
    final class Luggage: ManagedObject, Decodable {
        @Attribute var identifier: UUID
        @Attribute var weight: Double
        @Attribute var departedAt: Date?
        @Attribute var arrivedAt: Date?
        @ToOne var owner: Passenger?

        private enum CodingKeys: String, CodingKey {
            case identifier = "id"
            case weight, owner
        }

        convenience init(from decoder: any Decoder) throws {
            self.init(context: try decoder.managedObjectContext())
            let values = try decoder.container(keyedBy: CodingKeys.self)
            identifier = try values.decode(UUID.self, forKey: .identifier)
            weight = try values.decode(Double.self, forKey: .weight)
            owner = try values.decodeIfPresent(Passenger.self, forKey: .owner)
        }

        static let entity = EntityDescription(
            Luggage.self,
            name: "Luggage",
            properties: [.attribute(\.weight, .minimum(0)), .toOne(\.owner, inverse: \.luggage)],
            uniquenessConstraints: [[\.identifier]]
        )
    }

    final class Passenger: ManagedObject, Decodable {
        @Attribute var givenName: String
        @Attribute var familyName: String
        @ToMany var luggage: [Luggage]

        convenience init(from decoder: any Decoder) throws {
            self.init(context: try decoder.managedObjectContext())
            var name = try decoder.unkeyedContainer()
            givenName = try name.decode(String.self)
            familyName = try name.decode(String.self)
        }

        static let entity = EntityDescription(
            Passenger.self,
            name: "Passenger",
            properties: [.toMany(\.luggage, inverse: \.owner)],
            uniquenessConstraints: [[\.givenName, \.familyName]]
        )
    }

    private static func tag(_ digit: Int, weight: Double = 42, owner: String = "ZMU") -> Data {
        let id = "F432BDB8-D84F-4461-8362-AFF89F6C493\(digit)"
        return Data(#"{"id": "\#(id)", "weight": \#(weight), "owner": ["D", "\#(owner)"]}"#.utf8)
    }

    @Test(
        "files bags twice, keeps nothing of a wrong tag, and lists owners with their bags",
        arguments: TestStore.allCases
    )
    func program(store: TestStore) async throws {
        try await store.withStore { try await run(on: $0) }
    }

    private func run(on store: any PersistentStore) async throws {
        let model = try ManagedObjectModel(Luggage.entity, Passenger.entity)
        let container = try PersistentContainer(model: model, store: store)

        func file(
            _ tag: Data,
            _ point: ReferenceWritableKeyPath<Luggage, Date?>,
            at date: Date
        ) throws {
            let context = container.makeContext()
            let decoder = JSONDecoder()
            decoder.userInfo[.context] = context
            let bag = try context.transaction { try decoder.decode(Luggage.self, from: tag) }
            bag[keyPath: point] = date
            try context.save()
        }

        let byName = FetchRequest(Passenger.self).sorted(by: \.familyName)
        var changes = try container.observe(byName.prefetching(\.luggage)).makeAsyncIterator()
        #expect(try await changes.next()?.ids == [])

        let (morning, noon) = (Date(), Date(timeIntervalSinceNow: 3600))
        try file(Self.tag(1), \.departedAt, at: morning)
        #expect(try await changes.next()?.inserted == [0])
        try file(Self.tag(1), \.arrivedAt, at: noon)
        let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
        let bag = try #require(bags.first)
        #expect(bag.departedAt == morning && bag.arrivedAt == noon)

        // Another bag of the same passenger: the row of the list is told.
        try file(Self.tag(2), \.departedAt, at: morning)
        var updated: [Int] = []
        while updated.isEmpty { updated = try #require(try await changes.next()).updated }
        #expect(updated == [0])
        let owners = try container.makeContext().fetch(byName)
        #expect(owners.map(\.luggage.count) == [2])

        let wrong = Data(#"{"id": "F432BDB8-D84F-4461-8362-AFF89F6C4933", "weight": "much"}"#.utf8)
        #expect(throws: DecodingError.self) { try file(wrong, \.departedAt, at: morning) }
        #expect(throws: ValidationError.self) {
            try file(Self.tag(3, weight: -1, owner: "ABC"), \.departedAt, at: morning)
        }
        #expect(try container.makeContext().count(FetchRequest(Luggage.self)) == 2)
        #expect(try container.makeContext().fetch(byName).map(\.familyName) == ["ZMU"])
    }
}
