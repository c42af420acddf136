import GRDB
import ObjectStore
import SQLiteStore
import SeededRandom
import StoreTesting
import TestFolders
import Testing

@Suite("The keys of new objects")
struct KeyHistoryTests {
    @Test("rise with time, whoever saves, and are never given twice")
    func histories() {
        tryHistories { history, file in
            for step in history.steps {
                if let wrong = try file.perform(step) { return wrong }
            }
            return try file.damage()
        }
    }

    @Test("have no gap if one store makes them all and no commit fails")
    func gapless() {
        tryHistories { history, file in
            var given: [Int64] = [0, 0]
            for step in history.steps {
                guard case .save(_, let entity, let counts, let failure) = step,
                    failure != .ofCommit
                else { continue }
                let save = KeyHistory.Step.save(store: 0, entity: entity, counts, failure)
                if let wrong = try file.perform(save) { return wrong }
                if failure == nil { given[entity] += Int64(counts.reduce(0, +)) }
                let last = file.last[entity]
                if last != given[entity] { return "\(given[entity]) keys are up to \(last)" }
            }
            return nil
        }
    }

    @Test("are counted to the last if a program saves once, and few are lost if it saves often")
    func lost() throws {
        let file = try KeyFile()
        for (saves, most) in [(1, 0), (2, 1), (1000, 64), (1, 0)] as [(Int, Int64)] {
            for _ in 0..<saves {
                let save = KeyHistory.Step.save(store: 0, entity: 0, [1])
                #expect(try file.perform(save) == nil)
            }
            #expect(try file.perform(.reopen(store: 0)) == nil)
            let lost = try file.counted(0) - file.last[0]
            #expect((0...most).contains(lost), "\(lost) after \(saves) saves")
            // The next ones are counted from there.
            file.last[0] += lost
        }
    }

    /// Tries many histories, and says what is wrong with the least part of one that fails.
    private func tryHistories(_ body: (KeyHistory, KeyFile) throws -> String?) {
        func failure(_ history: KeyHistory) -> String? {
            do { return try body(history, KeyFile()) } catch { return "\(error)" }
        }
        for seed in 0..<UInt64(60) {
            let history = KeyHistory(seed: seed)
            guard let wrong = failure(history) else { continue }
            let (least, why) = shrunk(history, by: \.steps, wrong, failure: failure)
            Issue.record("seed \(seed): \(why)\nafter\n\(least)")
            return
        }
    }
}

/// What several programs do with the keys of one file.
struct KeyHistory {
    enum Failure: CaseIterable {
        case ofWork
        case ofCommit
    }

    enum Step {
        /// A save of so many objects, one request for keys after the other.
        case save(store: Int, entity: Int, [Int], Failure? = nil)
        case reopen(store: Int)
        /// Another tool counts keys as given, or no longer as given that no object has.
        case count(entity: Int, more: Int)
    }

    var steps: [Step]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Often one store after another, and often the same for a while.
        let stores = 1 + random.number(below: 3)
        steps = (0..<random.number(below: 80)).map { _ in
            let (store, entity) = (random.number(below: stores), random.number(below: 2))
            switch random.number(below: 20) {
            case 0: return .reopen(store: store)
            case 1: return .count(entity: entity, more: random.number(below: 200) - 100)
            default:
                let counts = (0...random.number(below: 3)).map { _ in
                    [0, 1, 1, 1, 2, 7, 150][random.number(below: 7)]
                }
                let failures = Failure.allCases + Array(repeating: nil, count: 18)
                let failure = failures[random.number(below: failures.count)]
                return .save(store: store, entity: entity, counts, failure)
            }
        }
    }
}

/// A file that several stores have open, and what is known of its keys.
private final class KeyFile {
    private struct Stop: Error {}

    private let folder: TemporaryFolder
    private let path: String
    private let model: ManagedObjectModel
    private let entities: [ManagedObjectModel.Entity]
    private let tool: DatabaseQueue
    private var stores: [SQLiteStore] = []
    /// The last key of each entity that an object has.
    var last: [Int64] = [0, 0]

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        let model = try TestModel.make()
        self.model = model
        entities = ["Part", "Seal"].compactMap { name in
            model.entities.first { $0.name == name }
        }
        for _ in 0..<3 {
            stores.append(try SQLiteStore(path: path))
            try stores.last?.prepare(for: model)
        }
        tool = try DatabaseQueue(path: path)
    }

    /// Does a step, and says what is wrong with its keys; nil for nothing.
    func perform(_ step: KeyHistory.Step) throws -> String? {
        switch step {
        case .save(let store, let index, let counts, let failure):
            let (entity, store) = (entities[index], stores[store])
            return try save(entity, counts, failure, in: store, &last[index])
        case .reopen(let store):
            try stores[store].close()
            stores[store] = try SQLiteStore(path: path)
            try stores[store].prepare(for: model)
        case .count(let entity, let more):
            let count = max(last[entity], try counted(entity) + Int64(more))
            try tool.write { db in
                try db.execute(
                    sql: "UPDATE ObjectStoreKeys SET lastKey = ? WHERE entity = ?",
                    arguments: [count, entities[entity].name]
                )
            }
        }
        return nil
    }

    private func save(
        _ entity: ManagedObjectModel.Entity,
        _ counts: [Int],
        _ failure: KeyHistory.Failure?,
        in store: SQLiteStore,
        _ last: inout Int64
    ) throws -> String? {
        var wrong: String?
        var next = last
        do {
            try store.transaction { transaction in
                for count in counts {
                    let keys = try transaction.makeKeys(for: entity, count: count)
                    if keys.count != count || keys != keys.sorted() || keys.first ?? .max <= next {
                        wrong = "\(entity.name) got \(keys) for \(count) after \(next)"
                    }
                    next = keys.last ?? next
                    try transaction.insert(keys.map { entity.row($0) }, into: entity)
                }
                switch failure {
                case .ofWork: throw Stop()
                case .ofCommit:
                    // It leads to an object that is not there: what only a commit finds.
                    let row = entity.row(next + 1000, leadingTo: .max)
                    try transaction.insert([row], into: entity)
                case nil: break
                }
            }
            if failure != nil { return "a save that fails was committed" }
        } catch {
            if failure == .ofCommit || error is Stop { return wrong }
            throw error
        }
        last = next
        return wrong
    }

    /// What is wrong with the file; nil for nothing.
    func damage() throws -> String? { try stores[0].checkIntegrity().first }

    /// The last key of an entity that the file counts as given.
    func counted(_ entity: Int) throws -> Int64 {
        try tool.read { db in
            try Int64.fetchOne(
                db,
                sql: "SELECT lastKey FROM ObjectStoreKeys WHERE entity = ?",
                arguments: [entities[entity].name]
            ) ?? -1
        }
    }
}

extension ManagedObjectModel.Entity {
    /// A row with a name if it can have one, and perhaps a reference.
    fileprivate func row(_ key: Int64, leadingTo target: Int64? = nil) -> StoredRow {
        let values: [AttributeValue] = columns.map { column in
            switch column.name {
            case "name": .text("\(key)")
            case "whole", "luggage":
                target.map { .reference(ObjectID(entity: index, key: $0)) } ?? .null
            default: .null
            }
        }
        return StoredRow(
            id: ObjectID(entity: index, key: key),
            version: 1,
            values: RowValues(values)
        )
    }
}
