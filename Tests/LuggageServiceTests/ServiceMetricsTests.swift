import Foundation
import Logging
import LuggageTags
import TestFolders
import Testing

@testable import LuggageService
import Glibc

@Suite("The figures")
struct ServiceMetricsTests {
    private let scratch: TemporaryFolder
    private let clock = ManualClock()
    private let log = RecordedLog()
    private let metrics = ServiceMetrics(startedAt: Date(timeIntervalSince1970: 1_700_000_000))

    init() throws {
        scratch = try TemporaryFolder()
    }

    private var rows: [String] {
        metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test("are all there from the start")
    func start() {
        let text = metrics.text
        #expect(text.hasSuffix("\n"))
        let types = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        #expect(
            types.map { String($0.dropFirst(7)) } == [
                "luggage_pictures_total counter", "luggage_tags_total counter",
                "luggage_failures_total counter", "luggage_hooks_total counter",
                "luggage_reading_seconds histogram", "luggage_filing_seconds histogram",
                "luggage_pending_pictures gauge", "luggage_paused gauge",
                "luggage_start_time_seconds gauge",
            ]
        )
        let helps = text.split(separator: "\n").filter { $0.hasPrefix("# HELP luggage_") }
        #expect(helps.count == types.count)
        #expect(rows.contains("luggage_start_time_seconds 1700000000.0"))
        #expect(rows.contains("luggage_pending_pictures 0.0"))
        #expect(rows.contains("luggage_reading_seconds_count 0"))
    }

    @Test("count what happens")
    func counts() {
        let date = Date(timeIntervalSince1970: 1_700_000_100.5)
        metrics.countPicture("processed", filedIn: .milliseconds(40), at: date)
        metrics.countPicture("processed", at: Date(timeIntervalSince1970: 1_700_000_099))
        metrics.countPicture("failed", at: date)
        metrics.countTag(.new, at: .origin)
        metrics.countTag(.noCode, at: .destination)
        metrics.countTag(.new, at: .origin)
        metrics.countFailure(reason: "no-code")
        metrics.countHook(isSuccess: true)
        metrics.countHook(isSuccess: false)
        metrics.observeReading(.milliseconds(5))
        metrics.observeReading(.seconds(2))
        metrics.observeReading(.seconds(100))
        metrics.observeReading(.seconds(-1))
        metrics.setPending(7)
        metrics.setPaused(true)
        for row in [
            "luggage_pictures_total{disposition=\"failed\"} 1",
            "luggage_pictures_total{disposition=\"processed\"} 2",
            "luggage_tags_total{outcome=\"new\",point=\"origin\"} 2",
            "luggage_tags_total{outcome=\"no-code\",point=\"destination\"} 1",
            "luggage_failures_total{reason=\"no-code\"} 1",
            "luggage_hooks_total{result=\"failure\"} 1",
            "luggage_hooks_total{result=\"success\"} 1",
            "luggage_reading_seconds_bucket{le=\"0.005\"} 2",
            "luggage_reading_seconds_bucket{le=\"1.0\"} 2",
            "luggage_reading_seconds_bucket{le=\"2.5\"} 3",
            "luggage_reading_seconds_bucket{le=\"+Inf\"} 4", "luggage_reading_seconds_count 4",
            "luggage_reading_seconds_sum 102.005", "luggage_filing_seconds_count 1",
            "luggage_filing_seconds_sum 0.04", "luggage_pending_pictures 7.0", "luggage_paused 1.0",
            "luggage_last_filed_timestamp_seconds 1700000100.5",
        ] {
            #expect(rows.contains(row), "\(row)")
        }
    }

    @Test("have labels in which nothing is taken for the end, and not any number of them")
    func labels() {
        metrics.countFailure(reason: "a\"b\\c\nd")
        #expect(rows.contains(#"luggage_failures_total{reason="a\"b\\c\nd"} 1"#))
        for number in 0..<1000 { metrics.countFailure(reason: "reason-\(number)") }
        let failures = rows.filter { $0.hasPrefix("luggage_failures_total{") }
        #expect(failures.count == LabelledCounter.limit + 1)
        #expect(failures.contains("luggage_failures_total{reason=\"other\"} 801"))
    }

    private func file(_ path: String) -> MetricsFile<ManualClock> {
        MetricsFile(path: path, metrics: metrics, logger: log.logger(), clock: clock)
    }

    @Test("are written when they change, at most once in five seconds, and at the end")
    func file() async throws {
        let path = scratch.path("luggage.prom")
        let file = file(path)
        let task = Task { await file.run() }
        await clock.sleeperComes(until: .seconds(5))
        #expect(try scratch.text(of: "luggage.prom") == metrics.text)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode == S_IFREG | 0o644)
        let first = metrics.text
        for _ in 0..<100 { metrics.countTag(.new, at: .origin) }
        #expect(try scratch.text(of: "luggage.prom") == first)
        clock.advance(to: .seconds(5))
        await clock.sleeperComes(until: .seconds(10))
        #expect(try scratch.text(of: "luggage.prom") == metrics.text)
        #expect(metrics.text.contains("{outcome=\"new\",point=\"origin\"} 100"))
        metrics.setPaused(true)
        task.cancel()
        await task.value
        #expect(try scratch.text(of: "luggage.prom") == metrics.text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("")).count == 1)
        #expect(log.lines.isEmpty)
    }

    @Test("that cannot be written are said once to be so, and once to be well again")
    func failure() async throws {
        let file = file(scratch.path("absent/luggage.prom"))
        let task = Task { await file.run() }
        for round in 1...3 {
            await clock.sleeperComes(until: .seconds(5 * round))
            metrics.setPending(round)
            clock.advance(to: .seconds(5 * round))
        }
        await clock.sleeperComes(until: .seconds(20))
        #expect(log.lines.map(\.level) == [.warning])
        #expect(log.messages.first?.hasSuffix(": No such file or directory") == true)
        try FileManager.default.createDirectory(
            atPath: scratch.path("absent"),
            withIntermediateDirectories: false
        )
        metrics.setPending(9)
        clock.advance(to: .seconds(20))
        await clock.sleeperComes(until: .seconds(25))
        #expect(log.lines.map(\.level) == [.warning, .notice])
        #expect(try scratch.text(of: "absent/luggage.prom") == metrics.text)
        task.cancel()
        await task.value
    }

    @Test("replace what is there, be it a leftover, a link or a folder in the way")
    func obstacles() async throws {
        let secret = try scratch.write("secret", to: "secret")
        let path = scratch.path("luggage.prom")
        for link in [path, MetricsFile.temporaryPath(of: path)] {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: secret)
        }
        let file = file(path)
        let task = Task { await file.run() }
        await clock.sleeperComes(until: .seconds(5))
        task.cancel()
        await task.value
        #expect(try scratch.text(of: "secret") == "secret")
        #expect(try scratch.text(of: "luggage.prom") == metrics.text)
        let folder = scratch.path("folder.prom")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let other = MetricsFile(
            path: folder,
            metrics: metrics,
            logger: log.logger(),
            clock: ManualClock()
        )
        let second = Task { await other.run() }
        second.cancel()
        await second.value
        #expect(log.lines.map(\.level) == [.warning])
    }
}
