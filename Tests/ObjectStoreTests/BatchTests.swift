import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("Work on all objects of a request")
struct BatchTests {
    private func withBags(
        _ store: TestStore,
        _ body: (PersistentContainer) throws -> Void
    ) throws {
        try store.withContainer { container in
            let count = try container.insertAll(0..<2500, author: "import") { number, context in
                let bag = Luggage(context, "T\(number)", weight: Double(number))
                if number.isMultiple(of: 2) { _ = Seal(context, number, on: bag) }
            }
            #expect(count == 2500)
            try body(container)
        }
    }

    /// The history of what an author has done: how many changes of each kind.
    private func changes(
        by author: String,
        in container: PersistentContainer
    ) throws -> [HistoryChange.Kind: Int] {
        let saves = try container.history(after: nil).filter { $0.author == author }
        return saves.flatMap(\.changes).reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }

    @Test("inserts them, and merges those on record", arguments: TestStore.allCases)
    func insert(store: TestStore) throws {
        try withBags(store) { container in
            #expect(try changes(by: "import", in: container) == [.inserted: 3750])
            try container.insertAll(["T1", "new", "T1"], author: "again") { tag, context in
                let bag = Luggage(context, tag, weight: tag == "new" ? 1 : nil)
                bag.note = "again"
            }
            let context = container.makeContext()
            #expect(try context.count(Luggage.self) == 2501)
            #expect(try context.luggage("T1")?.weight == 1)
            #expect(try context.luggage("T1")?.note == "again")
            #expect(try changes(by: "again", in: container) == [.inserted: 1, .updated: 1])
        }
    }

    @Test("changes them in the order of the request", arguments: TestStore.allCases)
    func order(store: TestStore) throws {
        try withBags(store) { container in
            var weights: [Double] = []
            let request = FetchRequest(Luggage.self).sorted(by: \.weight, .descending)
            try container.updateAll(request) { weights.append($0.weight) }
            #expect(weights == (0..<2500).reversed().map(Double.init))
        }
    }

    @Test("changes them, all or none", arguments: TestStore.allCases)
    func update(store: TestStore) throws {
        try withBags(store) { container in
            let heavy = FetchRequest(Luggage.self).where(\.weight, isAtLeast: 1000)
            let token = try container.lastHistoryToken()
            // Those that were changed are no longer selected, and still every one is met.
            let count = try container.updateAll(heavy, author: "scales") { $0.weight -= 1000 }
            #expect(count == 1500)
            #expect(try container.makeContext().count(heavy) == 500)
            #expect(try changes(by: "scales", in: container) == [.updated: 1500])
            let saves = try container.history(after: token)
            #expect(saves.allSatisfy { $0.author == "scales" })
            #expect(saves.first?.changes.first?.properties.map(\.name) == ["weight"])

            #expect(throws: ValidationError.self) {
                try container.updateAll(FetchRequest(Luggage.self)) { bag in
                    bag.note = "changed"
                    if bag.tag == "T2400" { bag.weight = -1 }
                }
            }
            let changed = FetchRequest(Luggage.self).where(\.note, is: "changed")
            #expect(try container.makeContext().count(changed) == 0)
        }
    }

    @Test("deletes them, by the delete rules", arguments: TestStore.allCases)
    func delete(store: TestStore) throws {
        try withBags(store) { container in
            let light = FetchRequest(Luggage.self).where(\.weight, isLessThan: 2400)
            #expect(try container.deleteAll(light, author: "clearing") == 2400)
            #expect(try changes(by: "clearing", in: container) == [.deleted: 3600])
            let context = container.makeContext()
            #expect(try context.count(Luggage.self) == 100)
            #expect(try context.count(Seal.self) == 50)
            #expect(try container.deleteAll(light) == 0)

            let payer = Passenger(context, "D", "ZMU")
            Deposit(context: context).payer = payer
            _ = Passenger(context, "E", "ABC")
            try context.save()
            #expect(throws: DeleteDeniedError.self) {
                try container.deleteAll(FetchRequest(Passenger.self))
            }
            #expect(try container.makeContext().count(Passenger.self) == 2)
        }
    }

    @Test("reads what is prefetched with a page, not with all")
    func prefetched() throws {
        let counting = CountingStore(over: InMemoryStore())
        let container = try PersistentContainer(model: TestModel.make(), store: counting)
        let context = container.makeContext()
        for index in 0..<3000 {
            Luggage(context, "\(index)", weight: 1).owner = Passenger(
                context,
                "\(index / 1000)",
                "\(index % 1000)"
            )
        }
        try context.save()
        let request = FetchRequest(Luggage.self).prefetching(\.owner)
        var most = 0
        var before = counting.rowCount
        try container.updateAll(request) { bag in
            bag.note = bag.owner?.familyName
            most = max(most, counting.rowCount - before)
            before = counting.rowCount
        }
        #expect(most <= 2000)
    }
}

/// A journey with a rule about two of its properties.
private final class Journey: ManagedObject {
    @Attribute var name: String
    @Attribute var begins: Date?
    @Attribute var ends: Date?

    static let entity = EntityDescription(
        Journey.self,
        name: "Journey",
        properties: [.attribute(\.name), .attribute(\.begins), .attribute(\.ends)],
        uniquenessConstraints: [[\.name]],
        rules: [
            ObjectRule(\.ends) { journey in
                guard let begins = journey[\.begins], let ends = journey[\.ends] else { return nil }
                return begins <= ends ? nil : "must not be before begins"
            }
        ]
    )
}

@Suite("A rule about several properties")
struct ObjectRuleTests {
    @Test("is applied to what is stored, after merging", arguments: TestStore.allCases)
    func rule(store: TestStore) throws {
        try store.withStore { store in
            let model = try ManagedObjectModel(Journey.entity)
            let container = try PersistentContainer(model: model, store: store)
            let context = container.makeContext()
            let journey = Journey(context: context)
            journey.name = "A"
            journey.begins = Date(timeIntervalSinceReferenceDate: 10)
            try context.save()

            let other = container.makeContext()
            let same = Journey(context: other)
            same.name = "A"
            same.ends = Date(timeIntervalSinceReferenceDate: 5)
            #expect(same.validationFailures.isEmpty)
            let error = #expect(throws: ValidationError.self) { try other.save() }
            #expect(error?.description == "Journey.ends must not be before begins")
            same.ends = Date(timeIntervalSinceReferenceDate: 15)
            try other.save()
            same.begins = Date(timeIntervalSinceReferenceDate: 20)
            #expect(same.validationFailures.map(\.property) == ["ends"])
        }
    }

    @Test("of a property that is not the entity's is a mistake in the model")
    func mistake() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(
                EntityDescription(
                    Journey.self,
                    name: "Journey",
                    properties: [.attribute(\.name)],
                    rules: [ObjectRule(\.ends) { _ in nil }],
                    isPartial: true
                )
            )
        }
        #expect(error?.problems.count == 1)
    }
}
