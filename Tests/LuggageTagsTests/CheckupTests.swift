import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("Looking whether a record agrees with itself")
struct CheckupTests {
    /// What somebody does to a record, and what is found then.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: RecordFinding.Code?
        let words: String
        let done: @Sendable (ManagedObjectContext) throws -> Void
    }

    private static func bag(_ context: ManagedObjectContext) throws -> Luggage {
        try #require(try context.fetch(FetchRequest(Luggage.self)).first)
    }

    private static func scan(_ context: ManagedObjectContext) throws -> Scan {
        try #require(try context.fetch(FetchRequest(Scan.self).sorted(by: \.scannedAt)).first)
    }

    @Test(
        "what is wrong is named, with what to do",
        arguments: [
            Damage(testDescription: "nothing", code: nil, words: "") { _ in },
            Damage(
                testDescription: "a bag has lost its departure",
                code: .times,
                words:
                    "differs from what its facts say: departed never and not 1970-01-12T13:46:40.000Z"
            ) { try bag($0).departedAt = nil },
            Damage(
                testDescription: "a bag has departed too early",
                code: .times,
                words: "departed 1970-01-01T00:00:05.000Z and not 1970-01-12T13:46:40.000Z"
            ) { try bag($0).departedAt = Date(timeIntervalSince1970: 5) },
            Damage(
                testDescription: "a bag has departed later",
                code: .times,
                words: "departed 1970-01-24T03:33:20.000Z and not 1970-01-12T13:46:40.000Z"
            ) { try bag($0).departedAt = Date(timeIntervalSince1970: 2_000_000) },
            Damage(
                testDescription: "a bag has another weight",
                code: .times,
                words: "weight 7.0 lb and not 42.0 lb"
            ) { try bag($0).weight = 7 },
            Damage(
                testDescription: "a bag has nobody's name",
                code: .times,
                words: "another owner"
            ) { try bag($0).owner = nil },
            Damage(
                testDescription: "a scan has lost its bag",
                code: .incomplete,
                words: "scan 1 of tag.png has lost its bag"
            ) { try scan($0).luggage = nil },
            Damage(testDescription: "a scan that counts no more has none", code: nil, words: "") {
                try scan($0).luggage = nil
                try scan($0).undoneAt = Date()
            },
            Damage(
                testDescription: "a scan does not name its picture",
                code: .incomplete,
                words: "does not name its picture"
            ) { try scan($0).imageName = "" },
            Damage(
                testDescription: "a scan has failed for no reason",
                code: .incomplete,
                words: "failed without a reason"
            ) {
                try scan($0).outcome = .invalid
                try scan($0).luggage = nil
            },
            Damage(
                testDescription: "a scan has failed with a bag",
                code: .incomplete,
                words: "has failed, but has a bag"
            ) {
                try scan($0).outcome = .invalid
                try scan($0).reason = "not-json"
            },
            Damage(
                testDescription: "a station has a name that cannot be shown",
                code: .incomplete,
                words: "\\u{1b}"
            ) { try scan($0).station = "\u{1B}[2J" },
            Damage(
                testDescription: "the journal has a picture without scans",
                code: .incomplete,
                words: "the picture ff was filed by LHR-3, and no scan of it"
            ) { context in
                let entry = JournalEntry(context: context)
                entry.imageDigest = "ff"
                entry.station = "LHR-3"
                entry.point = .origin
                entry.fileNumber = 1
                entry.modifiedAt = 1
                entry.filedAt = Date()
            },
        ]
    )
    func damage(damage: Damage) async throws {
        for store in TestStore.allCases {
            try await store.withRecord { container in
                let recorder = ScanRecorder(container: container)
                _ = try recorder.record(.of(payload()))
                _ = try recorder.record(.of("no tag", name: "b"))
                let context = container.makeContext()
                try damage.done(context)
                try context.save()
                let findings = try RecordCheckup(container: container).findings()
                #expect(findings.map(\.code) == (damage.code.map { [$0] } ?? []), "\(findings)")
                #expect(findings.allSatisfy { $0.message.contains(damage.words) }, "\(findings)")
                #expect(findings.allSatisfy { !$0.remedy.rawValue.isEmpty })
            }
        }
    }

    @Test("what is said to make bags what their facts say does so")
    func remedy() throws {
        let container = try emptyRecord()
        _ = try ScanRecorder(container: container).record(.of(payload()))
        let context = container.makeContext()
        try Self.bag(context).departedAt = nil
        try context.save()
        #expect(try RecordCheckup(container: container).findings().count == 1)
        #expect(try RecordCheckup(container: container).settle() == 1)
        #expect(try RecordCheckup(container: container).findings().isEmpty)
        #expect(try Bag.all(in: container).map(\.departed) == [1_000_000])
        #expect(try RecordCheckup(container: container).settle() == 0)
    }

    @Test(
        "of more bags than are in memory at a time each is looked at once",
        arguments: TestStore.allCases
    )
    func pages(store: TestStore) async throws {
        try await store.withRecord { container in
            let wrong: Set = [0, 499, 500, 1200]
            let context = container.makeContext()
            for index in 0...1200 {
                let luggage = Luggage(context: context)
                luggage.identifier = UUID()
                luggage.weight = 1
                let scan = Scan(context: context)
                scan.luggage = luggage
                scan.point = .origin
                scan.station = "LHR-3"
                scan.scannedAt = Date(timeIntervalSince1970: 1_000_000)
                scan.imageName = "\(index).png"
                scan.payload = Data()
                scan.outcome = .new
                scan.reason = ""
                luggage.departedAt = wrong.contains(index) ? nil : scan.scannedAt
            }
            try context.save()
            let findings = try RecordCheckup(container: container).findings()
            #expect(findings.map(\.code) == [.times, .times, .times, .times])
            #expect(Set(findings.map(\.message)).count == 4)
        }
    }
}
