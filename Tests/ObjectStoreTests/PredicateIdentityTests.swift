import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
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

    @Test("by one of another entity finds nothing, though both are changed and many others")
    func otherEntity() throws {
        let folder = try TemporaryFolder()
        for store in try PredicateTableTests.stores(folder) {
            let container = try PersistentContainer(model: PredicateData.model(), store: store)
            let context = container.makeContext()
            PredicateTableTests.fill(context)
            try context.save()
            for parcel in try context.fetch(FetchRequest(Parcel.self)) { parcel.count += 1 }
            for number in 0..<20 { Parcel(context: context).count = number }
            let shelf = try #require(try context.fetch(FetchRequest(Shelf.self)).first)
            shelf.label = "changed"
            let id = shelf.objectID
            let ids = [id]
            for predicate: Predicate<Parcel> in [
                #Predicate { $0.objectID == id }, #Predicate { ids.contains($0.objectID) },
                #Predicate { ids.contains($0.objectID) && $0.count > 0 },
            ] {
                let found = try context.fetch(FetchRequest(Parcel.self, predicate: predicate))
                #expect(found.isEmpty, "\(type(of: store))")
            }
        }
    }

    @Test("by an identity that was captured before the object was saved")
    func captured() throws {
        let folder = try TemporaryFolder()
        for store in try PredicateTableTests.stores(folder) {
            let place: Comment = "\(type(of: store))"
            let container = try PersistentContainer(model: PredicateData.model(), store: store)
            let context = container.makeContext()
            PredicateTableTests.fill(context)
            let parcels = try context.fetch(FetchRequest(Parcel.self).sorted(by: \.label))
            let (id, shelf) = (parcels[3].objectID, try #require(parcels[3].shelf))
            let (ids, shelfID) = ([id, parcels[4].objectID], shelf.objectID)
            let requests = [
                FetchRequest(Parcel.self, predicate: #Predicate { $0.objectID == id }),
                FetchRequest(Parcel.self, predicate: #Predicate { ids.contains($0.objectID) }),
                FetchRequest(Parcel.self, predicate: #Predicate { $0.shelf?.objectID == shelfID }),
                FetchRequest(
                    Parcel.self,
                    predicate: #Predicate { $0.outer?.shelf?.objectID == shelfID ? false : true }
                ),
                FetchRequest(Parcel.self).where(\.shelf, is: shelf),
            ].map { $0.sorted(by: \.label) }
            let other = FetchRequest(
                Shelf.self,
                predicate: #Predicate { $0.parcels.contains { $0.objectID == id } }
            )
            func found() throws -> [[String]] {
                try requests.map { try context.fetch($0).map(\.label) }
                    + [context.fetch(other).map(\.label)]
            }
            let pending = try found()
            #expect(pending.map(\.count) == [1, 2, 3, 10, 3, 1], place)
            try context.save()
            #expect(id.isProvisional)
            #expect(try found() == pending, place)
            #expect(try context.count(requests[0]) == 1, place)
            #expect(try context.exists(requests[2]), place)
            #expect(try context.maximum(of: \Parcel.label, requests[1]) == "p4", place)

            // What this context does not know is not taken for nothing.
            let stranger = container.makeContext()
            let error = #expect(throws: UnsupportedPredicateError.self, place) {
                try stranger.fetch(requests[0])
            }
            #expect(error?.description.contains("\(id)") == true, place)
            #expect(throws: UnsupportedPredicateError.self, place) { try stranger.count(other) }
            #expect(throws: UnsupportedPredicateError.self, place) {
                try container.observe(requests[1])
            }
        }
    }

    @Test("by one that was captured before the object was merged into another")
    func merged() throws {
        let folder = try TemporaryFolder()
        let stores: [any PersistentStore] = [
            InMemoryStore(), try SQLiteStore(path: folder.path("store.sqlite")),
        ]
        for store in stores {
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            let first = container.makeContext()
            _ = Luggage(first, "A", weight: 1)
            try first.save()
            let second = container.makeContext()
            let duplicate = Luggage(second, "A", note: "again")
            let id = duplicate.objectID
            try second.save()
            let request = FetchRequest(Luggage.self, predicate: #Predicate { $0.objectID == id })
            #expect(try second.fetch(request).map(\.weight) == [1])
            #expect(try second.fetch(request).first == duplicate)
        }
    }

    @Test("by one of an object that was taken back, which is an error")
    func takenBack() throws {
        let context = try PersistentContainer(
            model: PredicateData.model(),
            store: InMemoryStore()
        ).makeContext()
        let id = Parcel(context: context).objectID
        let request = FetchRequest(Parcel.self, predicate: #Predicate { $0.objectID != id })
        #expect(try context.count(request) == 0)
        context.rollback()
        #expect(throws: UnsupportedPredicateError.self) { try context.fetch(request) }
    }
}
