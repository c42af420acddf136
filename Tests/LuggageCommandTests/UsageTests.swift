import Foundation
import TestFolders
import Testing

@Suite("The program, used wrongly,")
struct UsageTests {
    private static let tag = Workplace.sample("tag-f432-dzmu.png")

    /// A way of using the program, and what must come of it.
    struct Misuse: CustomTestStringConvertible {
        var arguments: [String]
        var status: Int32
        var words: String
        var environment: [String: String]?

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let misuses = [
        Misuse(arguments: ["scan"], status: 64, words: "--at"),
        Misuse(arguments: ["scan", "--at", "origin"], status: 64, words: "picture"),
        Misuse(arguments: ["scan", tag], status: 64, words: "$LUGGAGE_AT"),
        Misuse(arguments: ["scan", tag], status: 64, words: "--at origin or --at destination"),
        Misuse(arguments: ["scan", "--at", "gate", tag], status: 64, words: "unload, destination"),
        Misuse(
            arguments: ["scan", "--at", "orign", tag],
            status: 64,
            words:
                "found \"orign\"; did you mean origin? Else name the word and its role in the setting `points`"
        ),
        Misuse(arguments: ["scan", "--at", "../x", tag], status: 64, words: "found \"../x\""),
        Misuse(arguments: ["scan", "--at", "", tag], status: 64, words: "found \"\""),
        Misuse(
            arguments: ["file", "--at", "a\nb", "--reason", "x", "F432"],
            status: 64,
            words: "found \"a\\nb\""
        ),
        Misuse(
            arguments: ["dismiss", "--at", "nowhere", "--reason", "x", "a.png"],
            status: 64,
            words: "--at: expected one of origin, load"
        ),
        Misuse(arguments: ["list", "--store", ""], status: 64, words: "--store"),
        Misuse(
            arguments: ["scan", "--at", "origin", "--at", "destination", tag],
            status: 64,
            words: "--at is given twice, and has one value; leave one of the two out"
        ),
        Misuse(
            arguments: ["scan", tag, "--at=origin", "--dry-run", "--at=origin"],
            status: 64,
            words: "--at is given twice"
        ),
        Misuse(
            arguments: ["export", "-o", "a", "--output", "b"],
            status: 64,
            words: "--output is given twice"
        ),
        Misuse(
            arguments: ["watch", "--grace", "5s", "inbox", "--grace", "6s"],
            status: 64,
            words: "--grace is given twice"
        ),
        Misuse(
            arguments: ["scan", "--at", "origin", "--timestamp", "2999-01-01T00:00:00Z", tag],
            status: 64,
            words: "future"
        ),
        Misuse(
            arguments: ["scan", "--at", "origin", "--station", "", tag],
            status: 64,
            words: "station"
        ),
        Misuse(arguments: ["show", "tag"], status: 64, words: "hexadecimal"),
        Misuse(arguments: ["export", "--format", "csv"], status: 64, words: "--records"),
        Misuse(arguments: ["export", "--output", "bags.csv"], status: 64, words: "--records"),
        Misuse(arguments: ["export", "--format", "xls"], status: 64, words: "'messagepack'"),
        Misuse(arguments: ["export", "--identifier", "tag"], status: 64, words: "hexadecimal"),
        Misuse(arguments: ["export", "--force"], status: 64, words: "--output"),
        Misuse(arguments: ["export", "--report", "json"], status: 64, words: "--output"),
        Misuse(arguments: ["export", "--json"], status: 64, words: "--json"),
        Misuse(arguments: ["import", "--report", "csv", "-"], status: 64, words: "'json'"),
        Misuse(arguments: ["export"], status: 66, words: "no record"),
        Misuse(arguments: ["import"], status: 64, words: "path"),
        Misuse(arguments: ["import", "missing.json"], status: 66, words: "missing.json: No such"),
        Misuse(
            arguments: ["import", "--merge-policy", "newest", "missing.json"],
            status: 64,
            words: "'store-trump'"
        ),
        Misuse(arguments: ["weigh"], status: 64, words: "weigh"),
        Misuse(
            arguments: ["scan", "--at", "origin", tag, "missing.png"],
            status: 66,
            words: "missing.png: No such file or directory; nothing was filed"
        ),
        Misuse(
            arguments: ["read", tag, "missing.png"],
            status: 66,
            words: "missing.png: No such file or directory; nothing was read"
        ),
        Misuse(arguments: ["list"], status: 66, words: "no record"),
        Misuse(arguments: ["show", "F432"], status: 66, words: "luggage scan"),
        Misuse(arguments: ["passengers", "--store", "nowhere"], status: 66, words: "nowhere"),
        Misuse(
            arguments: ["scan", "--at", "origin", tag, "--store", "/proc/luggage.sqlite"],
            status: 73,
            words: "/proc/luggage.sqlite"
        ),
        Misuse(
            arguments: ["scan", "--at", "origin", tag, "--store", "missing/luggage.sqlite"],
            status: 73,
            words: "folder exists"
        ),
        Misuse(
            arguments: ["scan", "--at", "origin", tag, "--store", tag],
            status: 73,
            words: "not a database"
        ),
        Misuse(
            arguments: ["scan", "--at", "origin", tag, "--store", "/dev/null"],
            status: 73,
            words: "not a regular file"
        ),
        Misuse(
            arguments: ["scan", "--at", "origin", tag, "--store", "/"],
            status: 73,
            words: "folder"
        ),
        Misuse(arguments: ["list"], status: 78, words: "--store", environment: [:]),
    ]

    /// Times that must not be guessed at.
    static let unreadableTimes = [
        "yesterday", "2026-02-30T08:00:00Z", "2026-02-03T24:00:00Z", "2026-02-03T08",
        "2026-02-03T08:00:00Zjunk", "0020-02-03T08:00:00Z",
    ].map { time in
        Misuse(
            arguments: ["scan", "--at", "origin", "--timestamp", time, tag],
            status: 64,
            words: "timestamp"
        )
    }

    @Test(
        "says what is wrong and what to do, and files nothing",
        arguments: misuses + unreadableTimes
    )
    func misuse(_ misuse: Misuse) async throws {
        let place = try Workplace()
        let run = try await place.luggage(misuse.arguments, environment: misuse.environment)
        #expect(run.status == misuse.status)
        #expect(run.errors.contains(misuse.words), "\(run.errors)")
        #expect(run.output == "")
        #expect(!FileManager.default.fileExists(atPath: place.store))
    }

    @Test("finds no picture in a folder without one")
    func emptyFolder() async throws {
        let place = try Workplace()
        try place.add("notes.txt", [])
        let run = try await place.luggage("scan", "--at", "origin", place.path(""))
        #expect(run.status == 66)
        #expect(run.errors.contains("no picture"))
    }

    @Test("leaves a file that is not a record as it was")
    func foreignFile() async throws {
        let place = try Workplace()
        let path = try place.add("notes.txt", Array("not a record".utf8))
        let run = try await place.luggage("scan", "--at", "origin", "--store", path, Self.tag)
        #expect(run.status == 73)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("not a record".utf8))
    }

    @Test(
        "fails when the output cannot be written",
        arguments: [
            ">/dev/full": "No space left on device", ">&-": "Bad file descriptor",
            "<&- >&-": "Bad file descriptor",
        ]
    )
    func unwritableOutput(redirection: String, words: String) async throws {
        let place = try Workplace()
        _ = try await place.luggage("scan", "--at", "origin", Self.tag)
        for command in [
            "read '\(Self.tag)'", "list", "list --follow", "list --format json", "history",
            "summary",
            "show F432", "passengers", "export", "check", "undo --list", "undo", "--version",
            "--help",
            "list --help", "--generate-completion-script bash",
        ] {
            let run = try await place.shell("'\(Workplace.executable)' \(command) \(redirection)")
            #expect(run.status == 74, "\(command)")
            #expect(run.errors.contains(words), "\(command): \(run.errors)")
        }
    }

    @Test("says how a command is used, whenever it finds that it is used wrongly")
    func usage() async throws {
        let place = try Workplace()
        let folder = Workplace.samples.path(percentEncoded: false)
        let run = try await place.luggage("read", "--explain", "why.png", folder)
        #expect(run.status == 64)
        #expect(
            run.errors.hasPrefix(
                "luggage: --explain draws on one picture: name only one\nUsage: luggage read <images> "
            ),
            "\(run.errors)"
        )
        #expect(run.errors.hasSuffix("\n  See 'luggage read --help' for more information.\n"))
    }

    /// The options without which a command does nothing.
    static let neededOptions = [
        "file": ["--reason"], "dismiss": ["--reason"], "edit": ["--reason"],
        "purge": ["--older-than"],
    ]

    @Test(
        "answers every command's --help",
        arguments: [
            "scan", "watch", "status", "retry", "read", "list", "show", "history", "summary",
            "passengers", "export", "import", "file", "dismiss", "edit", "undo", "redo", "backup",
            "restore",
            "purge", "check",
        ]
    )
    func help(command: String) async throws {
        let run = try await Workplace().luggage(command, "--help")
        #expect(run.status == 0)
        #expect(run.output.contains("USAGE: luggage \(command)"))
        #expect(run.output.contains("luggage \(command) "))
        // What may be left out stands in brackets; these must be given.
        let usage = run.output.split(separator: "\n").first { $0.hasPrefix("USAGE") } ?? ""
        let needed = usage.matches(of: #/ (--[a-z-]+) </#).map { String($0.1) }
        #expect(needed == Self.neededOptions[command, default: []], "\(usage)")
    }
}

@Suite("The record is kept")
struct StorePlaceTests {
    /// Variables, with `@` for the workplace, and where the record must be.
    static let places: [(variables: [String: String], place: String)] = [
        (["LUGGAGE_STORE": "@/own.sqlite", "STATE_DIRECTORY": "@/state"], "own.sqlite"),
        (["STATE_DIRECTORY": "@/state:@/other", "XDG_DATA_HOME": "@/xdg"], "state/luggage.sqlite"),
        (["XDG_DATA_HOME": "@/xdg", "HOME": "@"], "xdg/luggage/luggage.sqlite"),
        (["XDG_DATA_HOME": "relative", "HOME": "@"], ".local/share/luggage/luggage.sqlite"),
        (["LUGGAGE_STORE": "", "HOME": "@"], ".local/share/luggage/luggage.sqlite"),
    ]

    @Test("where the environment says", arguments: places)
    func place(variables: [String: String], place: String) async throws {
        let workplace = try Workplace()
        let environment = variables.mapValues {
            $0.replacing("@", with: workplace.folder.path)
        }
        let tag = Workplace.sample("tag-f432-dzmu.png")
        let scan = try await workplace.luggage(
            ["scan", "--at", "origin", tag],
            environment: environment
        )
        #expect(scan.status == 0)
        #expect(FileManager.default.fileExists(atPath: workplace.path(place)))
        let list = try await workplace.luggage(["list"], environment: environment)
        #expect(list.output.contains("1 bag"))
    }
}
