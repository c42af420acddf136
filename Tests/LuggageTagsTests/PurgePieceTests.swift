import Foundation
import ObjectStore
import Testing

@testable import LuggageTags

@Suite("Purging piece by piece", .timeLimit(.minutes(30)))
struct PurgePieceTests {
    private static let cutoff = Date(timeIntervalSince1970: 2_000_000)

    private static func identifier(_ number: Int) -> String {
        "00000000-0000-4000-8000-\(100_000_000_000 + number)"
    }

    /// Files old bags, in pictures of several tags, with owners who have others, and with journal, scans
    /// without bags, corrections, and passengers without bags, young and old.
    private func fill(_ container: PersistentContainer, bags: Int = 24) throws {
        let recorder = ScanRecorder(container: container, now: { Date(timeIntervalSince1970: 4e6) })
        for number in 0..<bags {
            let id = Self.identifier(number)
            let owner = ["O", "OW\(number / 3 % 10)"]
            let old = Double(1_000_000 + 100 * number)
            // Whose it was said to be at first, who owns nothing afterwards.
            let first = number % 5 == 0 ? ["F", "F\(number % 10)"] : owner
            let broken = #"{ "id": "\#(id)", "owner": ["W", "WRO"], "weight": "heavy" }"#
            // Two tags of two bags in one picture.
            let neighbour = payload(Self.identifier((number + 7) % bags), owner: owner)
            let scans: [ReadPicture] = [
                .of(payload(id, owner: first), neighbour, name: "a\(number)", second: old),
                .of(
                    payload(id, owner: owner),
                    name: "b\(number)",
                    at: .destination,
                    second: old + 9
                ),
                .of(number % 4 == 0 ? broken : payload(id), name: "c\(number)", second: old + 20),
            ]
            for (place, scan) in scans.enumerated() {
                var picture = scan
                picture.file = DroppedFileFacts(number: UInt64(place), modifiedAt: 1)
                _ = try recorder.recordOnce([picture])
            }
            if number % 8 == 1 {
                let seen = ReadPicture.of(payload(id), name: "d\(number)", second: 3_000_000)
                _ = try recorder.record(seen)
            }
        }
        let corrector = RecordCorrector(
            container: container,
            now: { Date(timeIntervalSince1970: 1.2e6) }
        )
        let person = Responsibility(author: "anna", reason: "wrong bag")
        let edited = try #require(UUID(uuidString: Self.identifier(2)))
        let owner = PassengerName(givenName: "E", familyName: "EDI")
        _ = try corrector.edit(edited, BagEdit(owner: .passenger(owner), weight: 7), by: person)
        let context = container.makeContext()
        for name in ["NOB", "W", "F0"] {
            _ = Passenger(PassengerName(givenName: "F", familyName: name), context: context)
        }
        try context.save()
    }

    /// All that is on record, in an order of its own.
    private func contents(of container: PersistentContainer) throws -> [String] {
        let context = container.makeContext()
        let scans = try context.fetch(FetchRequest(Scan.self)).map { scan in
            let payload = String(decoding: scan.payload, as: UTF8.self)
            return "scan \(scan.imageName) \(scan.point) \(scan.reason) \(payload)"
        }
        let corrections = try context.fetch(FetchRequest(Correction.self)).map {
            // What belongs to no bag is noted by a random identifier.
            let about = $0.identifier == $0.fact ? "nothing" : "\($0.identifier)"
            return "\($0.kind.rawValue) \(about) \($0.owner?.description ?? "-") \($0.reason)"
        }
        let counts = try context.fetch(FetchRequest(ScanCount.self)).map {
            "count \($0.time) \($0.station) \($0.point) \($0.outcome) \($0.scans)"
        }
        let passengers = try context.fetch(FetchRequest(Passenger.self)).map { "\($0.name)" }
        let entries = try context.fetch(FetchRequest(JournalEntry.self)).map {
            "entry \($0.imageDigest)"
        }
        let bags = try Bag.all(in: container).map { "\($0)" }
        // Another run says once more that what belongs to no bag is forgotten.
        let facts = Set(corrections.filter { $0.hasPrefix("forgotten-failure") })
        let others = corrections.filter { !facts.contains($0) } + facts
        return (bags + scans + others + counts + passengers + entries).sorted()
    }

    /// How many scans there were, those included that are only counted.
    private func scanned(_ container: PersistentContainer) throws -> Int {
        let context = container.makeContext()
        return try context.count(FetchRequest(Scan.self))
            + context.fetch(FetchRequest(ScanCount.self)).reduce(0) { $0 + $1.scans }
    }

    private func record() throws -> (CountingTransactions, PersistentContainer) {
        let store = CountingTransactions(over: InMemoryStore())
        let container = try PersistentContainer(model: LuggageModel.make(), store: store)
        try fill(container)
        return (store, container)
    }

    /// Purges in pieces of a bag or two, the same ones however long they take.
    private func purge(
        _ scope: RecordPurge.Scope,
        _ container: PersistentContainer
    ) throws -> PurgeReport {
        var run = try PurgeRun(
            .record(container),
            scope,
            before: Self.cutoff,
            pace: PurgePace(4...4)
        )
        try run.run()
        return run.outcome
    }

    @Test(
        "does what was planned, and what one transaction would",
        arguments: RecordPurge.Scope.allCases
    )
    func sameAsPlanned(scope: RecordPurge.Scope) throws {
        let (store, container) = try record()
        let plan = try RecordPurge(container: container, scope: scope, before: Self.cutoff).plan()
        let before = store.counts.transactions
        #expect(try purge(scope, container) == plan)
        #expect(store.counts.transactions - before > 10)
        let (_, whole) = try record()
        let report = try RecordPurge(container: whole, scope: scope, before: Self.cutoff).run()
        #expect(report == plan)
        #expect(try contents(of: container) == contents(of: whole))
        let names = try contents(of: container).filter { ["F/NOB", "F/F0", "W/WRO"].contains($0) }
        #expect(names == ["F/NOB"])
    }

    @Test(
        "interrupted after any transaction and done again, leaves the record of one that was not",
        arguments: RecordPurge.Scope.allCases
    )
    func interrupted(scope: RecordPurge.Scope) throws {
        let (clean, expected) = try record()
        let all = try scanned(expected)
        let before = clean.counts.transactions
        let whole = try purge(scope, expected)
        let transactions = clean.counts.transactions - before
        let contents = try contents(of: expected)
        // With the history it is forgotten who is young. Another purge takes them away, and it is another
        // one that follows where one was interrupted while the history went.
        _ = try purge(scope, expected)
        let after = try self.contents(of: expected)
        #expect(after != contents)
        var isForgotten = false
        for number in 0..<transactions {
            let (store, container) = try record()
            store.breakAfter(number)
            #expect(throws: StoreError.self) { try purge(scope, container) }
            // Nothing is half gone.
            #expect(try RecordCheckup(container: container).findings().isEmpty)
            if scope == .bags { #expect(try scanned(container) == all) }
            isForgotten = try container.history(after: nil).first?.token.rawValue != 1
            if isForgotten { #expect(try self.contents(of: container) == contents) }
            store.breakAfter(.max / 2)
            let rest = try purge(scope, container)
            #expect(rest.bags <= whole.bags)
            let found = try self.contents(of: container)
            #expect(found == contents || isForgotten && found == after, "after \(number)")
            let saves = try container.read { try $0.history(after: nil, limit: nil) }
            #expect(saves.isEmpty, "after \(number)")
        }
        #expect(isForgotten)
    }

    @Test("says how far it came where it is interrupted")
    func report() throws {
        let (store, container) = try record()
        let bags = try Bag.all(in: container).count
        let purge = RecordPurge(container: container, scope: .bags, before: Self.cutoff)
        store.breakAfter(1)
        do {
            _ = try purge.run()
            Issue.record("not interrupted")
        } catch let interruption as PurgeInterruption {
            let left = try Bag.all(in: container).count
            #expect(interruption.report.bags == bags - left)
            #expect(interruption.report.bags > 0)
            #expect(interruption.underlying.code == .full)
        }
        store.breakAfter(0)
        #expect(throws: StoreError.self) { try purge.run() }
    }

    @Test("leaves a bag alone that was seen after it was found to be old")
    func seenMeanwhile() throws {
        let (store, container) = try record()
        let last = Self.identifier(23)
        store.onceAfter(1) {
            let recorder = ScanRecorder(container: container)
            _ = try recorder.record(.of(payload(last), name: "new", second: 3_000_000))
        }
        _ = try purge(.bags, container)
        let bags = try Bag.all(in: container)
        #expect(bags.contains { $0.id == last })
        #expect(bags.count == 4)
    }

    @Test("forgets a long history in pieces, and not what is filed meanwhile")
    func history() throws {
        let (store, container) = try record()
        let old = try container.history(after: nil).count
        let before = store.counts
        let late = Self.identifier(3)
        // While the second half of it goes.
        store.onceAfter(old / 8 + 24) {
            let recorder = ScanRecorder(container: container)
            _ = try recorder.record(.of(payload(late), name: "new", second: 3_000_000))
        }
        _ = try purge(.names, container)
        let written = store.counts.rowsWritten.dropFirst(before.rowsWritten.count)
        // Those that write nothing delete four saves each.
        #expect(written.count { $0 == 0 } >= old / 4)
        let saves = try container.history(after: nil)
        #expect(saves.count == 1)
        #expect(saves.allSatisfy { $0.author != PurgeRun.author })
    }

    @Test("takes as much for each bag however many there are, and not many in one transaction")
    func linear() throws {
        func costs(_ bags: Int) throws -> (rows: Int, queries: Int) {
            let store = CountingTransactions(over: InMemoryStore())
            let container = try PersistentContainer(model: LuggageModel.make(), store: store)
            try fill(container, bags: bags)
            let before = store.counts
            var run = try PurgeRun(
                .record(container),
                .bags,
                before: Self.cutoff,
                pace: PurgePace(256...256)
            )
            try run.run()
            let after = store.counts
            let written = after.rowsWritten.dropFirst(before.rowsWritten.count)
            // Owners, journal and counts come on top.
            #expect(written.allSatisfy { $0 < 3 * 256 })
            return (after.rowsRead - before.rowsRead, after.queries - before.queries)
        }
        let (few, many) = (try costs(200), try costs(800))
        #expect(Double(many.rows) < 4.4 * Double(few.rows))
        #expect(Double(many.queries) < 4.4 * Double(few.queries))
    }
}
