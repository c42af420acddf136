import Foundation
import LuggageTags
import TestFolders
import Testing
import TestProcesses

@testable import LuggageService
import Glibc

@Suite("A hook")
struct HookTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private static let hostile = "$(touch x)`touch x`;touch x\n'\"\\ *é"

    private static var facts: HookFacts {
        var facts = HookFacts(
            .failed,
            picture: Array("/in/failed/\(hostile)".utf8) + [0xFF],
            name: Array(hostile.utf8) + [0xFF],
            point: .destination,
            station: "MUC 2",
            digest: "ab12"
        )
        facts.outcomes = [.new, .noCode]
        facts.bags = ["A", "B"]
        facts.owners = ["D/ZMU", "É/M L"]
        (facts.place, facts.trips) = ("MUC", ["LX14", "Pier 3"])
        facts.reason = "no-code"
        facts.message = "no QR code was found in the picture"
        return facts
    }

    private func hook(
        _ command: String,
        timeLimit: Duration = .seconds(3600),
        environment: [String: String] = [:]
    ) -> Hook {
        Hook(
            command: "cd '\(scratch.path(""))'\n\(command)",
            timeLimit: timeLimit,
            environment: environment
        )
    }

    @Test("is told everything in its environment, byte for byte, and can take nothing else from it")
    func environment() async throws {
        let inherited = [
            "PATH": "/usr/bin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "LUGGAGE_STORE": "/s", "LUGGAGE_EVENT": "wrong", "NOTIFY_SOCKET": "/run/notify",
            "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1", "LISTEN_FDS": "1", "JOURNAL_STREAM": "1:2",
            "LUGGAGE_HOOK": "true", "SECRET": "x",
        ]
        let outcome = await hook("env -0 > env", environment: inherited).run(Self.facts)
        #expect(outcome == Hook.Outcome(end: .exited(0)))
        let data = try Data(contentsOf: scratch.url.appending(path: "env"))
        let names = Array(Self.hostile.utf8) + [0xFF]
        var found: [String: [UInt8]] = [:]
        for entry in data.split(separator: 0) {
            let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let value = parts.count > 1 ? Array(parts[1]) : []
            found[String(decoding: parts[0], as: UTF8.self)] = value
        }
        // The shell's own.
        for name in ["PWD", "OLDPWD", "SHLVL", "_"] { found[name] = nil }
        let expected: [String: [UInt8]] = [
            "LUGGAGE_PICTURE": Array("/in/failed/".utf8) + names, "LUGGAGE_NAME": names,
        ]
        let texts = [
            "PATH": "/usr/bin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "LUGGAGE_STORE": "/s", "LUGGAGE_EVENT": "failed", "LUGGAGE_POINT": "destination",
            "LUGGAGE_ROLE": "arriving",
            "LUGGAGE_STATION": "MUC 2", "LUGGAGE_DIGEST": "ab12", "LUGGAGE_OUTCOMES": "new no-code",
            "LUGGAGE_BAGS": "A B", "LUGGAGE_OWNERS": "D/ZMU\nÉ/M L", "LUGGAGE_REASON": "no-code",
            "LUGGAGE_MESSAGE": "no QR code was found in the picture",
            "LUGGAGE_PLACE": "MUC", "LUGGAGE_TRIPS": "LX14\nPier 3", "LUGGAGE_ALARM": "",
        ]
        #expect(found == expected.merging(texts.mapValues { Array($0.utf8) }) { $1 })
        #expect(!FileManager.default.fileExists(atPath: scratch.path("x")))
    }

    @Test("is told the same as JSON on its standard input")
    func standardInput() async throws {
        #expect(await hook("cat > facts").run(Self.facts).end == .exited(0))
        let data = try Data(contentsOf: scratch.url.appending(path: "facts"))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["event"] as? String == "failed")
        #expect(object["name"] as? String == Self.hostile + #"\xFF"#)
        #expect(object["picture"] as? String == "/in/failed/" + Self.hostile + #"\xFF"#)
        #expect(object["point"] as? String == "destination")
        #expect(object["role"] as? String == "arriving")
        #expect(object["station"] as? String == "MUC 2")
        #expect(object["digest"] as? String == "ab12")
        #expect(object["outcomes"] as? [String] == ["new", "no-code"])
        #expect(object["bags"] as? [String] == ["A", "B"])
        #expect(object["owners"] as? [String] == ["D/ZMU", "É/M L"])
        #expect(object["reason"] as? String == "no-code")
        #expect(object["message"] as? String == "no QR code was found in the picture")
        #expect(object.count == 14)
    }

    @Test("is told what it can bear where there is too much")
    func tooMuch() async {
        var facts = Self.facts
        facts.bags = (0..<20000).map { "bag \($0)" }
        facts.message = "a\0b"
        let command = #"[ ${#LUGGAGE_BAGS} = 32768 ] && [ "$LUGGAGE_MESSAGE" = a ] && wc -c"#
        let outcome = await hook(command).run(facts)
        #expect(outcome.end == .exited(0))
        #expect((outcome.output.lines.first.flatMap { Int($0) } ?? 0) > 200_000)
    }

    @Test(
        "ends as it ends",
        arguments: [
            ("true", .exited(0), []), ("exit 3", .exited(3), []),
            ("kill -9 $$", .killed(signal: 9), []),
            ("/nonexistent/x 2>/dev/null", .exited(127), []),
            ("echo a; echo; echo b >&2; exit 1", .exited(1), ["a", "b"]),
            (#"printf 'a\033[31mb\377\r\nc'"#, .exited(0), [#"a\u{1b}[31mb"# + "\u{FFFD}", "c"]),
            ("exec >&- 2>&-; cat > facts; exit 4", .exited(4), []),
            (
                #"printf '\000\377\376a\000b'"#, .exited(0),
                [#"\u{0}"# + "\u{FFFD}\u{FFFD}" + #"a\u{0}b"#]
            ),
            ("exec <&-; exit 5", .exited(5), []), ("yes | head -n 1", .exited(0), ["y"]),
        ] as [(String, Hook.Outcome.End, [String])]
    )
    func ends(command: String, end: Hook.Outcome.End, lines: [String]) async {
        let outcome = await hook(command).run(Self.facts)
        #expect(outcome.end == end)
        #expect(outcome.output.lines == lines)
    }

    @Test("may write what it likes, of which the beginning is kept")
    func bounds() async {
        let outcome = await hook("yes 0123456789 | head -n 1000000").run(Self.facts)
        #expect(outcome.end == .exited(0))
        let lines = outcome.output.lines
        #expect(lines.count == HookOutput.lineLimit + 1)
        #expect(lines.first == "0123456789" && lines.last == "… and more")
        let long = await hook("head -c 1000000 /dev/zero").run(Self.facts)
        #expect(long.output.lines.count == 2)
        #expect(long.output.lines.joined().utf8.count < 10 * HookOutput.byteLimit)
    }

    @Test("may leave a process behind, for which nobody waits")
    func background() async throws {
        let outcome = await hook(
            "\(TestProcesses.endOfTests) & echo $! > number; echo started",
            timeLimit: .seconds(600)
        ).run(Self.facts)
        let number = try #require(
            Int32(try scratch.text(of: "number").trimmingCharacters(in: .whitespacesAndNewlines))
        )
        #expect(kill(number, SIGKILL) == 0)
        #expect(outcome.end == .exited(0))
        #expect(outcome.output.lines == ["started"])
    }

    @Test("that takes too long is ended with all that it has started, deaf as they may be")
    func tooSlow() async throws {
        try await scratch.expectEnd {
            let command =
                "exec 3<>life; (trap '' TERM; \(TestProcesses.endOfTests)) & "
                + "echo started; wait"
            let outcome = await hook(command, timeLimit: .milliseconds(500)).run(Self.facts)
            #expect(outcome.end == .tooSlow)
        }
        #expect(
            Hook.Outcome.End.tooSlow.words(timeLimit: .milliseconds(500))
                == "took longer than 500ms and was ended"
        )
    }

    @Test("that is deaf itself is killed")
    func deaf() async throws {
        try await scratch.expectEnd {
            let command = "exec 3<>life; trap '' TERM; \(TestProcesses.endOfTests)"
            let outcome = await hook(command, timeLimit: .milliseconds(300)).run(Self.facts)
            #expect(outcome.end == .tooSlow)
        }
    }

    @Test("is ended with its service")
    func cancellation() async throws {
        try await scratch.expectEnd {
            let started = try ScriptPipe()
            let hook = hook("exec 3<>life; echo >\(started.path); \(TestProcesses.endOfTests)")
            let task = Task { await hook.run(Self.facts) }
            await started.arrival()
            task.cancel()
            #expect(await task.value.end != .exited(0))
        }
    }
}
