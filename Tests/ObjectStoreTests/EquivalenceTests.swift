import ObjectStore
import SeededRandom
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Every store gives the same rows")
struct EquivalenceTests {
    private static let seeds: [UInt64] = [1, 2, 3, 0xBA6, 0xFFFF_FFFF_FFFF_FFFF]

    @Test(
        "after any sequence of insertions, assignments, deletions and saves",
        arguments: seeds,
        MergePolicy.all
    )
    func randomSequences(seed: UInt64, policy: MergePolicy) throws {
        let folder = try TemporaryFolder()
        let model = try TestModel.make()
        let memory = try PersistentContainer(model: model, store: InMemoryStore())
        let file = try SQLiteStore(path: folder.path("store.sqlite"))
        let sqlite = try PersistentContainer(model: model, store: file)
        var (first, second) = (RandomWork(memory, seed, policy), RandomWork(sqlite, seed, policy))
        for step in 0..<250 {
            let (a, b) = (try first.step(), try second.step())
            try #require(a == b, "seed \(seed), step \(step)")
            guard step.isMultiple(of: 10) else { continue }
            let (rows, others) = (try RandomWork.rows(memory), try RandomWork.rows(sqlite))
            try #require(rows == others, "seed \(seed), step \(step)")
            try RandomWork.checkIntegrity(of: rows, "seed \(seed), step \(step)")
        }
        #expect(try RandomWork.rows(memory) == RandomWork.rows(sqlite), "seed \(seed)")
        #expect(first.saves > 5, "seed \(seed)")
    }
}

/// Random changes in three contexts on one store; the same ones for the same seed.
private struct RandomWork {
    private let container: PersistentContainer
    private let policy: MergePolicy
    private var contexts: [ManagedObjectContext]
    private var random: SeededGenerator
    /// The number of saves that have changed something.
    private(set) var saves = 0

    init(_ container: PersistentContainer, _ seed: UInt64, _ policy: MergePolicy) {
        self.container = container
        self.policy = policy
        contexts = (0..<3).map { _ in container.makeContext(mergePolicy: policy) }
        random = SeededGenerator(seed: seed)
    }

    /// Does one thing and tells what came of it.
    mutating func step() throws -> String {
        let position = random.number(below: contexts.count)
        let context = contexts[position]
        switch random.number(below: 12) {
        case 0...2: insertLuggage(context)
        case 3: insertPassenger(context)
        case 4: _ = Seal(context, choice(of: 3), on: try someLuggage(context))
        case 5, 6: try editLuggage(context)
        case 7:
            let passengers = try context.fetch(FetchRequest(Passenger.self))
            if let passenger = pick(passengers) { passenger.card = choice(of: 4) }
        case 8: if let luggage = try someLuggage(context) { try context.delete(luggage) }
        case 9:
            let passengers = try context.fetch(FetchRequest(Passenger.self))
            if let passenger = pick(passengers) { try context.delete(passenger) }
        default: return try save(at: position)
        }
        return ""
    }

    private mutating func save(at position: Int) throws -> String {
        let context = contexts[position]
        do {
            let result = try context.save()
            if !result.changes.isEmpty { saves += 1 }
            if random.number(below: 3) == 0 {
                contexts[position] = container.makeContext(mergePolicy: policy)
            }
            return result.changes.sorted { $0.key < $1.key }
                .map { "\($0.key) \($0.value.kind) \($0.value.after?.values ?? [])" }
                .joined(separator: "\n")
        } catch let error as MergeConflictError {
            context.rollback()
            return error.description
        } catch let error as ValidationError {
            context.rollback()
            return error.description
        }
    }

    private mutating func insertLuggage(_ context: ManagedObjectContext) {
        let luggage = Luggage(context, "T\(random.number(below: 6))")
        if random.number(below: 4) > 0 { luggage.weight = Double(random.number(below: 30)) }
        if random.number(below: 2) > 0 { luggage.note = choice(of: 5).map(String.init) }
        if random.number(below: 2) > 0 { luggage.heaviest = choice(of: 50) }
        if random.number(below: 2) > 0 { luggage.lightest = choice(of: 50) }
        if random.number(below: 2) > 0 { luggage.original = choice(of: 50) }
        if random.number(below: 2) > 0 { luggage.owner = insertPassenger(context) }
    }

    @discardableResult
    private mutating func insertPassenger(_ context: ManagedObjectContext) -> Passenger {
        let passenger = Passenger(context: context)
        if random.number(below: 5) > 0 { passenger.givenName = "P" }
        if random.number(below: 5) > 0 { passenger.familyName = String(random.number(below: 4)) }
        if random.number(below: 3) == 0 { passenger.card = choice(of: 4) }
        return passenger
    }

    private mutating func editLuggage(_ context: ManagedObjectContext) throws {
        guard let luggage = try someLuggage(context) else { return }
        switch random.number(below: 5) {
        case 0: luggage.tag = "T\(random.number(below: 6))"
        case 1: luggage.note = choice(of: 5).map(String.init)
        case 2: luggage.heaviest = choice(of: 50)
        case 3: luggage.owner = pick(try context.fetch(FetchRequest(Passenger.self)))
        default: luggage.weight = Double(random.number(below: 30))
        }
    }

    private mutating func someLuggage(_ context: ManagedObjectContext) throws -> Luggage? {
        pick(try context.fetch(FetchRequest(Luggage.self)))
    }

    /// One of the objects; provisional keys differ from run to run, but not in their order.
    private mutating func pick<Object>(_ objects: [Object]) -> Object? {
        objects.isEmpty ? nil : objects[random.number(below: objects.count)]
    }

    /// A number, or now and then none.
    private mutating func choice(of count: Int) -> Int? {
        let number = random.number(below: count + 1)
        return number == count ? nil : number
    }

    // MARK: Results

    /// Every row as text.
    static func rows(_ container: PersistentContainer) throws -> [String] {
        let context = container.makeContext()
        let passengers = try context.fetch(FetchRequest(Passenger.self)).map {
            "\($0.objectID) \($0.givenName) \($0.familyName) \(String(describing: $0.card))"
        }
        let luggage = try context.fetch(FetchRequest(Luggage.self)).map { bag in
            let numbers = [bag.heaviest, bag.lightest, bag.original].map { $0 ?? -1 }
            return "\(bag.objectID) \(bag.tag) \(bag.weight) \(bag.note ?? "-") \(numbers)"
                + " \(bag.owner.map { "\($0.objectID)" } ?? "-")"
        }
        let seals = try context.fetch(FetchRequest(Seal.self)).map {
            "\($0.objectID) \($0.number ?? -1) \($0.luggage.map { "\($0.objectID)" } ?? "-")"
        }
        return passengers + luggage + seals
    }

    /// No two rows have the same unique values, and every reference leads to a row.
    static func checkIntegrity(of rows: [String], _ place: Comment) throws {
        let keys = rows.filter { $0.hasPrefix("1/") }.map { $0.split(separator: " ")[1] }
        try #require(Set(keys).count == keys.count, place)
        let ids = Set(rows.compactMap { $0.split(separator: " ").first })
        let targets = rows.filter { !$0.hasPrefix("0/") }.compactMap {
            $0.split(separator: " ").last
        }
        try #require(targets.allSatisfy { $0 == "-" || ids.contains($0) }, place)
    }
}
