import Foundation
import Testing

/// Whoever reads an example types it: none may be refused as wrong usage, and each does what it shows.
@Suite("The examples of help", .timeLimit(.minutes(20)))
struct HelpExampleTests {
    /// The commands whose examples need a hub or a browser; what README shows of them is run by other tests.
    private static let others: Set<String> = ["sync", "board"]

    /// The commands that the table of the README names, by program.
    private static func commands() throws -> [String] {
        let file = Workplace.samples.appending(path: "../README.md").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| to | command |\n").last)
            .components(separatedBy: "\n\n")[0]
        let words = table.split(separator: "\n").flatMap { row in
            // The second column.
            row.split(separator: "|").last.map { $0.matches(of: #/`([a-z][^`]*)`/#) } ?? []
        }.map { String($0.1) }
        let commands = words.map { word in
            let parts = word.split(separator: " ")
            return parts[0] == "luggage-tag" ? "luggage-tag \(parts[1])" : String(parts[0])
        }
        return Set(commands).sorted()
    }

    /// The lines of help that are command lines.
    private static func examples(in help: String) -> [String] {
        // A long one goes on in the next line, which begins with an option.
        let text = help.components(separatedBy: "\nUSAGE:")[0]
            .replacing(/\\\n */, with: "").replacing(/\n *--/, with: " --")
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("luggage ") || $0.hasPrefix("luggage-tag ") }
            .map(String.init)
    }

    /// What stands for what an example takes from its surroundings.
    private static let places: [(String, String)] = [
        ("/srv/luggage", "inbox"), ("/srv/arrivals", "inbox"), ("/media/stick/", "stick/"),
        ("/backup/", ""), ("socket://10.0.0.7:9100", "/dev/null"),
    ]

    /// A workplace in which all that examples name is there.
    private static func workplace() async throws -> (place: Workplace, prelude: String) {
        let place = try Workplace()
        let tag = try Data(contentsOf: URL(filePath: Workplace.sample("tag-f432-dzmu.png")))
        let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
        for name in ["tag.png", "torn.png", "arrivals/a.png", "stick/x", "inbox/.x"] {
            let folder = URL(filePath: place.path(name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try place.add(name, Array(tag))
        }
        let torn = try Data(contentsOf: URL(filePath: Workplace.sample("torn-off.png")))
        try place.add("torn.png", Array(torn))
        try place.add("own.yaml", Array("scanners:\n  /dev/ttyACM*: origin\n".utf8))
        try place.add("scanned.txt", Array("{\"id\":\"\(id)\",\"weight\":42}\n".utf8))
        try place.add("lx14.csv", Array("id\n\(id)\n".utf8))
        try place.add(
            "manifest.json",
            Array(#"[{"id":"\#(id)","point":"load","due":"2026-07-01T08:00:00Z"}]"#.utf8)
        )
        try place.add("passengers.csv", Array("given,family\nDana,Zmuda\n".utf8))
        let prelude = """
            export LUGGAGE_FOLDER=inbox LUGGAGE_CONFIGURATION=own.yaml
            PATH="$(dirname '\(Workplace.executable)'):$PATH"

            """
        let start = try await place.shell(
            prelude
                + """
                luggage scan --at origin tag.png && luggage expect lx14.csv --at load --due '2026-07-01 10:00' \
                && luggage watch --once inbox && cp torn.png inbox/origin/IMG_0042.png \
                && cp torn.png inbox/origin/1.png && cp tag.png inbox/origin/2.png \
                && { luggage watch --once inbox; luggage export --records bags --output bags.csv; } \
                && luggage export --output all.json
                """
        )
        try #require(start.status == 0, "\(start.errors)")
        return (place, prelude)
    }

    @Test("are there for each command of the README's table, and run")
    func run() async throws {
        let commands = try Self.commands()
        #expect(commands.count > 25, "\(commands)")
        for command in commands where !Self.others.contains(command) {
            let (place, prelude) = try await Self.workplace()
            let words = command.split(separator: " ")
            let help = try await place.shell(
                prelude + (words.count == 1 ? "luggage \(command)" : command) + " --help"
            )
            let examples = Self.examples(in: help.output)
            #expect(!examples.isEmpty, "\(command) shows no example")
            // What a command writes is not there yet, and what it reads is.
            let before = [
                "restore": "luggage backup stick/luggage.sqlite", "import": "cp all.json muc.json",
                "export": "rm bags.csv", "luggage-tag print": "rm tag.png",
            ][command]
            if let before {
                let run = try await place.shell(prelude + before)
                try #require(run.status == 0, "\(run.errors)")
            }
            for example in examples {
                var line = example
                for (shown, own) in Self.places { line = line.replacing(shown, with: own) }
                // Services go on for ever, and other programs may not be here.
                if ["watch", "listen"].contains(command) && !line.contains("--once") {
                    line += " --check"
                }
                if line.contains("--follow") { continue }
                if command == "purge", !line.contains("--yes") { line += " --yes" }
                line = line.replacing(#/ \| (jq|ssh) .*/#, with: " | cat")
                let run = try await place.shell(
                    prelude + line + (line.contains("<") ? "" : " </dev/null")
                )
                // Where nothing is to be done, or something is not found, it says so.
                #expect(
                    [0, 1].contains(run.status),
                    "\(line): \(run.status), \(run.errors)"
                )
            }
        }
    }
}
