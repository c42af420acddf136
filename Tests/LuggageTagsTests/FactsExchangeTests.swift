import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("What records tell one another, and what each makes of it")
struct FactsExchangeTests: OneBagSuite {
    let container: PersistentContainer
    private let there: PersistentContainer

    init() throws {
        container = try emptyRecord()
        there = try emptyRecord()
    }

    private var here: PersistentContainer { container }

    private func purgeNames(of container: PersistentContainer) throws {
        _ = try RecordPurge(container: container, scope: .names, before: Date()).run()
    }

    @Test(
        "what is heard and was taken back stays so where its names were purged, in any order",
        arguments: [[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 1, 0], [1, 1, 0, 0, 1]]
    )
    func withdrawnAndPurged(order: [Int]) throws {
        for record in [here, there] { try insertOlderBag(into: record, of: ("D", "ZMU")) }
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
        #expect(try undoing.undo(changes[0].number, by: Self.anna).hasPurged)
    }
}
