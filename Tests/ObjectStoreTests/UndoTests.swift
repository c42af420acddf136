import Foundation
import ObjectStore
import SeededRandom
import StoreTesting
import Testing

@Suite("Undo and redo")
struct UndoTests {
    @Test(
        "take back and do again what was inserted, assigned and deleted",
        arguments: TestStore.allCases
    )
    func steps(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            context.undoLimit = 10
            let luggage = Luggage(context: context)
            luggage.tag = "A"
            luggage.weight = 42
            #expect(context.undo())
            #expect(luggage.weight == 0)
            #expect(context.undo())
            #expect(context.undo())
            #expect(luggage.isDeleted)
            #expect(!context.undo())
            #expect(context.redo() && context.redo() && context.redo() && !context.redo())
            #expect(luggage.tag == "A")
            #expect(luggage.weight == 42)
            try context.save()
            #expect(try container.makeContext().luggage("A")?.weight == 42)
        }
    }

    @Test("take back what was saved, by the next save", arguments: TestStore.allCases)
    func saved(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let kept = Luggage(context, "kept", weight: 1)
            let gone = Luggage(context, "gone", weight: 2)
            gone.owner = Passenger(context, "D", "ZMU")
            try context.save()
            let identity = gone.objectID

            context.undoLimit = 10
            try context.undoGroup(named: "tidy up") {
                kept.weight = 10
                try context.delete(gone)
                _ = Luggage(context, "new", weight: 3)
            }
            try context.save()
            #expect(try container.makeContext().count(Luggage.self) == 2)
            #expect(context.undoName == "tidy up")

            #expect(context.undo())
            #expect(context.hasChanges)
            try context.save()
            let reader = container.makeContext()
            #expect(try reader.count(Luggage.self) == 2)
            #expect(try reader.luggage("kept")?.weight == 1)
            #expect(try reader.luggage("gone")?.objectID == identity)
            #expect(try reader.luggage("gone")?.owner?.familyName == "ZMU")

            #expect(context.redoName == "tidy up")
            #expect(context.redo())
            try context.save()
            let later = container.makeContext()
            #expect(try later.luggage("kept")?.weight == 10)
            #expect(try later.luggage("gone") == nil)
            #expect(try later.luggage("new")?.weight == 3)
        }
    }

    @Test("keep as many steps as the limit says, and none before it is set")
    func limit() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A")
            #expect(!context.canUndo)
            context.undoLimit = 3
            for weight in 1...10 { luggage.weight = Double(weight) }
            #expect(context.undo() && context.undo() && context.undo() && !context.undo())
            #expect(luggage.weight == 7)
            luggage.weight = 70
            #expect(!context.canRedo)
            context.rollback()
            #expect(!context.canUndo)

            let other = Luggage(context, "B")
            for weight in 1...3 { other.weight = Double(weight) }
            while context.undo() {}
            context.undoLimit = 2
            while context.redo() {}
            #expect(other.weight == 2)
            #expect(context.undo() && context.undo() && !context.undo())
        }
    }

    /// What can be seen of a context.
    private func picture(_ context: ManagedObjectContext) throws -> [[String]] {
        let luggage = try context.fetch(FetchRequest(Luggage.self)).map { luggage in
            [
                luggage.tag, "\(luggage.weight)", luggage.note ?? "-",
                luggage.owner?.familyName ?? "-",
            ]
        }
        let passengers = try context.fetch(FetchRequest(Passenger.self)).map { passenger in
            [passenger.familyName] + passenger.luggage.map(\.tag).sorted()
        }
        return (luggage + passengers).sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test(
        "N times give the start, and N times again the end",
        arguments: 0..<20,
        TestStore.allCases
    )
    func anyEdits(seed: Int, store: TestStore) throws {
        try store.withContainer { container in
            var random = SeededGenerator(seed: UInt64(seed))
            let context = container.makeContext()
            for number in 0..<4 {
                let luggage = Luggage(context, "tag \(number)", weight: Double(number))
                luggage.owner = Passenger(context, "A", "P\(number)")
            }
            try context.save()
            context.undoLimit = 1000
            var pictures = [try picture(context)]
            for step in 0..<40 {
                let bags = try context.fetch(FetchRequest(Luggage.self))
                let people = try context.fetch(FetchRequest(Passenger.self))
                try context.undoGroup {
                    switch random.number(below: 6) {
                    case 0: _ = Luggage(context, "new \(step)", weight: 1)
                    case 1: if let bag = bags.randomElement(using: &random) { bag.weight += 1 }
                    case 2: if let bag = bags.randomElement(using: &random) { bag.note = "\(step)" }
                    case 3:
                        if let bag = bags.randomElement(using: &random) { try context.delete(bag) }
                    case 4:
                        if let bag = bags.randomElement(using: &random) {
                            bag.owner = people.randomElement(using: &random)
                        }
                    default:
                        if let one = people.randomElement(using: &random), people.count > 2 {
                            try context.delete(one)
                        }
                    }
                    // So that every group is a step.
                    Counter(context: context).name = "step \(step)"
                }
                pictures.append(try picture(context))
                if random.number(below: 5) == 0 { try context.save() }
            }
            for expected in pictures.dropLast().reversed() {
                #expect(context.undo())
                #expect(try picture(context) == expected, "seed \(seed)")
                if random.number(below: 7) == 0 { try context.save() }
            }
            #expect(!context.undo())
            for expected in pictures.dropFirst() {
                #expect(context.redo())
                #expect(try picture(context) == expected, "seed \(seed)")
                if random.number(below: 7) == 0 { try context.save() }
            }
            try context.save()
            #expect(try picture(container.makeContext()) == pictures.last, "seed \(seed)")
        }
    }
}
