import Foundation
import LuggageTags
import Testing

@testable import LuggageService

@Suite("What is told of a picture that was taken away before it was moved")
struct ServiceReporterTests {
    /// What was known of it when it was to be moved.
    enum Knowledge: CaseIterable {
        /// This service has put it on record.
        case recorded
        /// Another one has, which the record alone says.
        case fromRecord
        /// It was filed before, and that was told then.
        case known
    }

    @Test(
        "is counted, and its hook run, where this service has put it on record or has moved it",
        arguments: Knowledge.allCases,
        [false, true]
    )
    func takenAway(knowledge: Knowledge, isMoved: Bool) async throws {
        let folder = try ScratchFolder()
        let log = RecordedLog()
        let metrics = ServiceMetrics()
        let hook = Hook(
            command: "echo x >>'\(folder.path("ran"))'",
            timeLimit: .seconds(600),
            environment: [:]
        )
        let hooks = HookRunner(hook: hook, logger: log.logger(), onEnd: { _ in })
        let reporter = ServiceReporter(logger: log.logger(), metrics: metrics, hooks: hooks)
        var filed = FiledPicture(
            name: Array("a.png".utf8),
            destination: .processed,
            path: isMoved ? Array("/inbox/processed/a.png".utf8) : nil,
            point: .origin,
            station: "origin",
            reports: [],
            isFromRecord: knowledge == .fromRecord,
            attempts: 1
        )
        if knowledge != .known {
            let report = """
                {"image": "a.png", "outcome": "new", "point": "origin", "station": "origin",
                "scannedAt": "2026-11-21T08:00:00.000Z"}
                """
            let decoder = JSONDecoder.forReports()
            filed.reports = [try decoder.decode(ScanReport.self, from: Data(report.utf8))]
        }
        let file = DroppedFile(
            folder: DropFolder(path: Array("/inbox/origin".utf8), point: .origin),
            name: filed.name
        )
        reporter.tell(.filed(filed), of: file, after: .zero)
        hooks.finish()
        await hooks.run()
        let isTold = isMoved || knowledge == .recorded
        #expect(reporter.total.processed == (isTold ? 1 : 0))
        #expect(metrics.text.contains(#"disposition="processed"} 1"#) == isTold)
        let runs = (try? folder.text(of: "ran")) ?? ""
        #expect(runs == (isTold ? "x\n" : ""))
        #expect(log.messages.contains { $0.contains("a.png") })
        #expect(log.messages.contains { $0.contains("taken away meanwhile") } == !isMoved)
    }
}
