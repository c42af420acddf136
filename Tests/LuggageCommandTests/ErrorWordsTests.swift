import Foundation
import Testing

@Suite("What the programs say of errors")
struct ErrorWordsTests {
    /// A wrong call of one of the programs.
    struct Call: CustomTestStringConvertible {
        var program = "luggage"
        var arguments: [String]
        var status: Int32
        /// The first line that is said, behind the program's name.
        var sentence: String

        var testDescription: String { "\(program) \(arguments)" }

        func run() async throws -> Workplace.Run {
            let place = try Workplace()
            let executable = program == "luggage" ? Workplace.executable : Workplace.tagExecutable
            try place.add("notes.txt", [])
            return try await place.run(
                executable,
                arguments,
                ["LUGGAGE_STORE": place.store, "HOME": place.path(""), "TZ": "UTC"]
                    .merging(place.noSettings) { $1 }
            )
        }
    }

    /// The commands, as they are named where there is no such one.
    private static let commands =
        "commands are scan, watch, listen, status, retry, read, expect, list, show, history, summary, "
    private static let tagCommands = "commands are print, new"

    static let calls = [
        // Commands that there are not.
        Call(
            arguments: ["scna", "--at", "origin"],
            status: 64,
            sentence: "there is no command 'scna'; did you mean scan? The \(commands)"
        ),
        Call(
            arguments: ["lst"],
            status: 64,
            sentence: "there is no command 'lst'; did you mean list?"
        ),
        Call(
            arguments: ["xyzzy", "a", "b"],
            status: 64,
            sentence: "there is no command 'xyzzy'; the \(commands)"
        ),
        Call(
            arguments: ["help", "nosuch"],
            status: 64,
            sentence: "there is no command 'nosuch'; the \(commands)"
        ),
        Call(
            arguments: ["help", "hsitory"],
            status: 64,
            sentence: "there is no command 'hsitory'; did you mean history? The \(commands)"
        ),
        Call(
            arguments: ["help", "list", "nosuch"],
            status: 64,
            sentence: "list has no command 'nosuch'"
        ),
        Call(
            program: "luggage-tag",
            arguments: ["prnt"],
            status: 64,
            sentence: "there is no command 'prnt'; did you mean print? The \(tagCommands)"
        ),
        Call(
            program: "luggage-tag",
            arguments: ["help", "nosuch"],
            status: 64,
            sentence: "there is no command 'nosuch'; the \(tagCommands)"
        ),
        Call(
            arguments: ["lis\u{1B}[2J\n"],
            status: 64,
            sentence: "there is no command 'lis\\u{1b}[2J\\n'; the \(commands)"
        ),
        // Options.
        Call(
            arguments: ["list", "--misssing"],
            status: 64,
            sentence: "there is no option --misssing; did you mean --missing?"
        ),
        Call(
            arguments: ["list", "--zzzzzzz"],
            status: 64,
            sentence: "there is no option --zzzzzzz"
        ),
        Call(
            arguments: ["scan", "--att", "origin", "tag.png"],
            status: 64,
            sentence: "there is no option --att; did you mean --at?"
        ),
        Call(
            program: "luggage-tag",
            arguments: ["print", "--owner", "D/ZMU", "--out=tag.png", "--fromm=JFK"],
            status: 64,
            sentence: "there is no option --fromm; did you mean --from?"
        ),
        Call(
            arguments: ["edit", "F4", "--weight", "5lb"],
            status: 64,
            sentence: "--reason <text> is missing"
        ),
        Call(
            arguments: ["edit", "F4", "--weight", "5lb", "--reson", "weighed"],
            status: 64,
            sentence: "there is no option --reson; did you mean --reason?"
        ),
        Call(arguments: ["read"], status: 64, sentence: "<images> is missing"),
        Call(
            arguments: ["list", "--limit"],
            status: 64,
            sentence: "--limit needs a value: --limit <number>"
        ),
        Call(
            arguments: ["list", "--limit", "x"],
            status: 64,
            sentence: "--limit: 'x' is not a valid number"
        ),
        Call(
            arguments: ["list", "--limit", "99999999999999999999"],
            status: 64,
            sentence: "--limit: '99999999999999999999' is too large a number"
        ),
        Call(
            arguments: ["export", "--file-version", "3"],
            status: 64,
            sentence: "--file-version: expected 1 or 2"
        ),
        Call(
            arguments: ["list", "--limit", ""],
            status: 64,
            sentence: "--limit: '' is not a valid number"
        ),
        Call(
            arguments: ["undo", "x"],
            status: 64,
            sentence: "<number>: 'x' is not a valid number"
        ),
        Call(
            arguments: ["undo", "99999999999999999999"],
            status: 64,
            sentence: "<number>: '99999999999999999999' is too large a number"
        ),
        Call(
            arguments: ["show", "-AFF89F6C493E"],
            status: 64,
            sentence: "'-AFF89F6C493E' begins with a hyphen, as options do; leave the hyphen out"
        ),
        Call(
            arguments: ["scan", "--at", "origin", "--station", " ", "tag.png"],
            status: 64,
            sentence: "a station's name has 1 to 64 characters, not blanks alone"
        ),
        Call(
            arguments: ["scan", "--at", "origin", ""],
            status: 66,
            sentence: "an argument is empty, and names no picture"
        ),
        Call(
            arguments: ["read", "", "notes.txt"],
            status: 66,
            sentence: "an argument is empty, and names no picture"
        ),
        Call(
            arguments: ["list", "--overdue", "soon"],
            status: 64,
            sentence: "--overdue: 'soon' is not a length of time; write 90m, 6h or 2d"
        ),
        Call(
            arguments: ["scan", "--format", "a\nb", "--at", "origin", "tag.png"],
            status: 64,
            sentence: "--format: 'a\\nb' is none of 'table', 'json'"
        ),
        Call(
            program: "luggage-tag",
            arguments: ["new", "--count", "x"],
            status: 64,
            sentence: "--count: 'x' is not a valid number"
        ),
        Call(
            arguments: ["--generate-completion-script", "tcsh"],
            status: 64,
            sentence: "there are completions for the shells zsh, bash, fish; name one of them"
        ),
        Call(arguments: ["show", "F4", "F5"], status: 64, sentence: "unexpected argument 'F5'"),
        // What commands find themselves.
        Call(
            arguments: ["list", "--limit", "0"],
            status: 64,
            sentence: "--limit is a number from 1"
        ),
        Call(
            arguments: ["read", "--explain", "why.png", "/proc/self/fdinfo"],
            status: 66,
            sentence: "/proc/self/fdinfo: there is no picture in this folder; nothing was read"
        ),
        // Failures of a right call.
        Call(arguments: ["list"], status: 66, sentence: "there is no record at "),
        Call(arguments: ["import", "missing"], status: 66, sentence: "missing: No such file"),
        Call(
            arguments: ["restore", "x\u{1B}\ny"],
            status: 66,
            sentence: "there is no copy at x\\u{1b}\\ny"
        ),
        Call(
            arguments: ["list", "--store", "x\u{1B}\ny"],
            status: 66,
            sentence: "there is no record at x\\u{1b}\\ny yet"
        ),
        Call(
            arguments: ["status", "--folder", "\u{1B}\n"],
            status: 66,
            sentence: "\\u{1b}\\n/origin cannot be read: No such file or directory"
        ),
        Call(
            program: "luggage-tag",
            arguments: [
                "print", "--owner", "D/ZMU", "--from", "ZRH", "--to", "JFK", "--weight", "42lb",
                "--out", "no\u{1B}\nwhere/tag.png",
            ],
            status: 73,
            sentence: "no\\u{1b}\\nwhere/tag.png cannot be written: No such file or directory"
        ),
    ]

    @Test(
        "is a sentence behind the program's name, and of wrong usage only how it is right",
        arguments: calls
    )
    func voice(call: Call) async throws {
        let run = try await call.run()
        #expect(run.status == call.status && run.output == "", "\(run)")
        let lines = run.errors.split(separator: "\n")
        try #require(!lines.isEmpty)
        #expect(lines[0].hasPrefix("\(call.program): \(call.sentence)"), "\(run.errors)")
        #expect(
            lines.count { $0.hasPrefix("Usage: \(call.program) ") } == (run.status == 64 ? 1 : 0)
        )
        if run.status == 64 {
            #expect(lines.last?.wholeMatch(of: #/  See '.* --help' for more information\./#) != nil)
        } else {
            #expect(lines.count == 1, "\(run.errors)")
        }
        let hidden = run.errors.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
        #expect(hidden.isEmpty)
    }

    @Test("is said of each mistake of a configuration")
    func mistakes() async throws {
        let place = try Workplace()
        let file = try place.add("wrong.yaml", Array("nosuch: 1\nreaders: many\n".utf8))
        // Others do without most of the settings.
        for (command, least) in ["watch": 3, "status": 1, "retry": 1] {
            let run = try await place.luggage(command, "--configuration", file)
            #expect(run.status == 78)
            let lines = run.errors.split(separator: "\n")
            #expect(
                lines.count >= least && lines.allSatisfy { $0.hasPrefix("luggage: ") },
                "\(run.errors)"
            )
        }
    }

    /// Where the record would be, and what the system says of that.
    static let unusable = [
        ("/proc/nosuch", "No such file or directory"), ("@/notes.txt/x", "Not a directory"),
        ("@/notes.txt", "Not a directory"),
    ]

    @Test(
        "has the system's words and no others for why a folder cannot be made",
        arguments: unusable
    )
    func folder(parent: String, words: String) async throws {
        let place = try Workplace()
        try place.add("notes.txt", [])
        let parent = parent.replacing("@/", with: place.path(""))
        let run = try await place.luggage(
            ["scan", "--at", "origin", Workplace.sample("tag-f432-dzmu.png")],
            environment: ["XDG_DATA_HOME": parent]
        )
        #expect(run.status == 73)
        let start =
            "luggage: the folder \(parent)/luggage cannot be made: \(words); name a file elsewhere"
        #expect(run.errors.hasPrefix(start), "\(run.errors)")
    }

    @Test("says how to mend a reader that nobody may execute")
    func reader() async throws {
        let place = try Workplace()
        try place.add("luggage-reader", [])
        let run = try await place.shell(
            """
            ln '\(Workplace.executable)' luggage || cp '\(Workplace.executable)' luggage
            ./luggage read '\(Workplace.sample("tag-f432-dzmu.png"))'
            """
        )
        #expect(run.status != 0 && run.output == "")
        #expect(run.errors.contains("luggage: you may not execute /"), "\(run.errors)")
        #expect(run.errors.contains("/luggage-reader; run 'chmod +x /"), "\(run.errors)")
    }

    @Test("is never what Foundation calls an error")
    func foundation() throws {
        let sources = Workplace.samples.appending(path: "../Sources").standardizedFileURL
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        ).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 300)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("localizedDescription"), "\(file.lastPathComponent)")
        }
    }
}
