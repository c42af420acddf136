import ObjectStore
import StoreTesting
import Testing

@Suite("What others have deleted with what it leads to")
struct DeletedOwnerTests {
    @Test(
        "stays deleted, though it was edited here",
        arguments: TestStore.allCases,
        [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback]
    )
    func dropped(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let bag = Luggage(first, "A1", weight: 1)
            _ = Seal(first, 1, on: bag)
            try first.save()
            let local = container.makeContext(mergePolicy: policy)
            let seal = try #require(try local.first(FetchRequest(Seal.self)))
            seal.number = 2
            try first.delete(bag)
            try first.save()
            try local.save()
            #expect(seal.isDeleted)
            #expect(!local.hasChanges)
            #expect(try container.makeContext().count(Seal.self) == 0)
        }
    }

    @Test(
        "unless something new was led to it here; then it comes back, and leads to nobody",
        arguments: TestStore.allCases
    )
    func needed(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let whole = Part(context: first)
            whole.name = "whole"
            let original = Part(context: first)
            (original.name, original.whole) = ("part", whole)
            try first.save()
            let local = container.makeContext()
            let request = FetchRequest(Part.self).where(\.name, is: "part")
            let part = try #require(try local.first(request))
            part.name = "edited"
            let new = Part(context: local)
            (new.name, new.whole) = ("new", part)
            try first.delete(whole)
            try first.save()
            try local.save()
            #expect(part.whole == nil)
            #expect(part.name == "edited")
            #expect(try container.makeContext().count(Part.self) == 2)
        }
    }

    @Test(
        "or others have inserted it anew, with which it merges",
        arguments: TestStore.allCases
    )
    func replaced(store: TestStore) throws {
        try store.withStore { store in
            let model = try ManagedObjectModel(Crate.entity, Piece.entity)
            let container = try PersistentContainer(model: model, store: store)
            let first = container.makeContext()
            let crate = Crate(context: first)
            let original = Piece(context: first)
            (original.code, original.crate) = ("X", crate)
            try first.save()
            let local = container.makeContext()
            let piece = try #require(try local.first(FetchRequest(Piece.self)))
            piece.note = "mine"
            try first.delete(crate)
            let new = Piece(context: first)
            (new.code, new.crate) = ("X", Crate(context: first))
            try first.save()
            try local.save()
            #expect(piece.objectID == new.objectID)
            let stored = try container.makeContext().fetch(FetchRequest(Piece.self))
            #expect(stored.map(\.note) == ["mine"])
            #expect(stored.first?.crate?.objectID == new.crate?.objectID)
        }
    }

    @Test(
        "a reference that nobody has assigned here is no reason to refuse what is written whole",
        arguments: TestStore.allCases
    )
    func unassignedReference(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let owner = Passenger(first, "D", "ZMU")
            Luggage(first, "A1", weight: 1).owner = owner
            try first.save()
            let local = container.makeContext(mergePolicy: .overwrite)
            let bag = try #require(try local.luggage("A1"))
            bag.note = "mine"
            try first.delete(owner)
            try first.save()
            try local.save()
            #expect(bag.owner == nil)
            #expect(try container.makeContext().luggage("A1")?.note == "mine")
        }
    }
}

/// What takes its items with it.
private final class Crate: ManagedObject {
    @Attribute var name: String?

    static let entity = EntityDescription(
        Crate.self,
        name: "Crate",
        properties: [.attribute(\.name)]
    )
}

private final class Piece: ManagedObject {
    @Attribute var code: String
    @Attribute var note: String?
    @ToOne var crate: Crate?

    static let entity = EntityDescription(
        Piece.self,
        name: "Piece",
        properties: [
            .attribute(\.code), .attribute(\.note),
            .toOne(\.crate, onDeleteOfTarget: .cascade),
        ],
        uniquenessConstraints: [[\.code]]
    )
}
