import Foundation
import TestHubs
import Testing

@Suite("What the README shows", .timeLimit(.minutes(30)))
struct ReadmeTests {
    /// A command line, and what it writes.
    struct Step {
        var command: String
        var output: String
    }

    /// The blocks of code below a heading, without their fences.
    private static func blocks(below heading: String) throws -> [String] {
        let file = Workplace.samples.appending(path: "../README.md").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## \(heading)\n").last)
        let parts = section.components(separatedBy: "\n## ")[0].components(separatedBy: "```")
        return parts.indices.filter { !$0.isMultiple(of: 2) }.map {
            String(parts[$0].drop { $0 != "\n" }.dropFirst())
        }
    }

    /// A workplace with the samples, whose clocks show noon, so that today does not end meanwhile.
    private func workplace() throws -> (place: Workplace, prelude: String) {
        let place = try Workplace()
        try FileManager.default.createSymbolicLink(
            atPath: place.path("samples"),
            withDestinationPath: Workplace.samples.path(percentEncoded: false)
        )
        let hour = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: Date()).hour ?? 0
        return (
            place,
            "luggage() { '\(Workplace.executable)' \"$@\"; }; export TZ=CET\(hour - 12)\n"
                + "PATH=\"$(dirname '\(Workplace.executable)'):$PATH\"\n"
        )
    }

    /// What a text says, whenever it is said.
    private static func timeless(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d CET/, with: "0000-00-00 00:00 CET")
            .replacing(#/ +(?:\d+h )?\d+[mh]\n/#, with: " 0m\n")
            // The identifier of an alarm is made of the time of its cause.
            .replacing(#/\n[0-9A-F]{8}  0000-/#, with: "\n00000000  0000-")
    }

    @Test(
        "is what the commands write, one after the other",
        arguments: [("A day at the desk", 9), ("A trip and its list", 8)]
    )
    func day(heading: String, count: Int) async throws {
        let block = try #require(try Self.blocks(below: heading).first)
        let steps = ("\n" + block).components(separatedBy: "\n$ ").dropFirst().map { step in
            // A command goes on behind a backslash.
            let lines = step.components(separatedBy: "\n")
            let end = (lines.firstIndex { !$0.hasSuffix("\\") } ?? 0) + 1
            return Step(
                command: lines[..<end].joined(separator: "\n"),
                output: lines[end...].joined(separator: "\n")
            )
        }
        #expect(steps.count == count)
        let (place, prelude) = try workplace()
        var script = prelude
        for step in steps {
            // Each in a shell of its own, in which what was exported counts.
            if step.command.hasPrefix("export ") {
                script += step.command + "\n"
                continue
            }
            let run = try await place.shell(script + step.command)
            #expect(run.errors == "")
            #expect(
                Self.timeless(run.output).trimmingCharacters(in: .newlines)
                    == Self.timeless(step.output + "\n").trimmingCharacters(in: .newlines),
                "\(step.command)"
            )
        }
    }

    @Test("to try is what scanning the samples writes")
    func samples() async throws {
        let shown = try #require(
            try Self.blocks(below: "Try it").first { $0.hasPrefix("OUTCOME ") }
        )
        let (place, prelude) = try workplace()
        let run = try await place.shell(prelude + "luggage scan --at origin samples")
        #expect(run.status == 1 && run.output == shown, "\(run.output)")
    }

    @Test("of two stations lets each see what the other files")
    func stations() async throws {
        let block = try #require(try Self.blocks(below: "Two stations, one truth").first)
        #expect(block.split(separator: "\n").count == 3)
        let (place, prelude) = try workplace()
        let hub = try TestHub()
        try hub.query("create database luggage")
        let run = try await place.shell(
            prelude + """
                export PGHOST='\(hub.address(as: "").socketFolder)' PGPORT=\(hub.port) PGUSER=postgres
                (
                \(block)
                luggage scan --at origin --store muc.sqlite samples/tag-f432-dzmu.png
                luggage scan --at destination --store lhr.sqlite samples/tag-9c41-dzmu.png
                until luggage list --store lhr.sqlite | grep F432BDB8; do sleep 0.1; done
                until luggage list --store muc.sqlite | grep 9C417E05; do sleep 0.1; done
                kill $(sed 's/process \\([0-9]*\\) .*/\\1/' *.sqlite-hub-lock)
                wait
                ) >told 2>&1 || cat told
                luggage export --store muc.sqlite >muc.json && luggage export --store lhr.sqlite | cmp - muc.json
                """
        )
        #expect(run.status == 0 && run.output == "", "\(run.output)\(run.errors)")
    }
}

extension String {
    /// The folder of the socket in an address.
    fileprivate var socketFolder: String {
        firstMatch(of: /host='([^']*)'/).map { String($0.1) } ?? ""
    }
}
