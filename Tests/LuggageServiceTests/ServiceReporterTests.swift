import Foundation
import Logging
import LuggageTags
import TestFolders
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
        let folder = try TemporaryFolder()
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
        #expect(log.messages.contains { $0.contains("removed meanwhile") } == !isMoved)
    }
}

@Suite("What is told of a picture with a place that looks like a tag")
struct UnreadPlaceReportTests {
    private static let problem = """
        {"stage": "symbol", "reason": "no-code", "message": "something looks like one"}
        """

    /// The members of each report besides those of the picture, what is logged of all of them, and the
    /// message for the hook.
    static let reports: [(members: [String], lines: Int, hook: String?)] = [
        ([#""outcome": "new""#], 1, nil),
        (
            [#""outcome": "new", "unread": [[[1, 2]]]"#], 2,
            "another place in the picture looks like"
        ),
        (
            Array(repeating: #""outcome": "repeated", "unread": [[[1, 2]], [[3, 4]]]"#, count: 3),
            4,
            "other places in the picture look like"
        ),
        (
            [#""outcome": "no-code", "unread": [[[1, 2]]], "error": \#(problem)"#], 1,
            "something looks like one"
        ),
        (
            [
                #""outcome": "new", "unread": [[[1, 2]]]"#,
                #""outcome": "invalid", "unread": [[[1, 2]]], "error": \#(problem)"#,
            ], 3, "something looks like one"
        ),
    ]

    @Test("is one warning a picture, wherever it goes, and the hook's message", arguments: reports)
    func warns(members: [String], lines: Int, hook: String?) throws {
        let log = RecordedLog()
        let reporter = ServiceReporter(
            logger: log.logger(),
            metrics: ServiceMetrics(),
            hooks: HookRunner(hook: nil, logger: log.logger())
        )
        let reports = try members.map { members in
            let json = """
                {"image": "a.png", "point": "origin", "station": "origin", \(members),
                "scannedAt": "2026-11-21T08:00:00.000Z"}
                """
            return try JSONDecoder.forReports().decode(ScanReport.self, from: Data(json.utf8))
        }
        let filed = FiledPicture(
            name: Array("a.png".utf8),
            destination: .processed,
            path: Array("/inbox/processed/a.png".utf8),
            point: .origin,
            station: "origin",
            reports: reports,
            isFromRecord: false,
            attempts: 1
        )
        let folder = DropFolder(path: Array("/inbox/origin".utf8), point: .origin)
        let file = DroppedFile(folder: folder, name: filed.name)
        reporter.tell(.filed(filed), of: file, after: .zero)
        #expect(log.lines.count == lines)
        let warnings = log.lines.filter {
            $0.message.contains("could not be read; look at the bag")
        }
        let isTold = reports.contains { $0.outcome != .noCode && $0.unread != nil }
        #expect(warnings.map(\.level) == (isTold ? [.warning] : []))
        #expect(warnings.allSatisfy { $0.metadata["disposition"] == "processed" })
        let message = HookFacts(filed).message
        #expect(hook.map { message?.hasPrefix($0) == true } ?? (message == nil))
    }
}

@Suite("What is told of files that are passed over")
struct PassedOverTests {
    private let log = RecordedLog()
    private let reporter: ServiceReporter

    init() {
        let hooks = HookRunner(hook: nil, logger: log.logger())
        let metrics = ServiceMetrics()
        reporter = ServiceReporter(logger: log.logger(), metrics: metrics, hooks: hooks)
    }

    private func passOver(_ name: String, _ why: String) {
        let folder = DropFolder(path: Array("/inbox/origin".utf8), point: .origin)
        let file = DroppedFile(folder: folder, name: Array(name.utf8))
        reporter.tell(.passedOver(why), of: file, after: .zero)
    }

    @Test("is one line a cause and minute with the first name, and then how many they were")
    func numbers() {
        for number in 1...4107 { passOver("\(number).png", "is a symbolic link") }
        passOver("a.png", "is not a regular file")
        let firstLines = [
            "1.png is a symbolic link; it was passed over",
            "a.png is not a regular file; it was passed over",
        ]
        #expect(log.messages == firstLines)
        #expect(reporter.total.passedOver == 4108)
        reporter.tellMorePassedOver()
        let count = "passed over: 4106 more, each of which is a symbolic link"
        #expect(log.messages == firstLines + [count])
        // It goes on: the next line is due at the end of the minute.
        for number in 1...3 { passOver("\(number).png", "is a symbolic link") }
        #expect(log.messages.count == 3)
        reporter.tellMorePassedOver()
        #expect(log.messages.last == "passed over: 3 more, each of which is a symbolic link")
        // It was over for a minute.
        reporter.tellMorePassedOver()
        passOver("new.png", "is a symbolic link")
        #expect(log.messages.count == 5)
        #expect(log.messages.last == "new.png is a symbolic link; it was passed over")
    }

    @Test("is no longer for many causes")
    func causes() {
        for number in 0..<1000 { passOver("a.png", "has \(number) heads") }
        reporter.tellMorePassedOver()
        #expect(log.messages.count == 34)
        #expect(log.messages.last == "passed over: 967 for other reasons")
        #expect(reporter.total.passedOver == 1000)
    }
}
