import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("Correcting the record by hand")
struct CorrectionTests {
    private static let id = UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E")
    private static let anna = Responsibility(author: "anna", reason: "weighed again")

    private func record(_ picture: ReadPicture, in container: PersistentContainer) throws {
        _ = try ScanRecorder(container: container, author: Self.anna.author).record(picture)
    }

    /// A tag that is typed, on a record that has a bag or none.
    struct Typed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isKnown = true
        var owner: PassengerName?
        var weight: Float?
        var point = Point.destination
        var second = 1_000_100.0
        let outcome: Outcome?
        var bag: Bag?
    }

    @Test(
        "a typed tag is a scan like any other",
        arguments: [
            Typed(
                testDescription: "a bag that is not on record is new",
                isKnown: false,
                owner: PassengerName(givenName: "D", familyName: "ZMU"),
                weight: 42,
                outcome: .new,
                bag: Bag(id: Self.name, owner: "D/ZMU", weight: 42, arrived: 1_000_100)
            ),
            Typed(
                testDescription: "also where nobody knows whose it is and what it weighs",
                isKnown: false,
                outcome: .new,
                bag: Bag(id: Self.name, arrived: 1_000_100)
            ),
            Typed(
                testDescription: "the identifier alone tells where the bag is",
                outcome: .updated,
                bag: Bag(
                    id: Self.name,
                    owner: "D/ZMU",
                    weight: 42,
                    departed: 1_000_000,
                    arrived: 1_000_100
                )
            ),
            Typed(
                testDescription: "what adds nothing is repeated",
                point: .origin,
                second: 1_000_000,
                outcome: .repeated,
                bag: Bag(id: Self.name, owner: "D/ZMU", weight: 42, departed: 1_000_000)
            ),
            Typed(
                testDescription: "another weight is a change",
                weight: 50,
                outcome: .changed,
                bag: Bag(
                    id: Self.name,
                    owner: "D/ZMU",
                    weight: 50,
                    departed: 1_000_000,
                    arrived: 1_000_100
                )
            ),
            Typed(
                testDescription: "another weight that was told before does not count",
                weight: 50,
                second: 999_999,
                outcome: .changed,
                bag: Bag(
                    id: Self.name,
                    owner: "D/ZMU",
                    weight: 42,
                    departed: 1_000_000,
                    arrived: 999_999
                )
            ),
            Typed(
                testDescription: "another owner is a change",
                owner: PassengerName(givenName: "E", familyName: "ZMU"),
                outcome: .changed,
                bag: Bag(
                    id: Self.name,
                    owner: "E/ZMU",
                    weight: 42,
                    departed: 1_000_000,
                    arrived: 1_000_100
                )
            ),
            Typed(
                testDescription: "a name that is too long is refused",
                owner: PassengerName(givenName: "E", familyName: "ZMUDA"),
                outcome: nil
            ),
            Typed(testDescription: "a weight below zero is refused", weight: -1, outcome: nil),
            Typed(
                testDescription: "a weight without end is refused",
                weight: .infinity,
                outcome: nil
            ),
        ]
    )
    func typed(row: Typed) throws {
        let container = try emptyRecord()
        if row.isKnown { try record(.of(payload()), in: container) }
        let before = try Bag.all(in: container)
        let tag = TypedTag(
            identifier: try #require(Self.id),
            point: row.point,
            station: "LHR-3",
            date: Date(timeIntervalSince1970: row.second),
            owner: row.owner,
            weight: row.weight
        )
        let corrector = RecordCorrector(container: container)
        let report = try? corrector.file(tag, by: Self.anna)
        #expect(report?.outcome == row.outcome)
        let context = container.makeContext()
        let scans = try context.fetch(FetchRequest(Scan.self).where(\.station, is: "LHR-3"))
        let corrections = try context.fetch(FetchRequest(Correction.self))
        guard let outcome = row.outcome else {
            #expect(try Bag.all(in: container) == before)
            #expect(scans.isEmpty && corrections.isEmpty)
            return
        }
        #expect(try Bag.all(in: container) == [row.bag])
        #expect(scans.map(\.outcome) == [outcome])
        #expect(scans.map(\.imageDigest) == [nil] && scans.map(\.imageName) == [Scan.handName])
        #expect(corrections.map(\.kind) == [.file] && corrections.map(\.author) == ["anna"])
        #expect(corrections.map(\.reason) == ["weighed again"])
        #expect(try container.history(after: nil).last?.author == "anna")
    }

    private static let name = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    @Test("a correction stands against the tag, however often that is scanned or imported")
    func standing() throws {
        let container = try emptyRecord()
        try record(.of(payload(), name: "a"), in: container)
        let file = try container.exported()
        let corrector = RecordCorrector(container: container)
        let owner = PassengerName(givenName: "E", familyName: "KOV")
        let (before, after) = try corrector.edit(
            try #require(Self.id),
            BagEdit(owner: .passenger(owner), weight: 50),
            by: Self.anna
        )
        #expect(before.weight == 42 && after.weight == 50)
        let right = [Bag(id: Self.name, owner: "E/KOV", weight: 50, departed: 1_000_000)]
        #expect(try Bag.all(in: container) == right)
        let reports = try ScanRecorder(container: container)
            .record(.of(payload(), name: "b", second: 1_000_000))
        #expect(reports.map(\.outcome) == [.changed])
        #expect(try Bag.all(in: container) == right)
        try container.importing(file)
        #expect(try Bag.all(in: container) == right)
        _ = try corrector.edit(try #require(Self.id), BagEdit(owner: .nobody), by: Self.anna)
        try record(.of(payload(), name: "c", second: 1_000_000), in: container)
        try container.importing(file)
        let nobody = [Bag(id: Self.name, owner: nil, weight: 50, departed: 1_000_000)]
        #expect(try Bag.all(in: container) == nobody)
    }

    @Test("a correction that corrects nothing is not kept")
    func nothing() throws {
        let container = try emptyRecord()
        try record(.of(payload()), in: container)
        let token = try container.lastHistoryToken()
        let corrector = RecordCorrector(container: container)
        let owner = PassengerName(givenName: "D", familyName: "ZMU")
        let edit = BagEdit(owner: .passenger(owner), weight: 42)
        let (before, after) = try corrector.edit(try #require(Self.id), edit, by: Self.anna)
        #expect(before == after)
        #expect(try container.lastHistoryToken() == token)
        for wrong in [BagEdit(weight: -1), BagEdit(weight: .nan)] {
            #expect(throws: TagError.self) {
                try corrector.edit(try #require(Self.id), wrong, by: Self.anna)
            }
        }
        let missing = #expect(throws: CorrectionError.self) {
            try corrector.edit(UUID(), edit, by: Self.anna)
        }
        #expect(missing?.code == .notFound)
        #expect(try container.lastHistoryToken() == token)
    }

    @Test("what was taken back does not come back from elsewhere, and is taken back there too")
    func exchange() throws {
        let container = try emptyRecord()
        try record(.of(payload(), name: "a"), in: container)
        let elsewhere = try emptyRecord()
        try record(
            .of(payload(weight: "50"), name: "b", at: .destination, second: 1_000_100),
            in: container
        )
        try elsewhere.importing(container.exported())
        _ = try ChangeUndoing(container: container).undo(by: Self.anna)
        let bags = try Bag.all(in: container)
        let states = ExportSelection(version: .states)
        let text = String(decoding: try container.exported(as: .json, states), as: UTF8.self)
        #expect(!text.contains("digest of b") && text.contains("digest of a"))
        for selection in [ExportSelection(records: .scans), .everything, states] {
            try container.importing(elsewhere.exported(as: .json, selection))
            #expect(try Bag.all(in: container) == bags)
        }
        #expect(try Bag.all(in: elsewhere) != bags)
        try elsewhere.importing(container.exported())
        #expect(try Bag.all(in: elsewhere) == bags)
        try container.importing(elsewhere.exported())
        #expect(try elsewhere.exported() == container.exported())
    }
}
