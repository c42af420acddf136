import ObjectStore
import StoreTesting
import Testing

@Suite("A deletion that loses against an edit of somebody else")
struct DeletionUndoingTests {
    private static let policies: [MergePolicy] = [.mergeByPropertyStoreTrump, .rollback]

    /// Two contexts that know the same passenger with two bags, of which one has two seals.
    private struct Scene {
        let remote: ManagedObjectContext
        let local: ManagedObjectContext
        let owner: Passenger
        let bags: [Luggage]
        let seals: [Seal]

        init(_ container: PersistentContainer, _ policy: MergePolicy) throws {
            remote = container.makeContext()
            let passenger = Passenger(remote, "D", "ZMU")
            for tag in ["A", "B"] { Luggage(remote, tag, weight: 1).owner = passenger }
            let luggage = try #require(try remote.luggage("A"))
            for number in 1...2 { _ = Seal(remote, number, on: luggage) }
            try remote.save()
            local = container.makeContext(mergePolicy: policy)
            owner = try #require(try local.first(FetchRequest(Passenger.self)))
            bags = try local.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
            seals = try local.fetch(FetchRequest(Seal.self).sorted(by: \.number))
        }

        func editRemotely(_ edit: (ManagedObjectContext) throws -> Void) throws {
            try edit(remote)
            try remote.save()
        }
    }

    @Test(
        "takes back that references were cleared",
        arguments: TestStore.allCases,
        policies
    )
    func nullified(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let scene = try Scene(container, policy)
            try scene.local.delete(scene.owner)
            scene.bags[1].note = "mine"
            #expect(scene.bags[0].owner == nil)
            try scene.editRemotely {
                try #require(try $0.first(FetchRequest(Passenger.self))).phone = "123"
            }
            let result = try scene.local.save()
            #expect(result.changes.filter { $0.value.kind != .unchanged }.count == 1)
            #expect(!scene.owner.isDeleted && scene.owner.phone == "123")
            #expect(scene.bags.allSatisfy { $0.owner === scene.owner })
            #expect(scene.bags[1].note == "mine")
            #expect(!scene.local.hasChanges)
            let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
            #expect(stored.allSatisfy { $0.owner != nil })
        }
    }

    @Test("takes back what was deleted with it", arguments: TestStore.allCases, policies)
    func cascaded(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let scene = try Scene(container, policy)
            // One on its own before, which stays deleted.
            try scene.local.delete(scene.seals[0])
            try scene.local.delete(scene.bags[0])
            #expect(scene.seals[1].isDeleted)
            try scene.editRemotely { try $0.luggage("A")?.weight = 5 }
            try scene.local.save()
            #expect(scene.bags[0].weight == 5)
            #expect(scene.bags[0].seals.map(\.number) == [2])
            let seals = try container.makeContext().fetch(FetchRequest(Seal.self))
            #expect(seals.map(\.number) == [2])
            #expect(seals[0].luggage?.tag == "A")
        }
    }

    @Test(
        "takes back both, if it was undone after a save and redone",
        arguments: TestStore.allCases,
        policies
    )
    func redone(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let scene = try Scene(container, policy)
            scene.local.undoLimit = 1
            try scene.local.undoGroup {
                try scene.local.delete(scene.owner)
                try scene.local.delete(scene.bags[0])
            }
            try scene.local.save()
            #expect(scene.local.undo())
            try scene.local.save()
            #expect(scene.local.redo())
            scene.remote.reset()
            try scene.editRemotely {
                try #require(try $0.first(FetchRequest(Passenger.self))).phone = "123"
                try $0.luggage("A")?.weight = 5
            }
            try scene.local.save()
            let stored = try container.makeContext().fetch(FetchRequest(Luggage.self))
            #expect(stored.count == 2 && stored.allSatisfy { $0.owner?.phone == "123" })
            #expect(try container.makeContext().count(Seal.self) == 2)
        }
    }

    @Test("goes all the way down, circles included", arguments: TestStore.allCases, policies)
    func deep(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let remote = container.makeContext()
            let parts = (0..<4).map { number in
                let part = Part(context: remote)
                part.name = "\(number)"
                return part
            }
            for (part, whole) in zip(parts.dropFirst(), parts) { part.whole = whole }
            parts[0].whole = parts[3]
            try remote.save()
            let local = container.makeContext(mergePolicy: policy)
            let known = try local.fetch(FetchRequest(Part.self).sorted(by: \.name))
            try local.delete(known[0])
            #expect(known.allSatisfy { $0.isDeleted })
            parts[0].name = "edited"
            try remote.save()
            try local.save()
            #expect(try container.makeContext().count(Part.self) == 4)
            #expect(known.map(\.name) == ["edited", "1", "2", "3"])
        }
    }

    @Test("leaves what was changed for another reason", arguments: TestStore.allCases, policies)
    func otherChanges(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let scene = try Scene(container, policy)
            scene.bags[0].owner = nil
            try scene.local.delete(scene.owner)
            let heir = Passenger(scene.local, "E", "ABC")
            scene.bags[1].owner = heir
            try scene.editRemotely {
                try #require(try $0.first(FetchRequest(Passenger.self))).phone = "123"
            }
            try scene.local.save()
            #expect(scene.bags[0].owner == nil)
            #expect(scene.bags[1].owner === heir)
            #expect(try container.makeContext().count(Passenger.self) == 2)
        }
    }

    @Test(
        "of an object that another one takes with it changes nothing",
        arguments: TestStore.allCases,
        policies
    )
    func cascadeStands(store: TestStore, policy: MergePolicy) throws {
        try store.withContainer { container in
            let scene = try Scene(container, policy)
            try scene.local.delete(scene.bags[0])
            try scene.editRemotely { context in
                try #require(try context.first(FetchRequest(Seal.self))).number = 9
            }
            try scene.local.save()
            #expect(scene.bags[0].isDeleted)
            #expect(scene.seals.allSatisfy { $0.isDeleted })
            #expect(try scene.local.count(Seal.self) == 0)
            #expect(try container.makeContext().count(Seal.self) == 0)
        }
    }

    @Test(
        "where the object wins, the deletion stands with all it did",
        arguments: TestStore.allCases
    )
    func objectWins(store: TestStore) throws {
        try store.withContainer { container in
            let scene = try Scene(container, .mergeByPropertyObjectTrump)
            try scene.local.delete(scene.owner)
            try scene.local.delete(scene.bags[0])
            try scene.editRemotely { context in
                try #require(try context.first(FetchRequest(Passenger.self))).phone = "123"
                try context.luggage("A")?.weight = 5
            }
            try scene.local.save()
            let check = container.makeContext()
            #expect(try check.fetch(FetchRequest(Luggage.self)).map(\.tag) == ["B"])
            #expect(try check.luggage("B")?.owner == nil)
            #expect(try check.count(Seal.self) == 0)
        }
    }
}
