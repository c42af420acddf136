import ObjectStore
import StoreTesting
import Testing

@Suite("Members of a relationship to many")
struct MembersTests {
    @Test("come and go one by one", arguments: TestStore.allCases)
    func insertAndRemove(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let (owner, other) = (Passenger(context, "D", "ZMU"), Passenger(context, "E", "ABC"))
            let bags = (0..<3).map { Luggage(context, "A\($0)", weight: 1) }
            for bag in bags { try owner.insert(bag, into: \.luggage) }
            try owner.insert(bags[1], into: \.luggage)
            #expect(owner.luggage == bags)
            try other.insert(bags[0], into: \.luggage)
            try other.remove(bags[2], from: \.luggage)
            #expect(owner.luggage == [bags[1], bags[2]])
            #expect(other.luggage == [bags[0]])
            try owner.remove(bags[2], from: \.luggage)
            try context.save()
            let check = container.makeContext()
            #expect(try check.luggage("A0")?.owner?.familyName == "ABC")
            #expect(try check.luggage("A1")?.owner?.familyName == "ZMU")
            #expect(try check.luggage("A2")?.owner == nil)
        }
    }

    @Test("an object that another context has not saved is an error", arguments: TestStore.allCases)
    func strangers(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            let elsewhere = container.makeContext()
            let stranger = Luggage(elsewhere, "A0", weight: 1)
            #expect(throws: StoreError.self) { try owner.insert(stranger, into: \.luggage) }
            owner.luggage = [stranger]
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.description.contains("another context") == true)
            try elsewhere.save()
            try owner.insert(stranger, into: \.luggage)
            try context.save()
            #expect(try container.makeContext().luggage("A0")?.owner?.familyName == "ZMU")
        }
    }

    @Test("have one order, before and after the save", arguments: TestStore.allCases)
    func order(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let owner = Passenger(context, "D", "ZMU")
            func add(_ tags: [String]) throws {
                for tag in tags {
                    try owner.insert(Luggage(context, tag, weight: 1), into: \.luggage)
                }
            }
            try add(["C", "A"])
            try context.save()
            try add(["D", "B"])
            for isSaved in [false, true] {
                if isSaved { try context.save() }
                #expect(owner.luggage.map(\.tag) == ["C", "A", "D", "B"])
                #expect(
                    try context.fetch(FetchRequest(Luggage.self)).map(\.tag) == [
                        "C", "A", "D", "B",
                    ]
                )
                let light = FetchRequest(Luggage.self).where(\.weight, is: 1).sorted(by: \.weight)
                #expect(try context.fetch(light).map(\.tag) == ["C", "A", "D", "B"])
            }
        }
    }
}
