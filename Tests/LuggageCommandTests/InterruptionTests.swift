import Foundation
import GRDB
import Testing

@Suite("Programs that are interrupted while they write", .timeLimit(.minutes(30)))
struct InterruptionTests {
    /// A command that takes its time, and the place where it writes.
    struct Command: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: String
        /// What is there as soon as it has begun.
        let beginning: String
    }

    static let commands = [
        Command(
            testDescription: "backup",
            line: "'\(Workplace.executable)' backup --force copy.sqlite",
            beginning: ".copy.sqlite.partial-*/*"
        ),
        Command(
            testDescription: "restore",
            line: "'\(Workplace.executable)' restore first.sqlite",
            beginning: ".luggage.sqlite.partial-*/*"
        ),
        Command(
            testDescription: "export",
            line: "'\(Workplace.executable)' export --force --output all.plist",
            beginning: ".all.plist.partial-*"
        ),
        Command(
            testDescription: "print",
            line: "'\(Workplace.tagExecutable)' print --from-csv tags.csv --out tags",
            beginning: ".tags.partial-*/*"
        ),
    ]

    /// A place with a record, a copy of it, and a table of tags.
    private func filled() async throws -> Workplace {
        let place = try await Workplace.crowded(5000)
        #expect(try await place.luggage("backup", "first.sqlite").status == 0)
        let rows = Array(repeating: "D/ZMU,ZRH,JFK,42lb", count: 300)
        let table = (["owner,from,to,weight"] + rows).joined(separator: "\n")
        try place.add("tags.csv", Array(table.utf8))
        return place
    }

    /// Ends a command by a signal as soon as it has begun to write.
    ///
    /// One that was quicker is begun anew.
    private func interrupt(
        _ command: Command,
        by signal: String,
        in place: Workplace
    ) async throws -> String {
        // A command in the background would ignore SIGINT otherwise.
        let script = """
            for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                rm -rf tags
                env --default-signal=INT \(command.line) >/dev/null & command=$!
                until set -- \(command.beginning) && [ -e "$1" ]; do
                    kill -0 $command 2>/dev/null || break
                done
                kill -\(signal) $command 2>/dev/null
                wait $command
                status=$?
                [ $status -eq 0 ] || break
            done
            echo $status
            """
        return try await place.shell(script).output
    }

    @Test(
        "leave nothing behind, and end by the signal",
        arguments: commands,
        [("INT", "130\n"), ("TERM", "143\n"), ("HUP", "129\n")]
    )
    func signals(command: Command, signal: (name: String, status: String)) async throws {
        let place = try await filled()
        let before = try place.hidden
        #expect(before.isEmpty)
        #expect(try await interrupt(command, by: signal.name, in: place) == signal.status)
        #expect(try place.hidden.isEmpty)
        #expect(try !place.names.contains("tags"))
        #expect(try await place.luggage("check").status == 0)
    }

    @Test("clear away what was left by those that were killed", arguments: commands)
    func killed(command: Command) async throws {
        let place = try await filled()
        #expect(try await interrupt(command, by: "KILL", in: place) == "137\n")
        let left = try place.hidden
        #expect(left.count == 1)
        // What somebody has yet stays, and what is only called alike.
        let name = try #require(left.first)
        let alike = name.dropLast() + "!"
        try place.add(String(alike), [])
        let holding = try await place.shell("rm -rf tags; flock \(name) \(command.line)")
        #expect(holding.status == 0, "\(holding.errors)")
        #expect(try place.hidden == Set([name, String(alike)]))
        let run = try await place.shell("rm -rf tags; \(command.line)")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try place.hidden == [String(alike)])
    }

    @Test(
        "a purge that was killed, wherever it was, is done as a whole by the next one",
        arguments: ["--names", "--bags"]
    )
    func killedPurge(scope: String) async throws {
        let place = try Workplace()
        let bags = (0..<3000).map { number in
            let id = "00000000-0000-4000-8000-\(100_000_000_000 + number)"
            let owner = #"["\#(number % 7)","O\#(number % 90)"]"#
            let time = number % 10 == 0 ? "2026-05-01" : "2025-05-01"
            return
                #"{"id":"\#(id)","owner":\#(owner),"weight":1,"departedAt":"\#(time)T10:00:00Z"}"#
        }
        try place.add("bags.jsonl", Array(bags.joined(separator: "\n").utf8))
        #expect(try await place.luggage("import", "bags.jsonl").status == 0)
        #expect(try await place.luggage("backup", "first.sqlite").status == 0)
        let words = ["purge", scope, "--older-than", "2026-01-01", "--yes"]
        #expect(try await place.luggage(words).status == 0)
        // What is forgotten is noted with random identifiers.
        let export = ["export", "--format", "json-lines", "--file-version", "1"]
        let expected = try await place.luggage(export).output
        var isBetween = false
        // How much it has written when it is killed.
        for bytes in [0, 100_000, 200_000, 400_000, 600_000, 900_000] {
            let script = """
                rm -f luggage.sqlite* && cp first.sqlite luggage.sqlite
                '\(Workplace.executable)' \(words.joined(separator: " ")) >/dev/null & command=$!
                until [ "$(stat -c %s luggage.sqlite-wal 2>/dev/null || echo 0)" -gt \(bytes) ]; do
                    kill -0 $command 2>/dev/null || break
                done
                kill -KILL $command 2>/dev/null
                wait $command
                """
            _ = try await place.shell(script)
            let left = scope == "--bags" ? "" : "WHERE owner IS NOT NULL"
            let purged = try 3000 - (place.count("FROM Luggage \(left)") ?? 0)
            isBetween = isBetween || (1..<2700).contains(purged)
            #expect(try await place.luggage("check").status == 0)
            #expect(try await place.luggage(words).status == 0)
            let again = try await place.luggage(export).output
            #expect(again == expected, "killed after \(bytes) bytes")
            #expect(try place.count("FROM ObjectStoreHistory") == 0)
        }
        #expect(isBetween)
    }
}

extension Workplace {
    /// How many rows there are.
    fileprivate func count(_ selection: String) throws -> Int? {
        try DatabaseQueue(path: store).read {
            try Int.fetchOne($0, sql: "SELECT count(*) \(selection)")
        }
    }

    /// The names in the folder that begin with a point.
    var hidden: Set<String> {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: path(""))
            return Set(names.filter { $0.hasPrefix(".") })
        }
    }
}
