import ObjectStore
import StoreTesting
import Testing

@Suite("A scratch store")
struct ScratchStoreTests {
    @Test(
        "over another shows what all beneath it have, and writes to none",
        arguments: TestStore.allCases
    )
    func stacked(store: TestStore) throws {
        try store.withContainer { container in
            var containers = [container]
            for level in 0..<4 {
                if level > 0 {
                    containers.append(
                        try PersistentContainer(
                            model: container.model,
                            store: ScratchStore(over: containers[level - 1].store)
                        )
                    )
                }
                let context = containers[level].makeContext()
                context.author = "\(level)"
                let owner = Passenger(context, "P", "\(level)")
                Luggage(context, "\(level)", weight: 1).owner = owner
                // What was made beneath is changed here, and deleted one further up.
                try context.luggage("\(level - 1)")?.weight = 2
                if let bag = try context.luggage("\(level - 2)") { try context.delete(bag) }
                try context.save()
            }
            let expected = [["0": 1.0], ["0": 2, "1": 1], ["1": 2, "2": 1], ["2": 2, "3": 1]]
            for (level, container) in containers.enumerated() {
                let context = container.makeContext()
                let bags = try context.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
                let weights = bags.map { ($0.tag, $0.weight) }
                #expect(Dictionary(uniqueKeysWithValues: weights) == expected[level])
                #expect(bags.map { $0.owner?.familyName } == bags.map(\.tag))
                let owners = try context.count(Passenger.self)
                #expect(owners == level + 1)

                let saves = try container.history(after: nil)
                let all = (0...level).map { Optional("\($0)") }
                #expect(saves.map(\.author) == all)
                #expect(try container.lastHistoryToken() == saves.last?.token)
                for (index, save) in saves.enumerated() {
                    let later = try container.history(after: save.token)
                    #expect(later.map(\.author) == Array(all.dropFirst(index + 1)))
                }
            }
        }
    }

    @Test("over a store that has another one beneath shows what both have")
    func wrapped() throws {
        let lower = ScratchStore(over: InMemoryStore())
        for store in [lower, ScratchStore(over: CountingStore(over: lower))] {
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            for _ in 0..<3 {
                let context = container.makeContext()
                let count = try context.count(Luggage.self)
                _ = Luggage(context, "\(count)", weight: 1)
                try context.save()
                #expect(try container.makeContext().count(Luggage.self) == count + 1)
            }
        }
    }

    @Test("gives no part of its history for all of it", arguments: TestStore.allCases)
    func expired(store: TestStore) throws {
        try store.withContainer { container in
            let before = container.makeContext()
            _ = Luggage(before, "before", weight: 1)
            let token = try #require(try before.save().token)
            let scratch = try PersistentContainer(
                model: container.model,
                store: ScratchStore(over: container.store),
                history: .latest(2)
            )
            for index in 0..<200 {
                let context = scratch.makeContext()
                _ = Luggage(context, "\(index)", weight: 1)
                try context.save()
            }
            let error = #expect(throws: StoreError.self) { try scratch.history(after: token) }
            #expect(error?.code == .historyExpired)
            #expect(try scratch.history(after: nil).count < 200)
        }
    }

    @Test("reads no more beneath than a request asks for, where nothing was changed")
    func limited() throws {
        let memory = InMemoryStore()
        let first = try PersistentContainer(model: TestModel.make(), store: memory).makeContext()
        for index in 0..<1000 { _ = Luggage(first, "\(index)", weight: 1) }
        try first.save()
        let counting = CountingStore(over: memory)
        let scratch = try PersistentContainer(
            model: TestModel.make(),
            store: ScratchStore(over: counting)
        )
        let context = scratch.makeContext()
        _ = Passenger(context, "D", "ZMU")
        try context.save()
        let before = counting.rowCount
        #expect(try context.fetch(FetchRequest(Luggage.self).limited(to: 1)).count == 1)
        #expect(try context.fetch(FetchRequest(Luggage.self).asFaults()).count == 1000)
        #expect(try context.count(FetchRequest(Luggage.self)) == 1000)
        #expect(counting.rowCount - before < 10)
    }
}
