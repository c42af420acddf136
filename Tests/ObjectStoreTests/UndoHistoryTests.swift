import ObjectStore
import SeededRandom
import StoreTesting
import Testing

/// Each history is made twice: once without saves, which says what must be seen.
@Suite("Whatever is edited, undone and redone")
struct UndoHistoryTests {
    private static let seeds = 0..<60

    /// Checks that two worlds show the same.
    private func expectSame(
        _ plain: UndoWorld,
        _ saved: UndoWorld,
        _ when: String
    ) throws {
        let (expected, seen) = (try plain.picture(), try saved.picture())
        try #require(seen == expected, "\(when)")
        try #require(plain.context.canUndo == saved.context.canUndo, "\(when)")
        try #require(plain.context.canRedo == saved.context.canRedo, "\(when)")
    }

    /// Undoes everything, then redoes it, in two worlds that must show the same all the time.
    private func goBackAndForth(
        _ plain: UndoWorld,
        _ saved: UndoWorld,
        _ seed: Int,
        _ between: () throws -> Void
    ) throws {
        for (go, what) in [
            ({ $0.undo() }, "undoing"), ({ $0.redo() }, "redoing"),
        ] as [((ManagedObjectContext) -> Bool, String)] {
            while true {
                let isDone = go(plain.context)
                #expect(go(saved.context) == isDone)
                try expectSame(plain, saved, "seed \(seed), \(what)")
                if !isDone { break }
                try between()
            }
            try saved.context.save()
            let stored = try saved.picture(of: saved.container.makeContext())
            let expected = try plain.picture()
            try #require(stored == expected, "seed \(seed), \(what)")
        }
    }

    @Test("saves at any time change nothing that is seen", arguments: seeds)
    func saves(seed: Int) throws {
        let (plain, saved) = (try UndoWorld(seed: seed), try UndoWorld(seed: seed))
        var chance = SeededGenerator(seed: UInt64(seed) + 1_000_000)
        func save() throws {
            switch chance.number(below: 8) {
            case 0: try saved.context.save()
            case 1 where saved.context.hasChanges:
                #expect(throws: UndoWorld.Stop.self) {
                    try saved.store.save(saved.context) { throw UndoWorld.Stop() }
                }
            default: break
            }
        }
        saved.between = save
        for step in 0..<40 {
            try plain.step()
            try saved.step()
            try expectSame(plain, saved, "seed \(seed), step \(step)")
        }
        try goBackAndForth(plain, saved, seed, save)
    }

    @Test("during a save is as after it", arguments: seeds)
    func duringSaves(seed: Int) throws {
        let (plain, saved) = (try UndoWorld(seed: seed), try UndoWorld(seed: seed))
        var chance = SeededGenerator(seed: UInt64(seed) + 2_000_000)
        for step in 0..<30 {
            if chance.number(below: 3) == 0 && saved.context.hasChanges {
                let isGroup = chance.number(below: 2) == 0
                let fails = chance.number(below: 3) == 0
                func edit(_ world: UndoWorld) throws {
                    try world.edit()
                    if isGroup { try world.context.undoGroup { try world.edits() } }
                }
                try edit(plain)
                do {
                    try saved.store.save(saved.context) {
                        try edit(saved)
                        if fails { throw UndoWorld.Stop() }
                    }
                } catch is UndoWorld.Stop {
                    #expect(fails)
                }
            } else {
                try plain.step()
                try saved.step()
            }
            try expectSame(plain, saved, "seed \(seed), step \(step)")
        }
        try goBackAndForth(plain, saved, seed) {
            if chance.number(below: 4) == 0 { try saved.context.save() }
        }
    }

    @Test("loses nothing that others save of other properties", arguments: seeds)
    func amongOthers(seed: Int) throws {
        let plain = try UndoWorld(seed: seed, setsNotes: false)
        let saved = try UndoWorld(seed: seed, setsNotes: false)
        var chance = SeededGenerator(seed: UInt64(seed) + 3_000_000)
        var notes: [String: String] = [:]
        var unmerged: [SaveResult] = []
        func work() throws {
            if chance.number(below: 5) == 0 { try saved.context.save() }
            if chance.number(below: 3) == 0 {
                let other = saved.container.makeContext(mergePolicy: .mergeByPropertyStoreTrump)
                let bags = try other.fetch(FetchRequest(Luggage.self))
                if let bag = bags.randomElement(using: &chance) {
                    bag.note = "o\(notes.count) \(chance.number(below: 1000))"
                    notes[bag.tag] = bag.note
                    unmerged.append(try other.save())
                }
            }
            if chance.number(below: 4) == 0 {
                for save in unmerged { try saved.context.mergeChanges(of: save) }
                unmerged = []
            }
            if chance.number(below: 6) == 0 {
                let bags = saved.bags.filter { !$0.isDeleted }
                if let bag = bags.randomElement(using: &chance) { try saved.context.refresh(bag) }
            }
        }
        saved.between = work
        for step in 0..<40 {
            try plain.step()
            try saved.step()
            try expectSame(plain, saved, "seed \(seed), step \(step)")
        }
        try goBackAndForth(plain, saved, seed, work)
        for bag in try saved.container.makeContext().fetch(FetchRequest(Luggage.self)) {
            #expect(bag.note == notes[bag.tag], "seed \(seed), \(bag.tag)")
        }
    }
}
