import Foundation
import LuggageTags
import ObjectStore
import SQLiteStore
import TestFolders
import Testing

@Suite("Taking away names, and bags")
struct PurgeTests {
    private static let cutoff = Date(timeIntervalSince1970: 2_000_000)
    private static let new = 3_000_000.0
    private static let secondName = "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3"
    private static let third = "00000000-0000-4000-8000-000000000003"

    /// What nobody is to find afterwards.
    private static let secrets = ["OLD", "GON", "BAY", "WRO", "edited for Mr Oldman"]

    private static var pictures: [ReadPicture] {
        let failed = #"{ "id": "\#(third)", "owner": ["W", "WRO"], "weight": "heavy" }"#
        let bad = #"{ "id": "\#(third)", "owner": ["B", "BAY"], "weight": "heavy" }"#
        return [
            // Two tags of one bag in one picture, with the same weight: the same without names.
            ReadPicture.of(
                payload(owner: ["O", "OLD"]),
                payload(owner: ["G", "GON"]),
                failed,
                bad,
                name: "a"
            ),
            .of(payload(owner: ["O", "OLD"], weight: "43"), name: "b", second: 1_100_000),
            // An old picture of a bag that was seen lately.
            .of(payload(Self.secondName, owner: ["S", "NEW"]), name: "c"),
            .of(
                payload(Self.secondName, owner: ["S", "NEW"]),
                name: "d",
                at: .destination,
                second: Self.new
            ),
        ]
    }

    /// A record with old bags and new ones, and whatever can have names in it.
    private func fill(_ container: PersistentContainer) throws {
        let recorder = ScanRecorder(container: container, now: { Date(timeIntervalSince1970: 4e6) })
        for picture in Self.pictures { _ = try recorder.record(picture) }
        let corrector = RecordCorrector(
            container: container,
            now: { Date(timeIntervalSince1970: 1.2e6) }
        )
        let edit = BagEdit(
            owner: .passenger(PassengerName(givenName: "O", familyName: "OLD")),
            weight: 7
        )
        let person = Responsibility(author: "anna", reason: "edited for Mr Oldman")
        let id = try #require(UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E"))
        _ = try corrector.edit(id, edit, by: person)
        let undoing = ChangeUndoing(
            container: container,
            now: { Date(timeIntervalSince1970: 1.3e6) }
        )
        _ = try undoing.undo(by: person)
    }

    @Test(
        "what a file tells of a time before gets no name that the record knows since",
        arguments: [ImportPolicy.storeTrump, .objectTrump, .error]
    )
    func toldLater(policy: ImportPolicy) throws {
        let container = try emptyRecord()
        _ = try ScanRecorder(container: container).record(
            .of(payload(owner: ["O", "OLD"]), name: "a")
        )
        _ = try RecordPurge(container: container, scope: .names, before: Self.cutoff).run()
        let bag = try #require(UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E"))
        let tag = TypedTag(
            identifier: bag,
            point: .transfer,
            date: Date(timeIntervalSince1970: 1_100_000),
            owner: PassengerName(givenName: "N", familyName: "NEW")
        )
        let person = Responsibility(author: "anna", reason: "asked")
        _ = try RecordCorrector(container: container).file(tag, by: person)
        let line = #"{"id":"\#(bag)","weight":42,"departedAt":"1970-01-13T00:00:00Z"}"#
        #expect(try container.importing(line, policy: policy).isClean)
        let export = String(decoding: try container.exported(), as: UTF8.self)
        let told = export.split(separator: "\n").filter {
            $0.contains(#""kind":"heard""#) || $0.contains(#""kind":"statement""#)
        }
        #expect(told.count == 1 && !told[0].contains("NEW"), "\(told)")
        // Whoever hears of it knows the same.
        let other = try emptyRecord()
        try other.importing(container.exported())
        #expect(String(decoding: try other.exported(), as: UTF8.self) == export)
    }

    @Test(
        "nothing of what was taken away is left in the files",
        arguments: RecordPurge.Scope.allCases
    )
    func bytes(scope: RecordPurge.Scope) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("luggage.sqlite"))
        let container = try PersistentContainer(model: LuggageModel.make(), store: store)
        try fill(container)
        func found() throws -> Set<String> {
            var found: Set<String> = []
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let data = try Data(contentsOf: folder.url.appending(path: name))
                for secret in Self.secrets + ["NEW"] where data.range(of: Data(secret.utf8)) != nil
                {
                    found.insert(secret)
                }
            }
            return found
        }
        #expect(try found() == Set(Self.secrets + ["NEW"]))
        let purge = RecordPurge(container: container, scope: scope, before: Self.cutoff)
        let plan = try purge.plan()
        #expect(try found() == Set(Self.secrets + ["NEW"]))
        let report = try purge.run()
        #expect(report == plan)
        #expect(try store.compact())
        let left = try found()
        #expect(left == ["NEW"])
        #expect(try store.checkIntegrity().isEmpty)
        #expect(try RecordCheckup(container: container).findings().isEmpty)
        // Once more, there is nothing.
        #expect(try purge.plan().isEmpty)
        #expect(try purge.run().isEmpty)
        // What was not taken away can still be taken back.
        let changes = try ChangeUndoing(container: container).changes(limit: 9)
        #expect(changes.count == (scope == .bags ? 2 : 5))
    }

    @Test("bags and scans stay without names", arguments: TestStore.allCases)
    func names(store: TestStore) async throws {
        try await store.withRecord { container in
            try fill(container)
            let before = try Bag.all(in: container)
            let scans = try container.makeContext().count(FetchRequest(Scan.self))
            let report = try RecordPurge(
                container: container,
                scope: .names,
                before: Self.cutoff
            ).run()
            #expect(report.bags == 1 && report.missing == 1)
            #expect(report.scans == 5)
            #expect(report.pictures == ["digest of a", "digest of b"])
            var after = before
            for index in after.indices where after[index].owner != "S/NEW" {
                after[index].owner = nil
            }
            #expect(try Bag.all(in: container) == after)
            let context = container.makeContext()
            #expect(try context.count(FetchRequest(Scan.self)) == scans)
            let payloads = try context.fetch(FetchRequest(Scan.self)).map {
                String(decoding: $0.payload, as: UTF8.self)
            }
            #expect(payloads.count { $0.contains("NEW") } == 2)
            #expect(Set(payloads).count >= 4)
            // The same pictures again are known, and bring no name back.
            for picture in Self.pictures {
                let reports = try ScanRecorder(container: container).record(picture)
                #expect(reports.allSatisfy { [.repeated, .invalid].contains($0.outcome) })
            }
            #expect(try Bag.all(in: container) == after)
            #expect(try container.makeContext().count(FetchRequest(Scan.self)) == scans)
            // What is left says the same about weights.
            _ = try ScanRecorder(container: container)
                .record(.of(payload(owner: nil, weight: "1"), name: "z", second: 1))
            #expect(try Bag.all(in: container).map(\.weight) == after.map(\.weight))
        }
    }

    @Test("of bags only numbers stay", arguments: TestStore.allCases)
    func bags(store: TestStore) async throws {
        try await store.withRecord { container in
            try fill(container)
            let purge = RecordPurge(container: container, scope: .bags, before: Self.cutoff)
            let report = try purge.run()
            #expect(report.bags == 1 && report.scans == 5 && report.corrections == 2)
            #expect(try Bag.all(in: container).map(\.owner) == ["S/NEW"])
            let context = container.makeContext()
            #expect(try context.count(FetchRequest(Scan.self)) == 2)
            #expect(try context.count(FetchRequest(Passenger.self)) == 1)
            let left = try context.fetch(FetchRequest(Correction.self)).map(\.kind.rawValue)
            #expect(left.sorted() == ["forgotten-bag", "forgotten-failures"])
            let counts = try context.fetch(FetchRequest(ScanCount.self)).map {
                "\($0.time) \($0.station) \($0.point) \($0.outcome.rawValue) \($0.scans)"
            }
            #expect(
                Set(counts) == [
                    "1970-01-12T13:45 origin origin new 1",
                    "1970-01-12T13:45 origin origin invalid 2",
                    "1970-01-13T17:30 origin origin changed 1",
                ]
            )
            // The same bag comes, and goes again: the numbers add up.
            try fill(container)
            _ = try purge.run()
            let total = try container.makeContext().fetch(FetchRequest(ScanCount.self))
                .reduce(0) { $0 + $1.scans }
            #expect(total == 8)
        }
    }

    @Test("a bag of which anything was heard since stays, and so does one of no age")
    func recent() throws {
        let container = try emptyRecord()
        try container.importing(payload(Self.third))
        let recorder = ScanRecorder(container: container)
        _ = try recorder.record(.of(payload(), name: "a"))
        let id = try #require(UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E"))
        let corrector = RecordCorrector(container: container, now: { Self.cutoff })
        let person = Responsibility(author: "anna", reason: "now")
        _ = try corrector.edit(id, BagEdit(weight: 1), by: person)
        for scope in RecordPurge.Scope.allCases {
            let purge = RecordPurge(container: container, scope: scope, before: Self.cutoff)
            #expect(try purge.plan().isEmpty)
            #expect(try purge.run().isEmpty)
        }
        #expect(try Bag.all(in: container).count == 2)
        #expect(try !ChangeUndoing(container: container).changes(limit: 9).isEmpty)
    }

    @Test("a passenger without bags goes, whom nobody names any more")
    func passengers() throws {
        let container = try emptyRecord()
        let context = container.makeContext()
        let passenger = Passenger(context: context)
        passenger.givenName = "N"
        passenger.familyName = "OBA"
        try context.save()
        let recorder = ScanRecorder(container: container)
        _ = try recorder.record(.of(payload(owner: ["G", "GON"]), name: "a"))
        _ = try recorder.record(.of(payload(owner: ["O", "OLD"]), name: "b", second: 1_000_100))
        func names() throws -> [String] {
            try container.makeContext().fetch(FetchRequest(Passenger.self).sorted(by: \.familyName))
                .map(\.name.description)
        }
        // Whose bag is another one's is not on record by it.
        #expect(try names() == ["N/OBA", "O/OLD"])
    }
}
