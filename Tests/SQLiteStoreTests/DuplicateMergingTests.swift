import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Objects that a new constraint does not allow, merged while the store is migrated")
struct DuplicateMergingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
    }

    private func makeOld(_ body: (ManagedObjectContext) throws -> Void) throws {
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(
            model: TestModel.makeWithoutConstraints(),
            store: store
        )
        let context = container.makeContext()
        try body(context)
        try context.save()
        try store.close()
    }

    private func open(_ duplicates: DuplicateHandling) throws -> PersistentContainer {
        try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path, duplicates: duplicates)
        )
    }

    /// Three scans of one bag: what each knows, and what they contradict one another in.
    private func makeScans() throws {
        try makeOld { context in
            let first = Luggage(context, "A", weight: 1, note: "first")
            first.heaviest = 5
            let second = Luggage(context, "A", weight: 2)
            second.place = "MUC"
            second.heaviest = 9
            let third = Luggage(context, "A", weight: 3, note: "third")
            third.heaviest = 7
            _ = Luggage(context, "B", weight: 8)
        }
    }

    @Test("by each policy: the oldest stays", arguments: MergePolicy.all)
    func policies(policy: MergePolicy) throws {
        try makeScans()
        if case .error = policy {
            let error = #expect(throws: StoreError.self) { try open(.merge(policy)) }
            #expect(error?.code == .incompatible)
            #expect(error?.message.contains("those with the keys 1, 2, 3") == true)
            let older = try PersistentContainer(
                model: TestModel.makeWithoutConstraints(),
                store: SQLiteStore(path: path)
            )
            #expect(try older.makeContext().count(Luggage.self) == 4)
            return
        }
        let container = try open(.merge(policy))
        let luggage = try #require(try container.makeContext().luggage("A"))
        #expect(luggage.objectID.key == 1)
        let values = "\(luggage.weight) \(luggage.note ?? "-") \(luggage.place ?? "-")"
        let expected =
            switch policy {
            case .mergeByPropertyStoreTrump: "1.0 first MUC"
            case .mergeByPropertyObjectTrump, .custom: "3.0 third MUC"
            case .overwrite: "3.0 third -"
            case .rollback, .error: "1.0 first -"
            }
        #expect(values == expected)
        #expect(try container.makeContext().count(Luggage.self) == 2)
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("by a closure, which may refuse")
    func custom() throws {
        try makeScans()
        let refusing = MergePolicy.custom { _, resolution in resolution.isRefused = true }
        #expect(throws: StoreError.self) { try open(.merge(refusing)) }
        let container = try open(
            .merge(
                .custom { conflict, resolution in
                    guard case .constraint(["tag"]) = conflict.kind, conflict.entity == "Luggage"
                    else { return resolution.isRefused = true }
                    resolution[\Luggage.note] = (resolution[\Luggage.note] ?? "") + "!"
                }
            )
        )
        #expect(try container.makeContext().luggage("A")?.note == "third!")
        #expect(try container.makeContext().luggage("A")?.heaviest == 9)
    }

    @Test("are listed where nobody asks for merging, and nothing is changed")
    func refusing() throws {
        try makeScans()
        let error = #expect(throws: StoreError.self) { try open(.refuse) }
        #expect(error?.message.contains("3 objects of Luggage have the same tag") == true)
        #expect(try open(.merge(.rollback)).makeContext().count(Luggage.self) == 2)
    }

    @Test("whatever refers to them refers to the oldest, and duplicates by that are merged too")
    func references() throws {
        try makeOld { context in
            for (index, tag) in ["A", "B", "A", "C"].enumerated() {
                let owner = Passenger(context, "P", "ZMU")
                let luggage = Luggage(context, tag, weight: Double(index))
                luggage.owner = owner
                // Two seals of the same number come together when their bags do.
                _ = Seal(context, 1, on: luggage)
                _ = Seal(context, index + 2, on: luggage)
            }
        }
        let container = try open(.merge(.mergeByPropertyStoreTrump))
        let context = container.makeContext()
        let passengers = try context.fetch(FetchRequest(Passenger.self))
        #expect(passengers.map(\.objectID.key) == [1])
        let bags = try context.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
        #expect(bags.map(\.tag) == ["A", "B", "C"])
        #expect(bags.map(\.objectID.key) == [1, 2, 4])
        #expect(passengers[0].luggage.count == 3)
        #expect(Set(bags[0].seals.map(\.number)) == [1, 2, 4])
        #expect(bags.dropFirst().allSatisfy { $0.seals.count == 2 })
        let store = try SQLiteStore(path: path)
        #expect(try store.checkIntegrity() == [])

        // The history has it as one save, which leads from what was to what is.
        let saves = try container.history(after: HistoryToken(rawValue: 1))
        #expect(saves.map(\.author) == ["migration"])
        let kinds = Dictionary(grouping: saves[0].changes, by: \.kind).mapValues(\.count)
        // Gone: three passengers, a bag, a seal. Changed: two bags' owners, and a moved seal.
        #expect(kinds == [.deleted: 5, .updated: 3])

        // The constraints hold from now on.
        _ = Luggage(context, "A", weight: 9)
        try context.save()
        #expect(try container.makeContext().count(Luggage.self) == 3)
    }

    @Test("values that come together by merging, and meet others by that, are merged in turn")
    func chain() throws {
        try makeOld { context in
            let first = Passenger(context, "A", "ONE")
            let second = Passenger(context, "A", "ONE")
            second.card = 7
            let third = Passenger(context, "B", "TWO")
            third.card = 7
            third.phone = "123"
            Luggage(context, "X", weight: 1).owner = third
            _ = first
        }
        let context = try open(.merge(.mergeByPropertyStoreTrump)).makeContext()
        let passengers = try context.fetch(FetchRequest(Passenger.self))
        #expect(passengers.count == 1)
        #expect(passengers[0].objectID.key == 1 && passengers[0].familyName == "ONE")
        #expect(passengers[0].card == 7 && passengers[0].phone == "123")
        #expect(passengers[0].luggage.count == 1)
        #expect(try SQLiteStore(path: path).checkIntegrity() == [])
    }

    @Test("a process that is killed meanwhile leaves the older store or the merged one")
    func kill() throws {
        let bags = 600
        try makeOld { context in
            for number in 0..<bags {
                let luggage = Luggage(context, "\(number % (bags / 3))", weight: 1)
                luggage.note = String(repeating: "n", count: 2000)
                _ = Seal(context, number / (bags / 3) % 2, on: luggage)
            }
        }
        var outcomes: [Bool: Int] = [:]
        for kill in 0..<12 {
            let copy = folder.path("copy-\(kill).sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let writer = try KilledWriter("store-writer", [copy, "merge"])
            // It says when it begins, and when it is done, for which one of them waits.
            _ = try writer.kill(after: kill == 11 ? 2 : 1, kill < 11 ? kill * 15_000 : 0)
            let older = try PersistentContainer(
                model: TestModel.makeWithoutConstraints(),
                store: SQLiteStore(path: copy, access: .read)
            )
            let count = try older.makeContext().count(Luggage.self)
            #expect(count == bags || count == bags / 3, "kill \(kill)")
            outcomes[count == bags, default: 0] += 1
            #expect(try SQLiteStore(path: copy, access: .read).checkIntegrity() == [])
            let container = try PersistentContainer(
                model: TestModel.make(),
                store: SQLiteStore(path: copy, duplicates: .merge(.mergeByPropertyStoreTrump))
            )
            #expect(try container.makeContext().count(Luggage.self) == bags / 3, "kill \(kill)")
            #expect(try container.makeContext().count(Seal.self) == 2 * bags / 3, "kill \(kill)")
            #expect(try container.history(after: nil).count == 2)
        }
        #expect(outcomes.count == 2, "\(outcomes)")
    }
}
