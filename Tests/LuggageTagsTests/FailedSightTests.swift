import Foundation
import LuggageTags
import ObjectStore
import TagReading
import Testing

@Suite("A failed picture")
struct FailedSightTests {
    private let container: PersistentContainer
    private let corrector: RecordCorrector
    private let anna = Responsibility(author: "anna", reason: "creased")

    init() throws {
        container = try emptyRecord()
        corrector = RecordCorrector(container: container)
    }

    /// A picture from a watched folder.
    private func dropped(_ payloads: String..., at point: Point = .origin) -> ReadPicture {
        var picture = ReadPicture.of("", name: "a.png", at: point, station: "MUC-2")
        picture.reading = .success(.of(payloads.map { Array($0.utf8) }))
        picture.file = DroppedFileFacts(number: 7, modifiedAt: 1)
        return picture
    }

    private func sight(at point: Point = .origin) -> FailedSight {
        FailedSight(
            imageDigest: "digest of a.png",
            imageName: "a.png",
            station: "MUC-2",
            point: point
        )
    }

    private func type(_ id: String, at point: Point = .origin) throws -> ScanReport {
        let identifier = try #require(UUID(uuidString: id))
        var tag = TypedTag(
            identifier: identifier,
            point: point,
            station: "MUC-2",
            date: Date(timeIntervalSince1970: 1_000_000),
            weight: 42
        )
        tag.picture = sight(at: point)
        return try corrector.file(tag, by: anna)
    }

    private func answer(at point: Point = .origin) throws -> JournalAnswer {
        try ScanRecorder(container: container).journalAnswer(about: dropped(at: point))
    }

    private func history() throws -> [HistoryEntry] {
        try container.read { context in
            var entries: [HistoryEntry] = []
            try ScanQuestion().forEachBatch(in: context) { entries += $0 }
            return entries
        }
    }

    private func scans() throws -> Int {
        try container.makeContext().count(FetchRequest(Scan.self))
    }

    @Test("is done with once as many tags are typed as could not be filed, each counted once")
    func typed() throws {
        let recorder = ScanRecorder(container: container)
        let bad = #"{ "id": "\#(secondID)", "weight": "heavy" }"#
        _ = try recorder.recordOnce([dropped(payload(), bad, "no tag")])
        #expect(try corrector.progress(of: sight()).typed == 0)
        #expect(try scans() == 3)
        for _ in 0..<2 {
            // Whoever was interrupted does it again.
            let report = try type(secondID)
            #expect(report.luggage?.id.uuidString == secondID)
            #expect(try corrector.progress(of: sight()).typed == 1)
            #expect(try corrector.progress(of: sight()).failed == 2)
            #expect(try !corrector.progress(of: sight()).isClosed && answer() == .unknown)
            #expect(try scans() == 4)
        }
        #expect(try type(secondID).outcome == .repeated)
        #expect(try type("00000000-0000-4000-8000-000000000003").outcome == .new)
        #expect(try corrector.progress(of: sight()).isClosed && answer() == .duplicate)
        // At another point it is another picture.
        #expect(try answer(at: .destination) == .unknown)
        let failed = try history().filter { !$0.outcome.isFiled }
        #expect(failed.count == 2)
        for entry in failed {
            #expect(entry.closed?.map(\.kind) == [.file, .file])
            #expect(
                entry.closed?.first?.author == "anna" && entry.closed?.first?.reason == "creased"
            )
            #expect(entry.closed?.first?.bag?.uuidString == secondID)
        }
        #expect(try history().filter(\.outcome.isFiled).allSatisfy { $0.closed == nil })
        let summary = try container.read { try RecordSummary(of: Period(), in: $0) }
        #expect(summary.scans == 5 && summary.typed == 2 && summary.readRate == 1.0 / 3)
        // Taken back, it is to be tried again.
        let change = try ChangeUndoing(container: container).undo(by: anna)
        #expect(change.kind == .file && change.picture == "a.png")
        #expect(try !corrector.progress(of: sight()).isClosed && answer() == .unknown)
        #expect(try type("00000000-0000-4000-8000-000000000003").outcome == .new)
        #expect(try answer() == .duplicate)
    }

    /// What a picture gave, one try after the other.
    struct Tries: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let readings: [Result<Reading, ReadError>]
        /// How many of its tags could not be filed in the end.
        var failed = 1
        var isPurged = false

        static let timedOut = Result<Reading, ReadError>.failure(ReadError(.timedOut, "too slow"))

        /// A reading of payloads, and of others that say to be one part of several.
        static func read(_ payloads: String..., parts: String...) -> Result<Reading, ReadError> {
            var reading = Reading.of((payloads + parts).map { Array($0.utf8) })
            for part in payloads.count..<reading.symbols.count {
                reading.symbols[part].isPartial = true
            }
            return .success(reading)
        }
    }

    @Test(
        "has as many tags to be typed as it shows, however often and for whatever reasons it has failed",
        arguments: [
            Tries(
                testDescription: "timed out, then had no code",
                readings: [Tries.timedOut, Tries.read()]
            ),
            Tries(
                testDescription: "timed out, then had two bad tags",
                readings: [Tries.timedOut, Tries.read("no tag", "nor this")],
                failed: 2
            ),
            Tries(
                testDescription: "had two bad tags, then timed out",
                readings: [Tries.read("no tag", "nor this"), Tries.timedOut],
                failed: 2
            ),
            Tries(
                testDescription: "had a bad tag, which was bad for another reason then",
                readings: [Tries.read(parts: "no tag"), Tries.read("no tag")]
            ),
            Tries(
                testDescription: "had two bad tags, one of which was filed then",
                readings: [Tries.read("no tag", parts: payload()), Tries.read("no tag", payload())]
            ),
            Tries(
                testDescription: "had two bad tags, of whose payloads nothing is left",
                readings: [Tries.read("no tag", "nor this")],
                failed: 2,
                isPurged: true
            ),
            Tries(
                testDescription: "had tags bad for two reasons, of whose payloads nothing is left",
                readings: [Tries.read("no tag", payload(secondID, weight: "[]"))],
                failed: 2,
                isPurged: true
            ),
        ]
    )
    func tries(_ tries: Tries) throws {
        for reading in tries.readings {
            var picture = dropped()
            picture.reading = reading
            _ = try ScanRecorder(container: container).recordOnce([picture])
        }
        if tries.isPurged {
            let cutoff = Date().addingTimeInterval(60)
            _ = try RecordPurge(container: container, scope: .names, before: cutoff).run()
        }
        for number in 1...tries.failed {
            _ = try type("00000000-0000-4000-8000-00000000000\(number)")
            let progress = try corrector.progress(of: sight())
            #expect(progress.typed == number && progress.failed == tries.failed)
        }
        #expect(try corrector.progress(of: sight()).isClosed && answer() == .duplicate)
    }

    @Test("that is dismissed is done with until that is taken back, and still not read")
    func dismissed() throws {
        let recorder = ScanRecorder(container: container)
        _ = try recorder.recordOnce([dropped()])
        for _ in 0..<2 { try corrector.dismiss(sight(), by: anna) }
        let context = container.makeContext()
        #expect(try context.count(FetchRequest(Correction.self)) == 1)
        #expect(try answer() == .duplicate)
        let entry = try #require(try history().first)
        #expect(entry.outcome == .noCode && entry.closed?.map(\.kind) == [.dismiss])
        #expect(entry.closed?.first?.bag == nil)
        let summary = try container.read { try RecordSummary(of: Period(), in: $0) }
        #expect(summary.readRate == 0 && summary.failures.map(\.reason) == ["no-code"])
        #expect(try RecordCheckup(container: container).findings().isEmpty)
        let undoing = ChangeUndoing(container: container)
        let change = try #require(try undoing.changes(limit: 9).first)
        #expect(change.kind == .dismiss && change.bag == nil && change.picture == "a.png")
        #expect(change.reason == "creased" && change.point == .origin)
        _ = try undoing.undo(by: anna)
        #expect(try answer() == .unknown)
        #expect(try history().allSatisfy { $0.closed == nil })
        _ = try undoing.redo(by: anna)
        #expect(try answer() == .duplicate)
        _ = try undoing.undo(by: anna)
        try corrector.dismiss(sight(), by: anna)
        #expect(try answer() == .duplicate)
    }

    @Test("of which nothing is on record is done with as well")
    func unknown() throws {
        try corrector.dismiss(sight(), by: anna)
        #expect(try corrector.progress(of: sight()).isClosed)
        #expect(try type(secondID, at: .destination).outcome == .new)
        #expect(try corrector.progress(of: sight(at: .destination)).isClosed)
    }

    @Test("leaves no reason behind when names are purged, and nothing when bags are")
    func purged() throws {
        _ = try ScanRecorder(container: container).recordOnce([dropped()])
        try corrector.dismiss(sight(), by: anna)
        let cutoff = Date().addingTimeInterval(60)
        let names = RecordPurge(container: container, scope: .names, before: cutoff)
        #expect(try names.run().corrections == 1)
        #expect(try history().first?.closed?.first?.reason == nil)
        #expect(try answer() == .duplicate)
        _ = try RecordPurge(container: container, scope: .bags, before: cutoff).run()
        let left = try container.makeContext().fetch(FetchRequest(Correction.self))
        #expect(left.map(\.kind.rawValue) == ["forgotten-failure-names", "forgotten-failures"])
        #expect(left.allSatisfy { $0.reason.isEmpty && $0.author.isEmpty })
    }
}
