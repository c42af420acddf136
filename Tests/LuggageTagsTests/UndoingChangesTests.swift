import Foundation
import LuggageTags
import ObjectStore
import SeededRandom
import Testing

@Suite("Taking changes back, and bringing them back")
struct UndoingChangesTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private static let anna = Responsibility(author: "anna", reason: "wrong belt")

    /// What is on record: bags, and passengers.
    private struct State: Equatable {
        var bags: [Bag]
        var passengers: [String]
        /// What counts for the bags.
        var scans: Int

        init(_ container: PersistentContainer) throws {
            let context = container.makeContext()
            bags = try Bag.all(in: container)
            passengers = try context.fetch(FetchRequest(Passenger.self)).map(\.name.description)
                .sorted()
            scans = try context.count(FetchRequest(Scan.self).where(\.undoneAt, isMissing: true))
        }
    }

    private func record(
        _ pictures: ReadPicture...,
        in container: PersistentContainer
    ) throws {
        let recorder = ScanRecorder(container: container, author: Self.anna.author)
        for picture in pictures { _ = try recorder.record(picture) }
    }

    private func code(_ body: () throws -> Void) -> CorrectionError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? CorrectionError)?.code
        }
    }

    @Test(
        "a picture is filed again if it came to its folder after its scan was taken back",
        // A file's time may be a tick of the kernel's clock too early.
        arguments: [(-1.0, false), (-0.02, false), (-0.01, true), (0, true), (1, true)]
    )
    func droppedAgain(seconds: Double, isFiledAgain: Bool) throws {
        let container = try emptyRecord()
        let takenBack = Date().addingTimeInterval(60)
        var picture = ReadPicture.of(payload(), name: "a.png")
        picture.file = DroppedFileFacts(number: 7, modifiedAt: 1, changedAt: 1)
        let recorder = ScanRecorder(container: container, author: Self.anna.author)
        _ = try recorder.recordOnce([picture])
        _ = try ChangeUndoing(container: container, now: { takenBack }).undo(by: Self.anna)
        #expect(try recorder.journalAnswer(about: picture) == .filed)
        picture.file?.changedAt = takenBack.timeIntervalSince1970 + seconds
        let answer: JournalAnswer = isFiledAgain ? .unknown : .filed
        #expect(try recorder.journalAnswer(about: picture) == answer)
    }

    @Test("a scan that was taken back stays on record, and does nothing any more")
    func scan() throws {
        let container = try emptyRecord()
        try record(.of(payload(), name: "a"), in: container)
        let first = try State(container)
        try record(
            .of(payload(owner: ["E", "ZMU"], weight: "50"), name: "b", second: 1_000_100),
            in: container
        )
        let second = try State(container)
        let undoing = ChangeUndoing(container: container)
        let change = try undoing.undo(by: Self.anna)
        #expect(change.bag?.uuidString == Self.id)
        #expect(change.picture == "b")
        #expect(change.details.contains { $0.property == "weight" && $0.after == .weight(50) })
        #expect(
            change.details.contains {
                $0.property == "owner" && $0.before == .owner("D/ZMU")
                    && $0.after == .owner("E/ZMU")
            }
        )
        #expect(try State(container) == first)
        #expect(try container.makeContext().count(FetchRequest(Scan.self)) == 2)
        let said = try container.makeContext().fetch(FetchRequest(Correction.self))
        #expect(said.map(\.kind) == [.undo])
        #expect(said.map(\.author) == ["anna"] && said.map(\.reason) == ["wrong belt"])
        _ = try undoing.redo(by: Self.anna)
        #expect(try State(container) == second)
        // What counts no more has no say when the next scan is filed.
        _ = try undoing.undo(by: Self.anna)
        try record(.of(payload(weight: "43"), name: "c", second: 1_000_050), in: container)
        #expect(try Bag.all(in: container).map(\.weight) == [43])
    }

    @Test("filed anew, a scan that was taken back counts again")
    func filedAnew() throws {
        let container = try emptyRecord()
        try record(.of(payload()), in: container)
        let state = try State(container)
        _ = try ChangeUndoing(container: container).undo(by: Self.anna)
        #expect(try Bag.all(in: container).isEmpty)
        let reports = try ScanRecorder(container: container, author: Self.anna.author)
            .record(.of(payload()))
        #expect(reports.map(\.outcome) == [.new])
        #expect(try State(container) == state)
        #expect(try container.makeContext().count(FetchRequest(Scan.self)) == 2)
        // Brought back too, the first filing adds nothing: the bag was seen once.
        _ = try ChangeUndoing(container: container).redo(by: Self.anna)
        #expect(try State(container).bags == state.bags)
        // And each of them is enough.
        for _ in 0..<2 {
            #expect(try State(container).bags == state.bags)
            _ = try ChangeUndoing(container: container).undo(by: Self.anna)
        }
        #expect(try Bag.all(in: container).isEmpty)
    }

    @Test("a change can be taken back whatever has come later")
    func dependents() throws {
        let container = try emptyRecord()
        try record(
            .of(payload(), name: "a"),
            .of(payload(weight: "50"), name: "b", second: 1_000_100),
            .of(payload(weight: "55"), name: "c", second: 1_000_200),
            in: container
        )
        let undoing = ChangeUndoing(container: container)
        let changes = try undoing.changes(limit: 10)
        #expect(changes.map(\.picture) == ["c", "b", "a"])
        let before = try State(container)
        // What is in between says nothing that counts, and the first one put the bag on record.
        for change in changes.dropFirst() {
            #expect(try undoing.undo(change.number, by: Self.anna).picture == change.picture)
            #expect(try Bag.all(in: container) == before.bags)
        }
        _ = try undoing.undo(changes[0].number, by: Self.anna)
        #expect(try Bag.all(in: container).isEmpty)
        #expect(throws: CorrectionError.self) { try undoing.undo(4711, by: Self.anna) }
        #expect(code { _ = try undoing.undo(by: Self.anna) } == .nothing)
        #expect(
            code { _ = try undoing.undo(changes[0].number, by: Self.anna) } == .alreadyDone
        )
        // Nor does it matter in which order they are brought back.
        for change in changes { _ = try undoing.redo(change.number, by: Self.anna) }
        #expect(try State(container) == before)
    }

    @Test("a change in the middle can be taken back, and only changes can")
    func middle() throws {
        let container = try emptyRecord()
        try record(
            .of(payload(), name: "a"),
            .of(payload(weight: "50"), name: "b", second: 1_000_100),
            .of(payload(secondID), name: "c", at: .destination, second: 1_000_200),
            in: container
        )
        let undoing = ChangeUndoing(container: container)
        let change = try undoing.changes(limit: 10)[1]
        _ = try undoing.undo(change.number, by: Self.anna)
        #expect(try Bag.all(in: container).map(\.weight) == [42, 42])
        for number in [change.number + 1, 0, -1, .min, .max] {
            #expect(code { _ = try undoing.redo(number, by: Self.anna) } == .notFound)
        }
    }

    @Test("what another program has saved cannot be taken back, and an import only by its number")
    func imports() throws {
        let container = try emptyRecord()
        try container.importing(payload())
        let context = container.makeContext()
        let passenger = Passenger(context: context)
        passenger.givenName = "A"
        passenger.familyName = "B"
        try context.save()
        let undoing = ChangeUndoing(container: container)
        #expect(try undoing.changes(limit: 10).map(\.kind) == [.imported])
        #expect(code { _ = try undoing.undo(by: Self.anna) } == .nothing)
        // But what it says may be built upon.
        try record(.of(payload(weight: "50"), name: "b"), in: container)
        _ = try undoing.undo(by: Self.anna)
        #expect(try Bag.all(in: container).map(\.weight) == [42])
    }

    @Test("what was taken back last is brought back first, however long ago it was made")
    func order() throws {
        let container = try emptyRecord()
        for index in 0..<150 {
            let id =
                "00000000-0000-4000-8000-0000000001" + (index < 16 ? "0" : "")
                + String(index, radix: 16)
            try record(.of(payload(id), name: "\(index)"), in: container)
        }
        let undoing = ChangeUndoing(container: container)
        let changes = try undoing.changes(limit: 1000)
        try #require(changes.map(\.picture) == (0..<150).reversed().map { "\($0)" })
        for number in [changes[140].number, changes[5].number, changes[149].number] {
            _ = try undoing.undo(number, by: Self.anna)
        }
        #expect(
            try undoing.changes(areUndone: true, limit: 3).map(\.picture) == ["0", "144", "9"]
        )
        #expect(try undoing.changes(limit: 1).map(\.picture) == ["149"])
        #expect(try undoing.redo(by: Self.anna).picture == "0")
        #expect(try undoing.redo(by: Self.anna).picture == "144")
        #expect(try undoing.redo(by: Self.anna).picture == "9")
        #expect(code { _ = try undoing.redo(by: Self.anna) } == .nothing)
        #expect(try Bag.all(in: container).count == 150)
    }

    @Test("of many who take one change back at once, one does", .timeLimit(.minutes(30)))
    func race() async throws {
        try await TestStore.sqlite.withRecord { container in
            try record(.of(payload(), name: "a"), .of(payload(secondID), name: "b"), in: container)
            let number = try #require(
                try ChangeUndoing(container: container).changes(limit: 1).first
            ).number
            let done = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        let person = Responsibility(author: "\(index)", reason: "")
                        let undoing = ChangeUndoing(container: container)
                        return (try? undoing.undo(number, by: person)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(done == 1)
            #expect(try Bag.all(in: container).map(\.id) == [Self.id])
        }
    }

    @Test("taking all changes back gives the first state, bringing all back the last one")
    func property() async throws {
        for seed in 0..<16 {
            let container = try emptyRecord()
            // Something that is not of anna.
            try container.importing(payload(secondID, owner: nil, weight: "7"))
            let first = try State(container)
            var generator = SeededGenerator(seed: UInt64(seed))
            var states: [State] = [first]
            for _ in 0..<generator.number(below: 16) {
                try change(container, &generator)
                let state = try State(container)
                let count = try ChangeUndoing(container: container).changes(limit: 100)
                    .count { $0.kind != .imported }
                if count == states.count { states.append(state) } else { states[count] = state }
            }
            let undoing = ChangeUndoing(container: container)
            let changes = try undoing.changes(limit: 100).filter { $0.kind != .imported }
            try #require(changes.count == states.count - 1)
            for round in 0..<2 {
                for (place, change) in changes.enumerated() {
                    let undone = try undoing.undo(by: Self.anna)
                    #expect(undone.number == change.number, "seed \(seed), round \(round)")
                    #expect(
                        try State(container) == states[states.count - 2 - place],
                        "seed \(seed), round \(round), change \(change)"
                    )
                }
                for place in changes.indices.reversed() {
                    let redone = try undoing.redo(by: Self.anna)
                    #expect(redone.number == changes[place].number)
                    #expect(
                        try State(container) == states[states.count - 1 - place],
                        "seed \(seed), round \(round), change \(redone)"
                    )
                }
            }
        }
    }

    /// Changes the record at random.
    private func change(
        _ container: PersistentContainer,
        _ generator: inout SeededGenerator
    ) throws {
        func choice<Value>(_ values: [Value]) -> Value {
            values[generator.number(below: values.count)]
        }
        let id = choice([Self.id, secondID, "00000000-0000-4000-8000-000000000001"])
        let owner = choice([["D", "ZMU"], ["E", "ZMU"], nil])
        let weight = choice(["42", "43", "50", nil])
        let second = Double(1_000_000 + generator.number(below: 50))
        let point = choice(Point.builtIn)
        let corrector = RecordCorrector(container: container)
        let uuid = try #require(UUID(uuidString: id))
        let name = owner.map { PassengerName(givenName: $0[0], familyName: $0[1]) }
        switch generator.number(below: 3) {
        case 0:
            let edit = BagEdit(
                owner: choice([nil, .nobody, .passenger(.init(givenName: "X", familyName: "Y"))]),
                weight: choice([nil, 1, 60])
            )
            // Not every one of these bags is on record.
            _ = try? corrector.edit(uuid, edit, by: Self.anna)
        case 1:
            let tag = TypedTag(
                identifier: uuid,
                point: point,
                date: Date(timeIntervalSince1970: second),
                owner: name,
                weight: choice([nil, 44])
            )
            _ = try? corrector.file(tag, by: Self.anna)
        default:
            let picture = ReadPicture.of(
                payload(id, owner: owner, weight: weight),
                name: "\(generator.number(below: 1000))",
                at: point,
                second: second
            )
            try record(picture, in: container)
        }
    }
}
