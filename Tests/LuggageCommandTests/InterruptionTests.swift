import Foundation
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
}

extension Workplace {
    /// The names in the folder that begin with a point.
    var hidden: Set<String> {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: path(""))
            return Set(names.filter { $0.hasPrefix(".") })
        }
    }
}
