import ObjectStore
import SeededRandom
import StoreTesting
import Testing

/// A context that keeps all steps, and random edits of its bags, people and seals: the same for the same seed.
final class UndoWorld {
    struct Stop: Error {}

    let store = PausingStore()
    let container: PersistentContainer
    let context: ManagedObjectContext
    /// What happens after each edit that is not in a group.
    var between: () throws -> Void = {}
    private(set) var bags: [Luggage]
    private var people: [Passenger]
    private var seals: [Seal] = []
    private var random: SeededGenerator
    private var edits = 0
    private let setsNotes: Bool
    private let isMerging: Bool

    /// Makes it.
    ///
    /// - Parameters:
    ///   - seed: Which edits it makes.
    ///   - setsNotes: Whether it edits the notes of bags too, or leaves them to others.
    ///   - isMerging: Whether it inserts bags with identifiers that there are, instead of deleting anything.
    ///   - policy: What settles conflicts with others.
    /// - Throws: `StoreError`.
    init(
        seed: Int,
        setsNotes: Bool = true,
        isMerging: Bool = false,
        policy: MergePolicy = .mergeByPropertyObjectTrump
    ) throws {
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext(mergePolicy: policy)
        (self.container, self.context) = (container, context)
        (self.setsNotes, self.isMerging) = (setsNotes, isMerging)
        random = SeededGenerator(seed: UInt64(seed))
        people = ["a", "b", "c"].map { Passenger(context, "P", $0) }
        bags = (0..<3).map { Luggage(context, "t\($0)", weight: 1) }
        context.undoLimit = 1000
    }

    /// Makes an edit, which is a step unless a group is open.
    func edit() throws {
        edits += 1
        let pick = random.number(below: 1000)
        let bag = bags.filter { !$0.isDeleted }.pick(pick)
        let person = people.filter { !$0.isDeleted }.pick(pick / 7)
        let seal = seals.filter { !$0.isDeleted }.pick(pick)
        switch random.number(below: 16) {
        case 0:
            let tag = isMerging ? "t\(random.number(below: 6))" : "n\(edits)"
            let weight = isMerging ? Double(1 + pick % 2) : 2
            bags.append(context.undoGroup { Luggage(context, tag, weight: weight) })
        case 1: bag?.weight = Double(edits)
        case 2 where setsNotes: bag?.note = pick.isMultiple(of: 3) ? nil : "n\(edits)"
        case 2: bag?.priority = edits
        case 3: bag?.place = pick.isMultiple(of: 3) ? nil : "p\(edits)"
        case 4: if let bag, !isMerging { try context.delete(bag) }
        case 5, 6: bag?.owner = pick.isMultiple(of: 4) ? nil : person
        case 7:
            person?.luggage = bags.filter { !$0.isDeleted && random.number(below: 2) == 0 }
        case 8: if let bag { seals.append(context.undoGroup { Seal(context, edits, on: bag) }) }
        case 9: if let person, !isMerging { try context.delete(person) }
        case 10:
            context.undoGroup {
                people.append(Passenger(context, "P", String(edits % 1000)))
                bag?.owner = people.last
            }
        case 11: bag?.heaviest = pick % 12
        case 12: bag?.lightest = pick % 12
        case 13: person?.phone = String(edits)
        case 14: seal?.number = 100 + edits
        default: seal?.luggage = bag
        }
        try between()
    }

    /// Makes an edit of somebody else, and saves it.
    func editElsewhere() throws {
        edits += 1
        let other = container.makeContext()
        let bag = try other.fetch(FetchRequest(Luggage.self).sorted(by: \.tag))
            .pick(random.number(below: 1000))
        let person = try other.fetch(FetchRequest(Passenger.self).sorted(by: \.familyName))
            .pick(random.number(below: 1000))
        switch random.number(below: 9) {
        case 0: bag?.weight = 1000 + Double(edits)
        case 1: bag?.note = "o\(edits)"
        case 2: bag?.heaviest = random.number(below: 12)
        case 3: bag?.lightest = random.number(below: 12)
        case 4: person?.phone = "o\(edits)"
        case 5: if let bag { _ = Seal(other, 1000 + edits, on: bag) }
        case 6:
            let tag = "t\(random.number(below: 6))"
            if try other.luggage(tag) == nil { Luggage(other, tag, weight: 2000).place = "o" }
        case 7: bag?.owner = person
        default: try other.first(FetchRequest(Seal.self))?.luggage = bag
        }
        try other.save()
    }

    /// Saves, or reads what others have saved, or neither.
    func saveOrRead() throws {
        switch random.number(below: 8) {
        case 0: _ = try? context.save()
        case 1: _ = try picture()
        case 2: for bag in bags where !bag.isDeleted { try context.refresh(bag) }
        default: break
        }
    }

    /// Makes some edits, and groups in them that succeed or fail.
    func edits(depth: Int = 0) throws {
        for _ in 0..<random.number(below: 4) {
            if depth < 2 && random.number(below: 4) == 0 {
                if random.number(below: 2) == 0 {
                    try failingGroup(depth: depth + 1)
                } else {
                    try context.undoGroup { try edits(depth: depth + 1) }
                }
            } else {
                try edit()
            }
        }
    }

    /// Makes edits in a group that fails, between which nothing happens that would stay.
    private func failingGroup(depth: Int) throws {
        let kept = between
        between = {}
        defer { between = kept }
        do {
            try context.undoGroup {
                try edits(depth: depth)
                throw Stop()
            }
        } catch is Stop {}
    }

    /// Makes an edit or a group, or undoes or redoes one.
    func step() throws {
        switch random.number(below: 10) {
        case 0..<4: try edit()
        case 4, 5: try context.undoGroup { try edits() }
        case 6: try failingGroup(depth: 0)
        case 7, 8: context.undo()
        default: context.redo()
        }
        try between()
    }

    /// Everything that can be seen.
    func picture(of context: ManagedObjectContext? = nil) throws -> [String] {
        try (context ?? self.context).picture(withNotes: setsNotes)
    }
}

extension ManagedObjectContext {
    /// All bags, people and seals that a fetch shows, a line each.
    func picture(withNotes: Bool = true) throws -> [String] {
        let bags = try fetch(FetchRequest(Luggage.self)).map { bag in
            let seals = bag.seals.map { "\($0.number ?? -1)" }.sorted()
            let note = withNotes ? bag.note ?? "-" : ""
            return "bag \(bag.tag) \(bag.weight) \(bag.priority) \(note) \(bag.place ?? "-") "
                + "\(bag.heaviest ?? -1) \(bag.lightest ?? -1) "
                + "\(bag.owner?.familyName ?? "-") \(seals)"
        }
        let people = try fetch(FetchRequest(Passenger.self)).map { person in
            "person \(person.familyName) \(person.card ?? -1) \(person.phone ?? "-") "
                + "\(person.luggage.map(\.tag).sorted())"
        }
        let seals = try fetch(FetchRequest(Seal.self)).map { seal in
            "seal \(seal.number ?? -1) \(seal.luggage?.tag ?? "-")"
        }
        return (bags + people + seals).sorted()
    }
}

extension Array {
    /// One of the elements; nil if there are none.
    fileprivate func pick(_ number: Int) -> Element? { isEmpty ? nil : self[number % count] }
}
