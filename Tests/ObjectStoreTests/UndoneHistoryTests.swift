import ObjectStore
import StoreTesting
import Testing

/// Histories of two contexts, and what undoing in one of them leaves after a save.
@Suite("Undoing a history after a save")
struct UndoneHistoryTests {
    /// A context whose changes are undone, and one of somebody else.
    struct Station {
        let container: PersistentContainer
        let context: ManagedObjectContext
        let other: ManagedObjectContext

        init(_ policy: MergePolicy = .mergeByPropertyObjectTrump) throws {
            container = try PersistentContainer(model: TestModel.make(), store: InMemoryStore())
            other = container.makeContext()
            context = container.makeContext(mergePolicy: policy)
            context.undoLimit = 20
        }

        /// Stores what somebody else inserts.
        @discardableResult
        func store<Objects>(_ make: (ManagedObjectContext) throws -> Objects) throws -> Objects {
            let objects = try make(other)
            try other.save()
            return objects
        }

        func bag(_ tag: String = "A") throws -> Luggage { try #require(try context.luggage(tag)) }

        func person(_ name: String = "P") throws -> Passenger {
            let people = try context.fetch(FetchRequest(Passenger.self))
            return try #require(people.first { $0.familyName == name })
        }

        func seal() throws -> Seal { try #require(try context.first(FetchRequest(Seal.self))) }

        func stored() throws -> [String] { try container.makeContext().picture() }

        func undo(_ count: Int) { for _ in 0..<count { #expect(context.undo()) } }

        func redo(_ count: Int) { for _ in 0..<count { #expect(context.redo()) } }
    }

    /// A history, of which up to two steps are undone.
    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var policies: [MergePolicy] = [.mergeByPropertyObjectTrump]
        var steps = 1...2
        let make: @Sendable (Station) throws -> Void

        static let all = [
            History(
                testDescription: "a new bag took a seal, and both were edited",
                policies: [.mergeByPropertyObjectTrump, .error]
            ) { station in
                try station.store { _ = Seal($0, 1, on: nil) }
                let (seal, context) = (try station.seal(), station.context)
                let bag = context.undoGroup {
                    seal.luggage = Luggage(context, "A", weight: 1)
                    return seal.luggage
                }
                try context.save()
                context.undoGroup {
                    bag?.note = "n"
                    seal.number = 5
                }
            },
            History(
                testDescription: "a new person took a bag, was edited, and gave it away",
                policies: [.mergeByPropertyObjectTrump, .overwrite]
            ) { station in
                try station.store { other in
                    _ = Luggage(other, "A", weight: 1)
                    _ = Passenger(other, "P", "Q")
                }
                let (bag, heir) = (try station.bag(), try station.person("Q"))
                let context = station.context
                let owner = context.undoGroup {
                    bag.owner = Passenger(context, "P", "P")
                    return bag.owner
                }
                try context.save()
                context.undoGroup {
                    owner?.phone = "1"
                    bag.owner = heir
                }
            },
            History(testDescription: "a seal edited after a deletion, led there by others") {
                station in
                try leading(station) { bag, seal in
                    try station.context.delete(bag)
                    seal.number = 5
                }
            },
            History(testDescription: "a seal edited before a deletion, led there by others") {
                station in
                try leading(station) { bag, seal in
                    seal.number = 5
                    try station.context.delete(bag)
                }
            },
            History(
                testDescription: "a seal led elsewhere, but by others to what was deleted",
                policies: [.mergeByPropertyStoreTrump, .rollback]
            ) { station in
                try station.store { _ = Luggage($0, "B", weight: 1) }
                try leading(station) { bag, seal in
                    seal.luggage = try station.bag("B")
                    try station.context.delete(bag)
                }
            },
            History(
                testDescription: "a bag given to one, but by others to one who was deleted",
                policies: [.mergeByPropertyStoreTrump, .rollback]
            ) { station in
                let (bag, owner) = try station.store { other in
                    _ = Passenger(other, "P", "Q")
                    return (Luggage(other, "A", weight: 1), Passenger(other, "P", "P"))
                }
                try station.bag().owner = station.person("Q")
                try station.context.delete(station.person())
                bag.owner = owner
                try station.other.save()
            },
            History(
                testDescription: "a seal deleted, then its bag, and edited by others",
                policies: [.mergeByPropertyStoreTrump]
            ) { station in
                let theirs = try station.store { Seal($0, 1, on: Luggage($0, "A", weight: 1)) }
                let bag = try station.bag()
                try station.context.delete(station.seal())
                try station.context.delete(bag)
                theirs.number = 9
                try station.other.save()
            },
            History(testDescription: "something assigned to a deleted person, led to by others") {
                station in
                let (bag, theirs) = try station.store { other in
                    (Luggage(other, "A", weight: 1), Passenger(other, "P", "P"))
                }
                let owner = try station.person()
                try station.context.delete(owner)
                owner.phone = "1"
                bag.owner = theirs
                try station.other.save()
            },
            History(
                testDescription: "three new people, two with each unique value",
                policies: [
                    .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
                ],
                steps: 1...1
            ) { station in
                let context = station.context
                let first = context.undoGroup {
                    let people = ["A", "B", "A"].map { Passenger(context, "P", $0) }
                    (people[1].card, people[1].phone) = (7, "b")
                    (people[2].card, people[2].phone) = (7, "c")
                    return people[0]
                }
                let bag = Luggage(context, "A", weight: 1)
                bag.owner = first
                context.undoGroup { (first.givenName, bag.note) = ("P", "n") }
            },
            History(
                testDescription: "two new people, one with the name of a third, one with its card",
                policies: [.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump],
                steps: 1...1
            ) { station in
                try station.store { Passenger($0, "P", "A").card = 1 }
                let context = station.context
                let first = context.undoGroup {
                    let people = ["A", "B"].map { Passenger(context, "P", $0) }
                    (people[1].card, people[1].phone) = (1, "9")
                    return people[0]
                }
                first.phone = "x"
            },
        ]

        /// Others lead a seal to a bag while that is deleted.
        private static func leading(
            _ station: Station,
            _ edit: (Luggage, Seal) throws -> Void
        ) throws {
            let (bag, seal) = try station.store { other in
                (Luggage(other, "A", weight: 1), Seal(other, 1, on: nil))
            }
            try edit(station.bag(), station.seal())
            seal.luggage = bag
            try station.other.save()
        }
    }

    @Test(
        "leaves what undoing before the save leaves, and redoing what was saved",
        arguments: History.all
    )
    func undoing(_ history: History) throws {
        for policy in history.policies {
            for count in history.steps {
                let (early, late) = (try Station(policy), try Station(policy))
                try history.make(early)
                try history.make(late)
                try late.context.save()
                let saved = try late.stored()
                early.undo(count)
                late.undo(count)
                try early.context.save()
                try late.context.save()
                let (expected, seen) = (try early.stored(), try late.stored())
                #expect(seen == expected, "\(count) undone")
                late.redo(count)
                try late.context.save()
                let redone = try late.stored()
                #expect(redone == saved, "\(count) redone")
            }
        }
    }

    /// A conflict over what two steps have deleted, cleared or merged.
    enum Conflict: CaseIterable {
        case cascaded, cleared, clearedBefore, merged
    }

    @Test(
        "redone after a save, loses to others as if it had never been undone",
        arguments: Conflict.allCases
    )
    func losing(_ conflict: Conflict) throws {
        var pictures: [[String]] = []
        for isUndone in [false, true] {
            let station = try Station(
                conflict == .merged ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump
            )
            let theirs = try station.store { other in
                let bag = Luggage(other, "A", weight: 1)
                bag.owner = Passenger(other, "P", "P")
                _ = Seal(other, 1, on: bag)
                return bag
            }
            let (context, bag, owner) = (station.context, try station.bag(), try station.person())
            context.undoGroup { (bag.note, bag.weight, owner.card) = ("n", 2, 1) }
            if !isUndone && conflict != .merged { try context.save() }
            switch conflict {
            case .cascaded: try context.delete(bag)
            case .cleared: try context.delete(owner)
            case .clearedBefore:
                bag.owner = nil
                try context.delete(owner)
            case .merged: _ = context.undoGroup { Luggage(context, "A", weight: 3) }
            }
            if isUndone {
                let count = conflict == .cascaded || conflict == .cleared ? 1 : 2
                station.undo(count)
                try context.save()
                station.redo(count)
            }
            if conflict != .merged {
                try station.other.refresh(theirs)
                theirs.place = "p"
                theirs.owner?.phone = "1"
                try station.other.save()
            }
            try context.save()
            pictures.append(try station.stored())
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test(
        "leads nobody to what an earlier step deletes, and a policy keeps",
        arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback],
        [false, true]
    )
    func cleared(policy: MergePolicy, isRedone: Bool) throws {
        let station = try Station(policy)
        let context = station.context
        if isRedone {
            try station.store { _ = Passenger($0, "P", "P") }
            let owner = try station.person()
            let bag = context.undoGroup {
                let bag = Luggage(context, "A", weight: 1)
                bag.owner = owner
                return bag
            }
            bag.owner = nil
            try context.delete(owner)
            station.undo(2)
        } else {
            try station.store { _ = Luggage($0, "A", weight: 1) }
            let bag = try station.bag()
            let owner = context.undoGroup { Passenger(context, "P", "P") }
            bag.owner = owner
        }
        try context.save()
        try station.store { other in
            try #require(try other.first(FetchRequest(Passenger.self))).phone = "1"
        }
        if isRedone { station.redo(2) } else { station.undo(2) }
        try context.save()
        #expect(try station.bag().owner == nil)
        #expect(try station.person().phone == "1")
    }

    @Test("of which a deletion is redone leads nowhere that was deleted")
    func redone() throws {
        let station = try Station()
        try station.store { Luggage($0, "A", weight: 1).owner = Passenger($0, "P", "P") }
        let (bag, owner) = (try station.bag(), try station.person())
        station.context.undoGroup { (bag.note, owner.phone) = ("n", "1") }
        try station.context.delete(owner)
        station.undo(1)
        try station.context.save()
        station.redo(1)
        #expect(bag.owner == nil)
    }

    @Test(
        "gives nobody's values to an object that had another name",
        arguments: [true, false],
        [MergePolicy.mergeByPropertyObjectTrump, .custom { _, _ in }]
    )
    func renamed(isEdited: Bool, policy: MergePolicy) throws {
        let station = try Station(policy)
        try station.store { _ = Luggage($0, "A", weight: 1) }
        if isEdited { try station.bag().note = "n" }
        let context = station.context
        let new = context.undoGroup { Luggage(context, "B", weight: 7) }
        new.tag = "A"
        try context.save()
        station.undo(1)
        try context.save()
        let stored = try station.stored()
        #expect(stored == ["bag A 1.0 3 \(isEdited ? "n" : "-") - -1 -1 - []"])
    }

    @Test("nor to a new one")
    func renamedNew() throws {
        let station = try Station()
        let context = station.context
        let bags = ["A", "B"].map { tag in
            context.undoGroup { Luggage(context, tag, weight: tag == "A" ? 1 : 7) }
        }
        bags[1].tag = "A"
        try context.save()
        station.undo(1)
        try context.save()
        let stored = try station.stored()
        #expect(stored == ["bag A 1.0 3 - - -1 -1 - []"])
    }

    @Test("keeps what was read of others until they deleted the object", arguments: [false, true])
    func read(isDeletedHere: Bool) throws {
        let station = try Station()
        let theirs = try station.store { Luggage($0, "A", weight: 1) }
        let bag = try station.bag()
        bag.place = "p"
        theirs.weight = 5
        try station.other.save()
        try station.context.refresh(bag)
        if isDeletedHere { try station.context.delete(bag) }
        try station.other.delete(theirs)
        try station.other.save()
        try station.context.save()
        station.undo(isDeletedHere ? 2 : 1)
        #expect(bag.weight == 5 && bag.place == nil)
    }
}
