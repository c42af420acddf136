import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("What records tell one another, and what each makes of it")
struct FactsExchangeTests {
    private let here: PersistentContainer
    private let there: PersistentContainer

    init() throws {
        here = try emptyRecord()
        there = try emptyRecord()
    }

    /// Puts a bag on record as older versions of the program did, without a fact that tells it.
    private func insertOlderBag(into container: PersistentContainer) throws {
        let context = container.makeContext()
        let luggage = Luggage(context: context)
        luggage.identifier = try #require(UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E"))
        luggage.weight = 7
        let passenger = Passenger(context: context)
        (passenger.givenName, passenger.familyName) = ("D", "ZMU")
        luggage.owner = passenger
        luggage.departedAt = Date(timeIntervalSince1970: 1_000_000)
        try context.save()
    }

    private func purgeNames(of container: PersistentContainer) throws {
        _ = try RecordPurge(container: container, scope: .names, before: Date()).run()
    }

    @Test(
        "what is heard and was taken back stays so where its names were purged, in any order",
        arguments: [[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 1, 0], [1, 1, 0, 0, 1]]
    )
    func withdrawnAndPurged(order: [Int]) throws {
        for record in [here, there] { try insertOlderBag(into: record) }
        // It takes back all that was said before.
        try there.importing(payload(owner: nil, weight: "50"), policy: .overwrite)
        try here.importing(payload(owner: nil, weight: "50"))
        try purgeNames(of: here)
        for place in order {
            let (from, to) = place == 0 ? (there, here) : (here, there)
            try to.importing(from.exported())
        }
        #expect(try here.exported() == there.exported())
        let bags = try Bag.all(in: here)
        #expect(bags.map(\.departed) == [nil] && bags.map(\.owner) == [nil])
        #expect(try Bag.all(in: there) == bags)
    }

    @Test(
        "an import tells what it has purged, and that it stays so",
        arguments: [
            (RecordPurge.Scope.bags, ImportReport.Purged(bags: 1, pictures: 1)),
            (.names, ImportReport.Purged(names: 1, pictures: 1)),
        ]
    )
    func purgedElsewhere(scope: RecordPurge.Scope, purged: ImportReport.Purged) throws {
        let recorder = ScanRecorder(container: here)
        _ = try recorder.record(.of(payload(), name: "a"))
        _ = try recorder.record(.of("no tag", name: "b"))
        try there.importing(here.exported())
        _ = try RecordPurge(container: here, scope: scope, before: Date()).run()
        #expect(try there.importing(here.exported()).purged == purged)
        #expect(try there.importing(here.exported()).purged == ImportReport.Purged())
        // Nor does the history have what was there before.
        #expect(try there.read { try $0.history(after: nil, limit: 500) }.isEmpty)
        // Who has nothing of it loses nothing.
        #expect(try emptyRecord().importing(here.exported()).purged == ImportReport.Purged())
        let undoing = ChangeUndoing(container: there)
        let changes = try undoing.changes(limit: 9).filter { $0.kind == .imported }
        #expect(changes.map(\.hasPurged) == [true, false])
        let person = Responsibility(author: "anna", reason: "wrong file")
        #expect(try undoing.undo(changes[0].number, by: person).hasPurged)
    }
}
