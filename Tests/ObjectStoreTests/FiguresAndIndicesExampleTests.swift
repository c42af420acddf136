import Foundation
import ObjectStore
import Testing

@Suite("The guide to figures and indices")
struct FiguresAndIndicesExampleTests {
    final class Passenger: ManagedObject {
        @Attribute var name: String
        @ToMany var bags: [Bag]

        static let entity = EntityDescription(
            Passenger.self,
            name: "Passenger",
            properties: [
                .attribute(\.name),
                .toMany(\.bags, inverse: \.owner),
            ]
        )
    }

    final class Bag: ManagedObject {
        @Attribute var tag: String
        @Attribute var weight: Double
        @Attribute var place: String
        @Attribute var departedAt: Date?
        @ToOne var owner: Passenger?

        static let entity = EntityDescription(
            Bag.self,
            name: "Bag",
            properties: [
                .attribute(\.weight, indexed: true),
                .toOne(\.owner, inverse: \.bags),
            ],
            compoundIndices: [[\.owner, \.departedAt]]
        )
    }

    @Test("counts, sums and groups")
    func figures() throws {
        let model = try ManagedObjectModel(Passenger.entity, Bag.entity)
        let container = try PersistentContainer(model: model, store: InMemoryStore())
        let context = container.makeContext()
        let bags = [("F432", 20, "gate 4"), ("9C41", 22.5, "hall"), ("C05A", 4, "hall")]
        for (tag, weight, place) in bags {
            let bag = Bag(context: context)
            (bag.tag, bag.weight, bag.place) = (tag, weight, place)
        }
        try context.save()
        let lines = PrintedLines()
        func print(_ items: Any...) { lines.add(items) }
        let heavy = FetchRequest(Bag.self, predicate: #Predicate { $0.weight > 10 })
        print(try context.count(heavy), try context.exists(heavy))  // 2 true
        print(try context.sum(of: \Bag.weight, heavy))  // 42.5
        print(try context.average(of: \Bag.weight) ?? 0)  // 15.5
        print(try context.minimum(of: \Bag.tag) ?? "-")  // 9C41
        print(try context.maximum(of: \Bag.weight, heavy) ?? 0)  // 22.5
        print(try context.distinctValues(of: \Bag.place))  // ["gate 4", "hall"]
        print(try context.counts(by: \Bag.place)["hall"] ?? 0)  // 2
        for (place, sum) in try context.sums(of: \Bag.weight, by: \.place) {
            print(place, sum)  // gate 4 20.0, then hall 26.5
        }
        for (place, average) in try context.averages(of: \Bag.weight, by: \.place) {
            print(place, average ?? 0)  // gate 4 20.0, then hall 13.25
        }
        for (place, weights) in try context.extremes(of: \Bag.weight, by: \.place) {
            // gate 4 20.0 20.0, then hall 4.0 22.5
            print(place, weights?.minimum ?? 0, weights?.maximum ?? 0)
        }
        #expect(
            lines.all == [
                "2 true", "42.5", "15.5", "9C41", "22.5", #"["gate 4", "hall"]"#, "2",
                "gate 4 20.0", "hall 26.5", "gate 4 20.0", "hall 13.25", "gate 4 20.0 20.0",
                "hall 4.0 22.5",
            ]
        )
    }
}
