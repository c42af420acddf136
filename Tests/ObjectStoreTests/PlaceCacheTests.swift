import StoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("The key path of a property")
struct PlaceCacheTests {
    private static let place = ManagedObjectModel.PropertyPlace.slot(entity: 0, slot: 1)

    @Test("that the compiler keeps is found as such once that is noted, in copies too")
    func constant() {
        let (weight, other) = (\Luggage.weight as AnyKeyPath, \Luggage.tag as AnyKeyPath)
        var cache = PlaceCache()
        cache.setConstant(weight)
        #expect(cache.constant(weight) == nil && cache[weight] == nil)
        cache.note(Self.place, of: weight)
        #expect(cache.constant(weight) == nil && cache[weight] == Self.place)
        cache.setConstant(weight)
        cache.setConstant(other)
        let copy = cache
        #expect(copy.constant(weight) == Self.place && copy[weight] == Self.place)
        #expect(copy.constant(other) == nil && copy[other] == nil)
    }

    @Test("is known to stay once a property was read twice, in contexts that are made later too")
    func readTwice() throws {
        let container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
        let context = container.makeContext()
        let bag = Luggage(context, "A", weight: 1)
        for _ in 0..<3 { bag.note = "fragile" }
        _ = bag.priority
        #expect(context.constantCount == 0)
        #expect(bag.priority == 3)
        #expect(context.constantCount == 1)
        #expect(container.makeContext().constantCount == 1)
        #expect(bag.priority == 3)
    }

    /// Parcels with anything in them: of its properties each use makes another key path.
    private final class Parcel<Content>: ManagedObject {
        @Attribute var weight = 1.0
        @Attribute var label: String?
        @ToOne var outer: Parcel?
        @ToMany var inner: [Parcel]

        static var entity: EntityDescription {
            EntityDescription(
                Parcel.self,
                name: "Parcel",
                properties: [
                    .toOne(\.outer, inverse: \.inner), .toMany(\.inner, inverse: \.outer),
                ]
            )
        }
    }

    @Test("of a generic class is made at each use, and leads to its property all the same")
    func generic() throws {
        // In a function of its own, in which the class is not known when it is compiled.
        func use<Content>(_ type: Parcel<Content>.Type) throws {
            let container = try PersistentContainer(
                model: ManagedObjectModel(Parcel<Content>.entity),
                store: InMemoryStore()
            )
            let context = container.makeContext()
            let parcels = (0..<10).map { _ in Parcel<Content>(context: context) }
            for round in 0..<3 {
                for (number, parcel) in parcels.enumerated() {
                    parcel.weight += Double(number)
                    parcel.label = "\(round) \(number)"
                    parcel.outer = parcels[number / 2]
                }
            }
            try context.save()
            // `+=` reads and assigns with one and the same; what stays though it is made at each use is lost memory.
            #expect(context.constantCount == 0)
            #expect(parcels.map(\.weight) == (0..<10).map { 1 + 3 * Double($0) })
            #expect(parcels.map(\.label) == (0..<10).map { "2 \($0)" })
            #expect(parcels[2].inner == [parcels[4], parcels[5]])
        }
        try use(Parcel<Int>.self)
        try use(Parcel<String>.self)
    }
}

extension ManagedObjectContext {
    /// How many key paths of properties are known to stay for as long as the program.
    fileprivate var constantCount: Int {
        state.withLock { $0.places.entries.count(where: \.isConstant) }
    }
}
