import Foundation
import GRDB
import Subprocess
import SystemPackage
import TestProcesses
import Testing

@Suite("luggage scan --payload, and how it ends", .timeLimit(.minutes(30)))
struct ScanEndTests {
    private static func tag(_ number: Int) -> String {
        #"{"id":"F432BDB8-D84F-4461-8362-\#(100_000_000_000 + number)","weight":42}"#
    }

    /// A `luggage scan --payload -` that runs beside a test.
    private struct Scan {
        let identifier: pid_t
        fileprivate let writer: StandardInputWriter
        fileprivate var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

        func send(_ text: String) async throws { _ = try await writer.write(text) }

        mutating func line() async throws -> String? { try await lines.next(isolation: #isolation) }

        /// What it tells up to its end.
        mutating func rest() async throws -> [String] {
            var rest: [String] = []
            while let line = try await line() { rest.append(line) }
            return rest
        }
    }

    /// Runs `luggage scan --payload -`, and the body beside it.
    ///
    /// - Parameters:
    ///   - words: More options.
    ///   - place: Where it runs.
    ///   - preparation: A command of the shell that becomes it.
    ///   - body: Works with it; when it returns, the input ends.
    /// - Returns: The exit status, and what was said on standard error.
    /// - Throws: What the body throws.
    private func scanning(
        _ words: String = "",
        in place: Workplace,
        after preparation: String = ":",
        body: (inout Scan) async throws -> Void
    ) async throws -> (status: TerminationStatus, errors: String) {
        let command =
            "\(preparation); exec '\(Workplace.executable)' scan --at origin \(words) --payload - 2>errors"
        let result = try await Subprocess.run(
            .path("/bin/sh"),
            arguments: ["-c", command],
            environment: .custom(["LUGGAGE_STORE": place.store, "TZ": "UTC"]),
            workingDirectory: .init(place.path("")),
            platformOptions: .endingWithTests,
            input: .inputWriter,
            output: .sequence,
            error: .discarded
        ) { execution in
            var scan = Scan(
                identifier: execution.processIdentifier.value,
                writer: execution.standardInputWriter,
                lines: execution.standardOutput.strings().makeAsyncIterator()
            )
            try await body(&scan)
            try await scan.writer.finish()
            #expect(try await scan.line() == nil)
        }
        let errors = try String(contentsOfFile: place.path("errors"), encoding: .utf8)
        return (result.terminationStatus, errors)
    }

    @Test("tells each outcome as soon as the payload has come")
    func streaming() async throws {
        let (status, _) = try await scanning("--format json", in: Workplace()) { scan in
            for (text, outcome) in [
                (Self.tag(1), "new"), (Self.tag(2), "new"), ("no bag's", "invalid"),
            ] {
                // The end of the input is still to come.
                try await scan.send(text + "\r\n")
                let line = try #require(try await scan.line())
                #expect(line.contains("\"outcome\":\"\(outcome)\""))
            }
        }
        #expect(status == .exited(1))
    }

    @Test(
        "ends at a signal as at the end of the input, after it has filed what has come",
        arguments: [SIGTERM, SIGINT, SIGHUP],
        [false, true]
    )
    func signal(number: Int32, isInPayload: Bool) async throws {
        let (status, errors) = try await scanning(in: Workplace()) { scan in
            try await scan.send(Self.tag(1) + "\n")
            #expect(try await scan.line()?.hasPrefix("OUTCOME") == true)
            #expect(try await scan.line()?.hasPrefix("new") == true)
            try await scan.send("\n" + Self.tag(2) + "\n" + (isInPayload ? #"{"id""# : ""))
            kill(scan.identifier, number)
            let rest = try await scan.rest()
            #expect(rest.count == (isInPayload ? 4 : 3))
            #expect(rest[0].hasPrefix("new") && rest[0].contains("line 3"))
            if isInPayload {
                #expect(rest[1].hasPrefix("unreadable"))
                #expect(rest[1].contains("line 4: the payload broke off after 5 bytes"))
            }
            let summary =
                isInPayload
                ? "3 payloads, 3 results: 2 new, 1 unreadable" : "2 payloads, 2 results: 2 new"
            #expect(rest.last == summary)
        }
        #expect(status == .exited(isInPayload ? 1 : 0))
        #expect(errors == "")
    }

    @Test("goes on at a hangup that it was told to ignore, as by nohup")
    func ignored() async throws {
        let (status, _) = try await scanning("--format json", in: Workplace(), after: "trap '' HUP")
        {
            scan in
            for number in 1...2 {
                try await scan.send(Self.tag(number) + "\n")
                #expect(try await scan.line()?.contains("\"outcome\":\"new\"") == true)
                kill(scan.identifier, SIGHUP)
            }
        }
        #expect(status == .exited(0))
    }

    @Test("tells at a signal each payload that a locked record did not take")
    func locked() async throws {
        let place = try Workplace()
        let (status, errors) = try await scanning(in: place) { scan in
            try await scan.send(Self.tag(1) + "\n")
            #expect(try await scan.line()?.hasPrefix("OUTCOME") == true)
            #expect(try await scan.line()?.hasPrefix("new") == true)
            let other = try DatabaseQueue.leavingOpen(place.store)
            try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
            try await scan.send("\n" + Self.tag(2) + "\nhello\n{\"id")
            kill(scan.identifier, SIGTERM)
            #expect(try await scan.rest() == ["", "1 payload, 1 result: 1 new"])
            try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
            try other.close()
        }
        #expect(status == .exited(74))
        let lines = errors.split(separator: "\n")
        #expect(lines.count == 4, "\(errors)")
        #expect(lines[0].contains("line 3: not filed") && lines[0].hasSuffix(Self.tag(2)))
        #expect(lines[1].contains("line 4: not filed") && lines[1].hasSuffix("hello"))
        #expect(lines[2].contains("line 5: unreadable: the payload broke off after 4 bytes"))
        #expect(lines[3].contains("locked"))
        #expect(
            lines[3].hasSuffix("nothing from line 3 on was filed: give the input again from there")
        )
        #expect(try await place.luggage("list", "--format", "json").array().count == 1)
    }

    @Test(
        "says with which line to go on when the disk is full, and nothing is lost or filed twice",
        .disabled(if: getuid() != 0, "it takes a file system of its own, which only root can mount")
    )
    func fullDisk() async throws {
        let place = try Workplace()
        // Empty lines count in an editor, too.
        let text = (0..<2000).map { Self.tag($0) + ($0 % 10 == 0 ? "\n\n" : "\n") }.joined()
        try place.add("input", Array(text.utf8))
        let scan = "'\(Workplace.executable)' scan --store small/l.sqlite --at origin --format json"
        try place.add(
            "script",
            Array(
                """
                mkdir small && mount -t tmpfs -o size=900k none small
                \(scan) --payload - <input >first 2>errors
                echo $?
                line=$(sed -n 's/.*; nothing from line \\([0-9]*\\) on was filed: give the .*/\\1/p' errors)
                mount -o remount,size=64m small
                tail -n +$line input | \(scan) --payload - >second
                echo $?
                cat first second | grep -c '"outcome":"new"'
                cat first second | wc -l
                wc -l <errors
                """.utf8
            )
        )
        let run = try await place.shell("unshare --mount sh script")
        #expect(run.lines == ["74", "0", "2000", "2000", "1", ""], "\(run.output)\(run.errors)")
    }
}
