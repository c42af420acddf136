import Foundation
import ObjectStore
import Testing

@Suite("The tutorial of two stations")
struct MergingTwoStationsExampleTests {
    final class Passenger: ManagedObject {
        @Attribute var familyName: String
        @ToMany var bags: [Bag]

        static let entity = EntityDescription(
            Passenger.self,
            name: "Passenger",
            properties: [
                .attribute(\.familyName, .length(1...40)),
                .toMany(\.bags, inverse: \.owner),
            ],
            uniquenessConstraints: [[\.familyName]]
        )
    }

    final class Bag: ManagedObject {
        @Attribute var tag: String
        @Attribute var weight: Double
        @Attribute var departedAt: Date?
        @Attribute var arrivedAt: Date?
        @ToOne var owner: Passenger?

        static let entity = EntityDescription(
            Bag.self,
            name: "Bag",
            properties: [
                .attribute(\.weight, .finite, .minimum(0)),
                .attribute(\.departedAt, combining: .maximum),
                .attribute(\.arrivedAt, combining: .maximum),
                .toOne(\.owner, inverse: \.bags),
            ],
            uniquenessConstraints: [[\.tag]]
        )
    }

    @Test("merges their scans")
    func merging() throws {
        let lines = PrintedLines()
        func print(_ items: Any...) { lines.add(items) }
        let model = try ManagedObjectModel(Passenger.entity, Bag.entity)
        let container = try PersistentContainer(model: model, store: InMemoryStore())

        let origin = container.makeContext()
        let departing = Bag(context: origin)
        departing.tag = "F432"
        departing.weight = 20
        departing.departedAt = Date(timeIntervalSince1970: 1_000)
        let passenger = Passenger(context: origin)
        passenger.familyName = "ZMU"
        departing.owner = passenger
        try origin.save()

        let destination = container.makeContext()
        let arriving = Bag(context: destination)
        arriving.tag = "F432"
        arriving.arrivedAt = Date(timeIntervalSince1970: 9_000)
        let owner = Passenger(context: destination)
        owner.familyName = "ZMU"
        arriving.owner = owner
        try destination.save()

        let bags = try destination.fetch(FetchRequest(Bag.self))
        print(bags.count)  // 1
        print(arriving.objectID == bags[0].objectID)  // true
        print(arriving.departedAt != nil)  // true: from the other station
        print(arriving.weight)  // 20.0: from the other station
        print(arriving.owner?.bags.count ?? 0)  // 1

        let heavy = #Predicate<Bag> { $0.weight > 10 && $0.arrivedAt != nil }
        let found = try destination.fetch(
            FetchRequest(Bag.self, predicate: heavy).sorted(by: \.weight, .descending).limited(
                to: 20
            )
        )
        print(found.map(\.tag))  // ["F432"]

        let strict = container.makeContext(mergePolicy: .error)
        let again = Bag(context: strict)
        again.tag = "F432"
        again.weight = 25
        do {
            try strict.save()
        } catch let error as MergeConflictError {
            print(error)  // Bag: another object on record has the same tag
            strict.rollback()
        }
        #expect(
            lines.all == [
                "1", "true", "true", "20.0", "1", #"["F432"]"#,
                "Bag: another object on record has the same tag",
            ]
        )
        #expect(!strict.hasChanges)
    }
}
