import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("A predicate selects objects by their identities")
struct PredicateIdentityTests {
    @Test("by identities, captured alone and in arrays")
    func identities() throws {
        let folder = try TemporaryFolder()
        for store in try PredicateTableTests.stores(folder) {
            let context = try PersistentContainer(model: PredicateData.model(), store: store)
                .makeContext()
            PredicateTableTests.fill(context)
            try context.save()
            let parcels = try context.fetch(FetchRequest(Parcel.self).sorted(by: \.label))
            let place: Comment = "\(type(of: store))"
            func labels(_ predicate: Predicate<Parcel>) throws -> [String] {
                let request = FetchRequest(Parcel.self, predicate: predicate)
                return try context.fetch(request.sorted(by: \.label)).map(\.label)
            }

            let id = parcels[3].objectID
            #expect(try labels(#Predicate { $0.objectID == id }) == ["p3"], place)
            #expect(try labels(#Predicate { $0.objectID != id }).count == 9, place)
            let ids = [parcels[1].objectID, id, ObjectID(entity: id.entity, key: 999)]
            #expect(try labels(#Predicate { ids.contains($0.objectID) }) == ["p1", "p3"], place)
            let outer: ObjectID? = parcels[0].objectID
            let inner = ["p3", "p6", "p9"]
            #expect(try labels(#Predicate { $0.outer?.objectID == outer }) == inner, place)
            let nowhere: ObjectID? = nil
            #expect(try labels(#Predicate { $0.outer?.objectID == nowhere }).count == 7, place)
            // An identity of another entity, though a parcel has the same key.
            let shelf = try #require(parcels[0].shelf).objectID
            #expect(try labels(#Predicate { $0.objectID == shelf }) == [], place)
            #expect(try labels(#Predicate { $0.objectID != shelf }).count == 10, place)
            let shelves = [shelf]
            #expect(try labels(#Predicate { shelves.contains($0.objectID) }) == [], place)
            #expect(try labels(#Predicate { $0.outer?.objectID == shelf }) == [], place)
            #expect(try labels(#Predicate { $0.shelf?.objectID == shelf }).count == 3, place)
        }
    }
}
