import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("The history tells what was saved, by whom, and in which order")
struct HistoryTests {
    @Test(
        "an insertion, an update and a deletion, with the values before",
        arguments: TestStore.allCases
    )
    func kinds(store: TestStore) throws {
        try store.withContainer { container in
            #expect(try container.lastHistoryToken() == nil)
            #expect(try container.history(after: nil).isEmpty)
            let start = Date()
            let context = container.makeContext()
            context.author = "counter 7"
            let luggage = Luggage(context, "A1", weight: 2.5, note: "old")
            luggage.owner = Passenger(context, "D", "ZMU")
            try context.save()
            let (bag, owner) = (luggage.objectID, try #require(luggage.owner).objectID)

            context.author = nil
            luggage.note = "new"
            luggage.owner = nil
            luggage.weight = 2.5
            try context.save()

            context.author = "clerk"
            try context.delete(luggage)
            try context.save()

            let saves = try container.history(after: nil)
            try #require(saves.count == 3)
            #expect(saves.map(\.author) == ["counter 7", nil, "clerk"])
            #expect(saves.map(\.token) == saves.map(\.token).sorted())
            #expect(saves.allSatisfy { $0.date >= start - 0.001 && $0.date <= Date() })
            #expect(
                saves[0].changes
                    == [
                        HistoryChange(id: owner, kind: .inserted),
                        HistoryChange(id: bag, kind: .inserted),
                    ].sorted { $0.id < $1.id }
            )
            let change = try #require(saves[1].changes.first)
            #expect(saves[1].changes.count == 1)
            #expect(change.id == bag && change.kind == .updated)
            #expect(
                Set(change.properties) == [
                    .init(name: "note", before: .text("old"), after: .text("new")),
                    .init(name: "owner", before: .reference(owner), after: .null),
                ]
            )
            let deletion = try #require(saves[2].changes.first)
            #expect(deletion.id == bag && deletion.kind == .deleted)
            #expect(
                Set(deletion.properties) == [
                    .init(name: "tag", before: .text("A1"), after: .null),
                    .init(name: "weight", before: .real(2.5), after: .null),
                    .init(name: "priority", before: .integer(3), after: .null),
                    .init(name: "note", before: .text("new"), after: .null),
                ]
            )
            #expect(try container.lastHistoryToken() == saves[2].token)
            #expect(
                try container.history(after: saves[0].token).map(\.token) == [
                    saves[1].token, saves[2].token,
                ]
            )
            #expect(try container.history(after: nil, limit: -1).isEmpty)
            #expect(
                try container.history(after: saves[0].token, limit: 1).map(\.token) == [
                    saves[1].token
                ]
            )
            #expect(try container.history(after: saves[2].token).isEmpty)
        }
    }

    @Test("a save that merges into a row is an update of that row", arguments: TestStore.allCases)
    func merging(store: TestStore) throws {
        try store.withContainer { container in
            let first = container.makeContext()
            let luggage = Luggage(first, "A1", weight: 1)
            try first.save()
            let second = container.makeContext()
            _ = Luggage(second, "A1", note: "seen again")
            try second.save()
            let last = try #require(try container.history(after: nil).last)
            #expect(
                last.changes == [
                    HistoryChange(
                        id: luggage.objectID,
                        kind: .updated,
                        properties: [.init(name: "note", before: .null, after: .text("seen again"))]
                    )
                ]
            )
        }
    }

    @Test(
        "what changes nothing, fails or is taken back leaves no trace",
        arguments: TestStore.allCases
    )
    func nothing(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: 1)
            try context.save()
            let token = try container.lastHistoryToken()
            luggage.weight = 1
            try context.save()
            luggage.weight = -1
            #expect(throws: ValidationError.self) { try context.save() }
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try container.transaction { writing in
                    _ = Luggage(writing, "A2", weight: 1)
                    try writing.save()
                    throw Stop()
                }
            }
            #expect(try container.lastHistoryToken() == token)
            #expect(try container.history(after: token).isEmpty)
        }
    }

    @Test(
        "what was deleted from the history is not asked for in vain",
        arguments: TestStore.allCases
    )
    func pruning(store: TestStore) throws {
        try store.withContainer { container in
            for index in 0..<5 {
                let context = container.makeContext()
                _ = Luggage(context, "A\(index)", weight: 1)
                try context.save()
            }
            let tokens = try container.history(after: nil).map(\.token)
            try container.deleteHistory(before: tokens[3])
            #expect(try container.history(after: nil).map(\.token) == Array(tokens[3...]))
            #expect(try container.history(after: tokens[2]).map(\.token) == Array(tokens[3...]))
            #expect(try container.makeContext().count(Luggage.self) == 5)
            let error = #expect(throws: StoreError.self) {
                try container.history(after: tokens[1])
            }
            #expect(error?.code == .historyExpired)

            // Even with all of it gone, no token is used again.
            try container.deleteHistory(before: HistoryToken(rawValue: .max))
            #expect(try container.history(after: nil).isEmpty)
            #expect(try container.history(after: tokens[4]).isEmpty)
            #expect(try container.lastHistoryToken() == tokens[4])
            let context = container.makeContext()
            _ = Luggage(context, "B", weight: 1)
            try context.save()
            #expect(try #require(try container.lastHistoryToken()) > tokens[4])
            #expect(try container.history(after: tokens[4]).count == 1)
            let foreign = HistoryToken(rawValue: tokens[4].rawValue + 100)
            #expect(throws: StoreError.self) { try container.history(after: foreign) }
        }
    }

    @Test(
        "goes in pieces, the oldest saves first, up to the first to be kept",
        arguments: TestStore.allCases,
        [1, 2, 3, 7, 8, 100, .max]
    )
    func pieces(store: TestStore, size: Int) throws {
        try store.withContainer { container in
            for index in 0..<10 {
                let context = container.makeContext()
                _ = Luggage(context, "A\(index)", weight: 1)
                try context.save()
            }
            func left() throws -> [Int64] {
                try container.history(after: nil).map(\.token.rawValue)
            }
            let kept = HistoryToken(rawValue: 8)
            var gone = 0
            repeat {
                #expect(try left() == Array(Int64(gone) + 1...10))
                gone = size > 7 - gone ? 7 : gone + size
            } while try container.deleteHistory(before: kept, limit: size)
            #expect(gone == 7)
            #expect(try left() == [8, 9, 10])
            #expect(try !container.deleteHistory(before: kept, limit: size))
            // A number that makes no sense is not waited for without end.
            let end = HistoryToken(rawValue: .max)
            #expect(try container.deleteHistory(before: end, limit: -1))
            #expect(try left() == [9, 10])
            // In a transaction that is taken back, it is there again.
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try container.transaction { context in
                    #expect(try context.deleteHistory(before: end, limit: 1))
                    #expect(try !context.deleteHistory(before: end, limit: 1))
                    throw Stop()
                }
            }
            #expect(try left() == [9, 10])
            #expect(try !container.deleteHistory(before: end, limit: 2))
            #expect(try !container.deleteHistory(before: end, limit: 2))
            #expect(try left().isEmpty)
            #expect(try container.lastHistoryToken() == HistoryToken(rawValue: 10))
        }
    }

    @Test("values of every kind come back as they were", arguments: TestStore.allCases)
    func values(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let sample = Sample(context: context)
            sample.name = "e\u{301} \u{1F9F3} \"'\n"
            sample.int = .min
            sample.double = -.infinity
            sample.text = ""
            sample.data = Data([0, 255, 128])
            sample.date = Date(timeIntervalSince1970: -0.5)
            try context.save()
            sample.int = .max
            sample.double = .leastNonzeroMagnitude
            sample.data = Data()
            try context.save()
            let change = try #require(try container.history(after: nil).last?.changes.first)
            #expect(
                Set(change.properties) == [
                    .init(name: "int", before: .integer(.min), after: .integer(.max)),
                    .init(
                        name: "double",
                        before: .real(-.infinity),
                        after: .real(.leastNonzeroMagnitude)
                    ),
                    .init(name: "data", before: .data(Data([0, 255, 128])), after: .data(Data())),
                ]
            )
            try context.delete(sample)
            try context.save()
            let deletion = try #require(try container.history(after: nil).last?.changes.first)
            #expect(deletion.properties.contains { $0.before == .text("e\u{301} \u{1F9F3} \"'\n") })
            #expect(deletion.properties.contains { $0.before == .text("") })
            #expect(
                deletion.properties.contains {
                    $0.before == Date(timeIntervalSince1970: -0.5).attributeValue
                }
            )
        }
    }

    @Test(
        "a trial run shows its own saves after those of the store beneath",
        arguments: TestStore.allCases
    )
    func trial(kind: TestStore) throws {
        let folder = try TemporaryFolder()
        let store: any PersistentStore =
            kind == .memory ? InMemoryStore() : try SQLiteStore(path: folder.path("store.sqlite"))
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext()
        _ = Luggage(context, "A1", weight: 1)
        try context.save()
        let scratch = ScratchStore(over: store)
        let trial = try PersistentContainer(model: container.model, store: scratch)
        #expect(try trial.lastHistoryToken() == container.lastHistoryToken())
        let trying = trial.makeContext()
        trying.author = "trial"
        _ = Luggage(trying, "A2", weight: 1)
        try trying.save()
        let saves = try trial.history(after: nil)
        #expect(saves.map(\.author) == [nil, "trial"])
        #expect(try trial.history(after: saves[0].token).map(\.author) == ["trial"])
        #expect(try trial.history(after: saves[1].token).isEmpty)
        #expect(try trial.history(after: nil, limit: 1).count == 1)
        #expect(try container.history(after: nil).count == 1)
    }
}
