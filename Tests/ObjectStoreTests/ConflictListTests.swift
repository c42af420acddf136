import ObjectStore
import StoreTesting
import Testing

@Suite("What a save that is refused lists")
struct ConflictListTests {
    private final class Seat: ManagedObject {
        @Attribute var number = 0
    }

    private final class Ticket: ManagedObject {
        @Attribute var price: Int?
        @ToOne var seat: Seat?
    }

    @Test("under error, every conflict of a save is listed", arguments: TestStore.allCases)
    func allConflicts(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let original = Luggage(first, "A1", weight: 1)
            _ = Luggage(first, "A2", weight: 1)
            try first.save()
            let local = container.makeContext(mergePolicy: .error)
            try #require(try local.luggage("A1")).weight = 2
            original.weight = 3
            try first.save()
            _ = Luggage(local, "A2", weight: 1)
            _ = Passenger(local, "D", "ZMU")
            _ = Passenger(local, "D", "ZMU")
            let error = #expect(throws: MergeConflictError.self) { try local.save() }
            #expect(error?.conflicts.count == 3)
            #expect(error?.description.contains("same givenName and familyName") == true)
        }
    }

    @Test(
        "under error, each duplicate is listed, and the row it meets",
        arguments: TestStore.allCases
    )
    func everyDuplicate(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext(mergePolicy: .error)
            for weight in 1...4 { _ = Luggage(context, "A1", weight: Double(weight)) }
            let error = #expect(throws: MergeConflictError.self) { try context.save() }
            #expect(error?.conflicts.count == 3)

            let other = container.makeContext()
            let stored = Luggage(other, "A1", weight: 9)
            try other.save()
            let second = #expect(throws: MergeConflictError.self) { try context.save() }
            #expect(second?.conflicts.count == 4)
            #expect(second?.conflicts.contains { $0.stored?.id == stored.objectID } == true)
        }
    }

    @Test(
        "is in the order of its objects, in whichever order the store gives the rows they meet",
        arguments: TestStore.allCases,
        [false, true]
    )
    func order(store: TestStore, hasEdit: Bool) throws {
        let seat = EntityDescription(
            Seat.self,
            name: "Seat",
            properties: [.attribute(\.number)]
        )
        let ticket = EntityDescription(
            Ticket.self,
            name: "Ticket",
            properties: [.attribute(\.price), .toOne(\.seat)],
            uniquenessConstraints: [[\.seat]]
        )
        let model = try ManagedObjectModel(seat, ticket)
        try store.withStore { store in
            let container = try PersistentContainer(model: model, store: store)
            let first = container.makeContext()
            for _ in 0..<301 { Ticket(context: first).seat = Seat(context: first) }
            try first.save()

            let context = container.makeContext(mergePolicy: .error)
            let seats = try context.fetch(FetchRequest(Seat.self))
            if hasEdit { try context.fetch(FetchRequest(Ticket.self)).last?.price = 1 }
            // More than meet their rows at a time.
            let new = (0..<300).reversed().map { place in
                let ticket = Ticket(context: context)
                ticket.seat = seats[place]
                return ticket.objectID
            }
            let error = #expect(throws: MergeConflictError.self) { try context.save() }
            #expect(error?.conflicts.map(\.object.id) == new)
        }
    }
}
