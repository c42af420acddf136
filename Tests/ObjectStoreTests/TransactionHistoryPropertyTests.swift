import SeededRandom
import SQLiteStore
import StoreTesting
import Testing

@testable import ObjectStore

@Suite("The history of random transactions")
struct TransactionHistoryPropertyTests {
    @Test(
        "has one save for an author's in a row, and leads from nothing to the rows",
        arguments: TestStore.allCases,
        [1, 2, 3, 0x1066, 0xBA6, 0xFFFF_FFFF_FFFF_FFFF] as [UInt64]
    )
    func random(store: TestStore, seed: UInt64) throws {
        try store.withContainer { container in
            var work = RandomTransactions(container, seed)
            for number in 0..<150 {
                try work.transaction()
                let saves = try container.history(after: work.checked)
                try #require(saves.map(Entry.init) == work.expected, "\(seed): \(number)")
                work.check(saves)
            }
            #expect(work.entries > 100 && work.shorter > 20, "\(seed)")
            #expect(try container.read { try $0.historyFindings() }.isEmpty, "\(seed)")
            let replayed = try container.store.read {
                try HistoryReplay($0, container.model)
                    .saves(after: HistoryToken(rawValue: 0), ofAtMost: .max)
            }
            let saves = try #require(replayed)
            var rows: [ObjectID: RowValues] = [:]
            for save in saves {
                #expect(save.isComplete, "\(seed): \(save.token?.rawValue ?? 0)")
                for (id, change) in save.changes {
                    #expect(rows[id] == change.before?.values, "\(seed): \(id)")
                    rows[id] = change.after?.values
                }
            }
            #expect(rows == work.rows, "\(seed)")
        }
    }
}

/// What the history is to say about one save, but for when.
private struct Entry: Equatable {
    let author: String?
    let changes: [HistoryChange]

    init(_ save: HistoryTransaction) {
        (author, changes) = (save.author, save.changes)
    }

    /// The difference of two states; nil where there is none.
    init?(
        _ author: String?,
        from before: [ObjectID: RowValues],
        to after: [ObjectID: RowValues],
        _ model: ManagedObjectModel
    ) {
        self.author = author
        changes = Set(before.keys).union(after.keys).sorted().compactMap { id in
            let (old, new) = (before[id], after[id])
            if old == new { return nil }
            guard let old else { return HistoryChange(id: id, kind: .inserted) }
            let names = model.entities[id.entity].columns.map(\.name)
            let properties = names.indices.compactMap { column -> HistoryChange.Property? in
                let value = new?[column] ?? .null
                guard old[column] != value else { return nil }
                return .init(name: names[column], before: old[column], after: value)
            }
            return HistoryChange(
                id: id,
                kind: new == nil ? .deleted : .updated,
                properties: properties
            )
        }
        if changes.isEmpty { return nil }
    }
}

/// Transactions of random saves, some of which fail; the same ones for the same seed.
private struct RandomTransactions {
    /// What the store has.
    private(set) var rows: [ObjectID: RowValues] = [:]
    /// What the history is to have of the last transaction.
    private(set) var expected: [Entry] = []
    /// The last save of the history before that.
    private(set) var checked: HistoryToken?
    /// How many saves the history had so far, and how many of them were several.
    private(set) var (entries, shorter) = (0, 0)

    private let container: PersistentContainer
    private var random: SeededGenerator

    private struct Stop: Error {}

    init(_ container: PersistentContainer, _ seed: UInt64) {
        self.container = container
        random = SeededGenerator(seed: seed)
    }

    mutating func check(_ saves: [HistoryTransaction]) {
        entries += saves.count
        checked = saves.last?.token ?? checked
    }

    private func read(_ context: ManagedObjectContext) throws -> [ObjectID: RowValues] {
        var rows: [ObjectID: RowValues] = [:]
        func add(_ snapshots: [Snapshot]) {
            for snapshot in snapshots { rows[snapshot.id] = snapshot.values }
        }
        try context.forEachBatch(ofSnapshots: FetchRequest(Luggage.self), size: 100, add)
        try context.forEachBatch(ofSnapshots: FetchRequest(Passenger.self), size: 100, add)
        try context.forEachBatch(ofSnapshots: FetchRequest(Seal.self), size: 100, add)
        return rows
    }

    /// Runs one transaction.
    mutating func transaction() throws {
        let before = rows
        expected = []
        do {
            try container.transaction { try save(in: $0) }
        } catch is Stop {
            (rows, expected) = (before, [])
        }
    }

    private mutating func save(in context: ManagedObjectContext) throws {
        context.undoLimit = 20
        // What the author who saves has found, and how often it was saved since.
        var run: (author: String?, rows: [ObjectID: RowValues], saves: Int)?
        func end() {
            guard let ended = run else { return }
            run = nil
            guard let entry = Entry(ended.author, from: ended.rows, to: rows, container.model)
            else { return }
            expected.append(entry)
            if ended.saves > 1 { shorter += 1 }
        }
        for _ in 0...random.number(below: 6) {
            if random.number(below: 4) == 0 {
                context.author = [nil, "a", "b"][random.number(below: 3)]
            }
            for _ in 0...random.number(below: 4) { try change(context) }
            let isRead = random.number(below: 12) == 0
            if isRead {
                end()
                #expect(try context.history(after: checked).map(Entry.init) == expected)
            }
            do {
                if try context.save().changes.isEmpty { continue }
            } catch  where error is ValidationError || error is MergeConflictError {
                context.rollback()
                continue
            }
            if let author = run.map(\.author), author != context.author { end() }
            run = (context.author, run?.rows ?? rows, (run?.saves ?? 0) + 1)
            rows = try read(context)
            if random.number(below: 3) == 0 { context.reset() }
        }
        end()
        if random.number(below: 6) == 0 { throw Stop() }
    }

    private mutating func change(_ context: ManagedObjectContext) throws {
        let bags = try context.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
        switch random.number(below: 12) {
        case 0...2:
            let luggage = Luggage(context, "T\(random.number(below: 6))", weight: 1)
            luggage.owner = Passenger(context, "P", "\(random.number(below: 3))")
        case 3: pick(bags)?.note = ["x", "y", nil][random.number(below: 3)]
        case 4...6: pick(bags)?.weight = Double(random.number(below: 3))
        case 7: _ = Seal(context, random.number(below: 3), on: pick(bags))
        case 8, 9: if let luggage = pick(bags) { try context.delete(luggage) }
        case 10:
            // Not often: the save is refused, and all of it given up.
            if random.number(below: 5) == 0 { pick(bags)?.weight = -1 }
        default: context.undo()
        }
    }

    private mutating func pick<Object>(_ objects: some RandomAccessCollection<Object>) -> Object? {
        guard !objects.isEmpty else { return nil }
        return objects[
            objects.index(objects.startIndex, offsetBy: random.number(below: objects.count))
        ]
    }
}
