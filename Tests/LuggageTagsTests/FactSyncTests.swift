import Foundation
import ObjectStore
import SQLiteStore
import SeededRandom
import TestFolders
import Testing

@testable import LuggageTags

@Suite("A record that gives its facts to a hub, and takes those of others")
struct FactSyncTests {
    private static let anna = Responsibility(author: "anna", reason: "wrong belt")
    private static let bag = UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E")

    private static let start = HistoryToken(rawValue: 0)

    private func record(_ pictures: ReadPicture..., author: String? = nil) throws
        -> PersistentContainer
    {
        let container = try emptyRecord()
        for picture in pictures {
            _ = try ScanRecorder(container: container, author: author).record(picture)
        }
        return container
    }

    private func facts(
        of container: PersistentContainer,
        after token: HistoryToken = start
    ) throws -> [OutgoingFact] {
        try FactOutbox(container).next(after: token, limit: 1000).facts
    }

    private static func state() -> HubState {
        HubState(
            hub: UUID(),
            runs: [UUID()],
            member: 3,
            station: "muc",
            machine: "m",
            pullsEverything: true
        )
    }

    // MARK: The hub

    @Test("keeps what it knows about its hub as one row, which nobody else hears of")
    func keepsState() throws {
        let container = try record(.of(payload()))
        let (export, before) = (try container.exported(), try container.lastHistoryToken())
        var state = Self.state()
        for number in 1...3 {
            state.pulled = PullCursor(transaction: .max, number: Int64(number))
            try container.transaction { context in
                try context.keep(state)
                try context.save()
            }
        }
        #expect(try container.read { try $0.hubState } == state)
        #expect(try container.makeContext().count(FetchRequest(HubLink.self)) == 1)
        #expect(try container.exported() == export)
        #expect(try facts(of: container, after: #require(before)).isEmpty)
        try container.transaction { context in
            try context.keep(nil)
            try context.save()
        }
        #expect(try container.read { try $0.hubState } == nil)
    }

    @Test("a record of an older version gains the place for it, and can be read before and after")
    func olderStore() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("luggage.sqlite")
        let older = try ManagedObjectModel(
            Luggage.entity,
            Passenger.entity,
            Scan.entity,
            JournalEntry.entity,
            Correction.entity,
            ScanCount.entity
        )
        let first = try SQLiteStore(path: path)
        _ = try ScanRecorder(container: PersistentContainer(model: older, store: first)).record(
            .of(payload())
        )
        try first.close()
        let reading = try SQLiteStore(path: path, access: .read)
        #expect {
            try PersistentContainer(model: LuggageModel.make(), store: reading)
        } throws: {
            // As with everything that is new in the model: the commands then open it for writing once.
            ($0 as? StoreError)?.code == .incompatible && "\($0)".contains("open it for writing")
        }
        let second = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: LuggageModel.make(), store: second)
        #expect(try container.read { try $0.hubState } == nil)
        #expect(try Bag.all(in: container).count == 1)
    }

    // MARK: Giving

    @Test("gives each fact once, not what came from the hub, and nothing that is its own affair")
    func gives() throws {
        let source = try record(.of(payload()), author: "anna")
        let given = try facts(of: source)
        #expect(given.map(\.station) == ["origin"])
        #expect(given.map(\.bag) == [Self.bag])
        let container = try record(.of(payload(secondID), name: "b"))
        try FactIntake(container: container).merge(given.map(\.body))
        try container.importing(try record(.of(payload(), name: "c")).exported())
        let told = try facts(of: container)
        // The note that a file was imported stays here.
        #expect(told.count == 2)
        #expect(!told.contains { $0.id == given[0].id })
        let last = try #require(try container.lastHistoryToken())
        #expect(try facts(of: container, after: last).isEmpty)
        #expect(try FactOutbox(container).waiting(after: Self.start) == 2)
        #expect(try FactOutbox(container).waiting(after: last) == 0)
        #expect(try FactOutbox(container).waiting(after: nil) == 3)
    }

    @Test("gives facts in pieces that end with a save, and tells when there are no more")
    func pieces() throws {
        let container = try emptyRecord()
        for number in 0..<5 {
            _ = try ScanRecorder(container: container).record(
                .of(payload(), payload(secondID), name: "\(number)")
            )
        }
        let outbox = FactOutbox(container)
        var (token, counts, isLast) = (Self.start, [Int](), false)
        while !isLast {
            let batch = try outbox.next(after: token, limit: 3)
            (token, isLast) = (batch.token, batch.isLast)
            counts.append(batch.facts.count)
        }
        #expect(counts == [4, 4, 2])
        #expect {
            _ = try outbox.next(after: nil, limit: 3)
        } throws: {
            ($0 as? StoreError)?.code == .historyExpired
        }
    }

    @Test("an undo tells only the undo, and a purge the facts without names")
    func changes() throws {
        let container = try record(.of(payload()), author: "anna")
        let first = try #require(try container.lastHistoryToken())
        _ = try ChangeUndoing(container: container).undo(by: Self.anna)
        #expect(try facts(of: container, after: first).map { $0.body.contains("undo") } == [true])
        let scan = try facts(of: container)[0]
        #expect(scan.body.contains("ZMU"))
        let rest = try #require(scan.rest)
        #expect(rest.id == scan.id && !rest.body.contains("ZMU") && rest.body.contains("42"))
        let purge = RecordPurge(container: container, scope: .names, before: Date() + 60)
        _ = try purge.run()
        var days: [OutgoingFact] = []
        try container.read { context in
            let sums = try FactDays(context).digests()
            try FactDays(context).facts(of: Set(sums.keys)) { days += $0 }
        }
        #expect(days.contains { $0.body == rest.body && $0.rest == nil })
        #expect(days.contains { $0.forgets == .names && $0.until != nil && $0.bag == Self.bag })
        #expect(!days.contains { $0.body.contains("ZMU") })
    }

    // MARK: Taking

    @Test("what it takes cannot be undone as an import, nor is it a person's last change here")
    func isNoImport() throws {
        let source = try record(.of(payload()), author: "anna")
        let container = try emptyRecord()
        try FactIntake(container: container).merge(facts(of: source).map(\.body))
        #expect(try ChangeUndoing(container: container).changes(limit: 9).isEmpty)
        #expect(throws: CorrectionError.self) {
            try ChangeUndoing(container: container).undo(by: Self.anna)
        }
    }

    @Test("what it cannot take is told, and hinders nothing else")
    func refuses() throws {
        let now = Date()
        let fine = try facts(of: record(.of(payload()))).map(\.body)
        let id = "0197C2A0-0000-7000-8000-000000000001"
        func scan(_ changes: String, at time: Date = Date(timeIntervalSince1970: 5)) -> String {
            #"{"record":"scan","id":"\#(id)","station":"x","scannedAt":"\#(time.reportText)","#
                + #""outcome":"no-code","reason":"no-code","point":"origin"\#(changes)}"#
        }
        let hostile: [(String, UUID?)] = [
            ("", nil), ("{", nil), ("[]", nil), ("null", nil), ("\u{0}", nil),
            (String(repeating: "[", count: 10_000), nil),
            (#"{"about":{"format":"luggage","version":2,"records":["scans"]}}"#, nil),
            (#"{"end":{"bags":0,"scans":0}}"#, nil), (payload(), nil),
            (scan(#","outcome":"odd""#), nil), (scan(#","bag":1"#), UUID(uuidString: id)),
            (scan(#","filedAt":"9999-01-01T00:00:00Z""#), UUID(uuidString: id)),
            (scan("").replacing(#""id":"\#(id)","#, with: ""), nil),
            (
                #"{"record":"fact","id":"\#(id)","kind":"import","subject":"\#(id)","madeAt":0}"#,
                UUID(uuidString: id)
            ),
        ]
        let container = try emptyRecord()
        let state = Self.state()
        let report = try FactIntake(container: container, now: { now }).merge(
            hostile.map(\.0) + fine + [scan("", at: now + 299)],
            then: state
        )
        #expect(report.refusals.map(\.place) == Array(hostile.indices))
        for (refusal, told) in zip(report.refusals, hostile) where told.1 != nil {
            #expect(refusal.id == told.1, "\(told.0)")
        }
        #expect(report.new == 2)
        // It is remembered that another version of the program may take them.
        var kept = state
        kept.quarantined = hostile.count
        #expect(try container.read { try $0.hubState } == kept)
    }

    @Test("a state that an older version kept of a bag becomes a fact that goes out")
    func settles() throws {
        let container = try emptyRecord()
        let context = container.makeContext()
        let luggage = Luggage(context: context)
        luggage.identifier = try #require(Self.bag)
        luggage.weight = 7
        luggage.departedAt = Date(timeIntervalSince1970: 900_000)
        try context.save()
        let given = try facts(of: record(.of(payload(weight: nil)))).map(\.body)
        try FactIntake(container: container).merge(given)
        #expect(try Bag.all(in: container).map(\.weight) == [7])
        let heard = try facts(of: container)
        #expect(heard.map { $0.body.contains("heard") } == [true])
        #expect(heard[0].age.at == Date(timeIntervalSince1970: 900_000))
    }

    @Test("a purge that it hears of leaves no name in record and history")
    func forgets() throws {
        let source = try record(.of(payload()), author: "anna")
        let scans = try facts(of: source)
        let container = try emptyRecord()
        try FactIntake(container: container).merge(scans.map(\.body))
        let purge = RecordPurge(container: source, scope: .names, before: Date() + 60)
        _ = try purge.run()
        var all: [OutgoingFact] = []
        try source.read { context in
            let sums = try FactDays(context).digests()
            try FactDays(context).facts(of: Set(sums.keys)) { all += $0 }
        }
        let report = try FactIntake(container: container).merge(all.map(\.body))
        #expect(report.purged.names == 1)
        #expect(try container.history(after: nil).isEmpty)
        #expect(try container.exported() == source.exported())
        // It stays forgotten when it comes again.
        try FactIntake(container: container).merge(scans.map(\.body))
        #expect(try container.exported() == source.exported())
    }

    @Test("the order within a batch does not matter, nor how it is divided", arguments: 0..<8)
    func orders(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let stations = try FactStations(1)
        for _ in 0..<25 {
            let deed = FactHistory.deed(1, &random)
            if case .exchange = deed { continue }
            try stations.perform(deed, on: 0)
        }
        var all: [OutgoingFact] = []
        try stations.records[0].read { context in
            let sums = try FactDays(context).digests()
            try FactDays(context).facts(of: Set(sums.keys)) { all += $0 }
        }
        let export = try stations.records[0].exported()
        for size in [1, 2, 5, 1000] {
            let container = try emptyRecord()
            let intake = FactIntake(container: container)
            for page in all.map(\.body).shuffled(using: &random).pages(of: size) {
                let report = try intake.merge(Array(page))
                #expect(report.refusals.isEmpty)
            }
            #expect(try container.exported() == export)
            #expect(try RecordCheckup(container: container).findings().isEmpty)
        }
    }

    // MARK: Publishing

    @Test("the rows to publish are those that changed, and tell what is gone")
    func publishes() throws {
        let container = try record(
            .of(payload(), name: "a"),
            .of(payload(), name: "b", at: .load, second: 1_000_060)
        )
        let publishing = RowPublishing(container)
        var all: [PublishedRows] = []
        let token = try #require(try publishing.all { all.append($0) })
        #expect(all.flatMap(\.bags).map(\.journeys.count) == [1])
        #expect(all.flatMap(\.bags).first?.journeys.first?.points == [.load])
        #expect(all.flatMap(\.sightings).map(\.counts) == [true, true])
        #expect(try publishing.next(after: token, limit: 10).rows.isEmpty)
        _ = try ScanRecorder(container: container).record(
            .of(payload(), name: "c", at: .destination, second: 1_000_120)
        )
        let page = try publishing.next(after: token, limit: 10)
        #expect(page.rows.bags.map(\.arrivedAt) == [Date(timeIntervalSince1970: 1_000_120)])
        #expect(page.rows.sightings.map(\.role) == [.arriving])
        #expect(page.isLast)
        #expect(try page.rows.json.contains(#""arrivedAt":"1970-01-12T13:48:40.000Z""#))
        try container.transaction { context in
            for scan in try context.fetch(FetchRequest(Scan.self)) { try context.delete(scan) }
            for bag in try context.fetch(FetchRequest(Luggage.self)) { try context.delete(bag) }
            try context.save()
        }
        let gone = try publishing.next(after: page.token, limit: 10).rows
        #expect(gone.goneBags == [Self.bag].compactMap(\.self))
        #expect(gone.goneSightings.count == 3 && gone.bags.isEmpty && gone.sightings.isEmpty)
    }
}
