import Foundation
import Testing

@Suite("luggage export and import")
struct ExchangeCommandTests {
    private let samples = Workplace.samples.path(percentEncoded: false)

    /// A workplace with the sample pictures on record.
    private func workplace() async throws -> Workplace {
        let place = try Workplace()
        let time = "2026-07-01T08:00:00Z"
        _ = try await place.luggage("scan", "--at", "origin", "--timestamp", time, samples)
        return place
    }

    @Test(
        "carry the record to another station in every format",
        arguments: ["all.json", "all.jsonl", "all.plist", "all.msgpack"]
    )
    func carry(name: String) async throws {
        let (here, there) = (try await workplace(), try Workplace())
        let export = try await here.luggage("export", "--output", name, "--report", "json")
        #expect(export.status == 0)
        #expect(export.output.contains("\"bags\" : 8"))
        let run = try await there.luggage("import", here.path(name))
        #expect(run.status == 0)
        #expect(
            run.output == """
                       NEW  UPDATED  CHANGED  REPEATED  REFUSED
                bags     8        0        0         0        0
                scans   11        0        0         0        0

                """
        )
        #expect(
            try await there.luggage("export").output == here.luggage("export").output
        )
    }

    @Test("join through a pipe, and carry a selection")
    func pipe() async throws {
        let (here, there) = (try await workplace(), try Workplace())
        let command =
            "'\(Workplace.executable)' export --format messagepack --identifier F432 9c41 "
            + "| '\(Workplace.executable)' import --store '\(there.store)' --report json -"
        let run = try await here.shell(command)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"format\" : \"messagepack\""))
        #expect(try await there.luggage("list", "--format", "json").array().count == 2)
    }

    @Test("write messages for an airline about bags that hand scanners know by their plates")
    func messages() async throws {
        let place = try Workplace()
        func scan(_ payloads: String, _ options: String) async throws -> Int32 {
            let command =
                "printf '\(payloads)' | '\(Workplace.executable)' scan --store '\(place.store)' "
                + "\(options) --payload -"
            return try await place.shell(command).status
        }
        let load = "--at load --station 'MUC-2' --timestamp 2026-07-01T08:00:01Z"
        #expect(try await scan(#"0117814872\n0000000000\n"#, load) == 1)
        #expect(try await scan(#"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E"}\n"#, load) == 0)
        let end = "--at destination --station LHR-3 --timestamp 2026-07-01T10:00:00Z"
        #expect(try await scan(#"0117814872\n"#, end) == 0)

        let listed = try await place.luggage("list", "--columns", "plate,weight", "--format", "csv")
        #expect(
            Set(listed.output.split(separator: "\r\n")) == ["plate,weight_lb", "0117814872,", ","]
        )
        let shown = try await place.luggage("show", "0117814872", "--format", "json")
        #expect(shown.status == 0 && !shown.output.contains("weight"))

        let words = ["export", "--format", "bpm", "--airport", "MUC"]
        let all = try await place.luggage(words)
        #expect(all.status == 0)
        let lines = [
            "BPM", ".V/1LMUC", ".J/R//MUC2/01JUL/080001Z/LOAD", ".N/0117814872001", "ENDBPM", "BPM",
            ".V/1LMUC", ".J/R//LHR3/01JUL/100000Z/DESTINAT", ".N/0117814872001", "ENDBPM", "",
        ]
        #expect(all.output == lines.joined(separator: "\r\n"))
        let some = try await place.luggage(
            words + ["--point", "load", "--output", "load.bpm", "--report", "json"]
        )
        #expect(some.status == 0 && some.output.contains("\"scans\" : 1"))
        let none = try await place.luggage(words + ["--point", "transfer"])
        #expect(none.status == 1 && none.errors.contains("licence plate"))
        for wrong in [
            ["export", "--format", "bpm"], ["export", "--airport", "MUC"],
            ["export", "--format", "bpm", "--airport", "Munich"], words + ["--records", "scans"],
            words + ["--identifier", "0117"], words + ["--file-version", "1"],
        ] {
            #expect(try await place.luggage(wrong).status == 64, "\(wrong)")
        }
    }

    @Test("leave a file alone that is there, unless it is to be replaced")
    func existing() async throws {
        let place = try await workplace()
        let path = try place.add("bags.csv", Array("mine".utf8))
        let words = ["export", "--records", "bags", "--output", "bags.csv"]
        let refused = try await place.luggage(words)
        #expect(refused.status == 73)
        #expect(refused.errors.contains("--force"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        #expect(try await place.luggage(words + ["--force"]).status == 0)
        #expect(try Data(contentsOf: URL(filePath: path)).starts(with: Data("id,givenName".utf8)))
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path(""))
        #expect(names.filter { $0.hasPrefix(".") }.isEmpty)
    }

    /// Where an export cannot be written, with the status and words of each.
    static let places = [
        (command: "export --output /dev/full", status: Int32(73), words: "not a regular file"),
        (command: "export --output /dev/null --force", status: 73, words: "not a regular file"),
        (command: "export --output /dev/null/ --force", status: 73, words: "name a file"),
        (command: "export --output missing/a.json", status: 73, words: "No such file"),
        (command: "export --output /proc/a.json", status: 73, words: "cannot be written"),
        (command: "export >/dev/full", status: 74, words: "No space left on device"),
        (command: "export >&-", status: 74, words: "Bad file descriptor"),
        (
            command: "export --station nowhere --output nothing.json", status: 1,
            words: "nothing was scanned at nowhere; there are scans of origin"
        ),
        (
            command: "export --identifier 00 --output nothing.json", status: 1,
            words: "nothing on record fits these options"
        ),
    ]

    @Test(
        "write nothing where nothing is selected, and say what there is",
        arguments: [
            "--station nope": "nothing was scanned at nope; there are scans of origin",
            "--station ORIGIN": "did you mean origin?",
            "--identifier 00": "nothing on record fits these options",
            "--identifier 00 --format csv --records bags": "nothing on record fits these options",
            "--point destination": "nothing on record fits these options",
        ]
    )
    func nothing(selection: String, words: String) async throws {
        let place = try await workplace()
        let run = try await place.shell("'\(Workplace.executable)' export \(selection)")
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test("call JSON lines by the name that lists have for it, and know both")
    func jsonLines() async throws {
        let place = try await workplace()
        let lines = try await place.luggage("export", "--format", "jsonl")
        #expect(lines.status == 0 && lines.output.hasPrefix("{"), "\(lines.errors)")
        #expect(try await place.luggage("export", "--format", "json-lines").output == lines.output)
        try place.add("lines", Array(lines.output.utf8))
        for name in ["jsonl", "json-lines"] {
            let run = try await place.luggage("import", "--format", name, "lines")
            #expect(run.status == 0, "\(run.errors)")
            let list = try await place.luggage("list", "--format", name)
            #expect(try list.objects().count == 8)
        }
        for command in ["export", "import", "list", "history", "show"] {
            let help = try await place.luggage(command, "--help").output
            #expect(help.contains("|jsonl|") && !help.contains("json-lines"), "\(help)")
        }
        let slip = try await place.luggage("export", "--format", "lines").errors
        #expect(slip.contains("'json', 'jsonl', 'csv'"), "\(slip)")
    }

    @Test(
        "name a pipe that has no path as no file",
        arguments: ["export --output /dev/stdout", "backup --force /dev/stdout"]
    )
    func pipe(command: String) async throws {
        let place = try await workplace()
        let run = try await place.shell(
            "('\(Workplace.executable)' \(command); echo $?) 2>&1 | cat"
        )
        #expect(run.output.contains("/dev/stdout is not a regular file"), "\(run.output)")
        #expect(run.output.hasSuffix("\n73\n"))
    }

    @Test("say where a file cannot be written, and leave none", arguments: places)
    func unwritable(command: String, status: Int32, words: String) async throws {
        let place = try await workplace()
        let run = try await place.shell("'\(Workplace.executable)' \(command)")
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path(""))
        #expect(
            Set(names).isSubset(of: ["luggage.sqlite", "luggage.sqlite-wal", "luggage.sqlite-shm"])
        )
    }

    /// Names of the record and of what is kept beside it, as seen from its folder.
    static let ownNames = [
        "luggage.sqlite", "./luggage.sqlite", "luggage.sqlite-wal", "luggage.sqlite-shm",
        "luggage.sqlite-journal", "luggage.sqlite-hub", "luggage.sqlite-hub-lock", "hard", "soft",
        "folder/luggage.sqlite", "folder/luggage.sqlite-wal",
    ]

    @Test("never replace the record", arguments: ownNames)
    func ownRecord(name: String) async throws {
        let place = try await workplace()
        #expect(
            try await place.shell(
                "ln luggage.sqlite hard && ln -s luggage.sqlite soft && ln -s . folder"
            ).status == 0
        )
        let before = try await place.luggage("export").output
        for store in ["luggage.sqlite", "soft"] {
            let run = try await place.luggage(
                "export",
                "--store",
                store,
                "--format",
                "json",
                "-o",
                name,
                "--force"
            )
            #expect(run.status == 73)
            #expect(run.errors.contains("choose another name"), "\(run.errors)")
        }
        let sample = Workplace.sample("tag-f432-dzmu.png")
        let drawing = try await place.luggage("read", "--explain", name, "--force", sample)
        #expect(drawing.status == 73)
        #expect(
            drawing.errors.contains("of the record") || drawing.errors.contains("the record itself")
        )
        #expect(try await place.luggage("export").output == before)
    }

    @Test("never replace a record that somebody has open, whichever it is", arguments: [0, 100])
    func othersRecord(bytesInLog: Int) async throws {
        let place = try await workplace()
        let other = try await workplace()
        let log = other.store + "-wal"
        try Data(repeating: 1, count: bytesInLog).write(to: URL(filePath: log))
        let before = try Data(contentsOf: URL(filePath: other.store))
        let run = try await place.luggage("export", "--force", "--output", other.store)
        #expect(run.status == 73)
        #expect(run.errors.contains("is a database in use, since \(log) is beside it"))
        #expect(try Data(contentsOf: URL(filePath: other.store)) == before)
    }

    /// What would be done with the file behind a link, with the status.
    static let behindLink: [(command: String, status: Int32)] = [
        ("export --force --output link", 73), ("backup --force link", 73),
        ("backup --store link copy", 73), ("list --store link", 73),
        ("scan --at origin --store link tag.png", 73),
    ]

    @Test("write to nothing that a link cannot be followed to", arguments: behindLink)
    func unfollowed(command: String, status: Int32) async throws {
        let place = try await workplace()
        let setUp = """
            echo precious > "$(printf 'caf\\351')"; ln -s "$(printf 'caf\\351')" link
            cp '\(Workplace.sample("tag-f432-dzmu.png"))' tag.png
            """
        #expect(try await place.shell(setUp).status == 0)
        let before = try await place.shell("ls -1b").output
        let run = try await place.shell("'\(Workplace.executable)' \(command)")
        #expect(run.status == status)
        #expect(run.errors.contains("is a link that cannot be followed"), "\(run.errors)")
        #expect(try await place.shell("ls -1b").output == before)
        #expect(try await place.shell("cat link").output == "precious\n")
    }

    @Test("leave a file alone that somebody else has written meanwhile")
    func overtaken() async throws {
        let place = try await Workplace.crowded(20_000)
        // The other file comes as soon as the export is there under its other name.
        let run = try await place.shell(
            """
            '\(Workplace.executable)' export --output all.plist & export=$!
            until [ -n "$(find . -name '.all.plist.*')" ]; do :; done
            echo mine > all.plist
            wait $export
            echo status $?
            """
        )
        #expect(run.output == "status 73\n")
        #expect(run.errors.contains("is there already"))
        #expect(try String(contentsOfFile: place.path("all.plist"), encoding: .utf8) == "mine\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path(""))
        #expect(names.filter { $0.hasPrefix(".") }.isEmpty)
    }

    @Test("say that a file has grown beyond the limit of the shell, and leave none")
    func sizeLimit() async throws {
        let place = try await Workplace.crowded(3000)
        // 64 KiB, which is enough for what SQLite keeps beside the record.
        let run = try await place.shell(
            "ulimit -f 128; '\(Workplace.executable)' export --output all.plist"
        )
        #expect(run.status == 74)
        #expect(run.errors.contains("File too large"), "\(run.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path(""))
        #expect(names.filter { $0.contains("plist") }.isEmpty)
    }

    /// What is no file to import, with the status and words of each.
    static let sources = [
        (file: "/tmp", status: Int32(66), words: "/tmp: Is a directory"),
        (file: "''", status: 64, words: "name the file to import"),
        (file: "missing.json", status: 66, words: "missing.json: No such file"),
        (file: "/proc/self/mem", status: 74, words: "/proc/self/mem cannot be read: "),
        (file: "/dev/null", status: 1, words: "there is nothing in the file"),
        (file: Workplace.sample("tag-f432-dzmu.png"), status: 1, words: "the file is a picture"),
    ]

    @Test("say why there is nothing to import, and make no record for it", arguments: sources)
    func source(file: String, status: Int32, words: String) async throws {
        let place = try Workplace()
        let run = try await place.shell("'\(Workplace.executable)' import \(file)")
        #expect(run.status == status)
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("")).isEmpty)
    }

    @Test(
        "say that a file has no records",
        arguments: [
            "[]", #"{"bags":[]}"#, "id,weight\n",
            "<plist><dict><key>bags</key><array/></dict></plist>",
        ]
    )
    func noRecords(text: String) async throws {
        let place = try Workplace()
        try place.add("none", Array(text.utf8))
        let run = try await place.luggage("import", "none")
        #expect(run.status == 0)
        #expect(run.output == "there are no records in none\n")
        try place.add("one", Array(#"{"id":"\#(UUID().uuidString)","weight":1}"#.utf8))
        #expect(try await !place.luggage("import", "one").output.contains("no records"))
    }

    @Test("say that a pipe was closed before everything was written")
    func closedPipe() async throws {
        let place = try await Workplace.crowded(3000)
        let command =
            "{ '\(Workplace.executable)' export; echo status $? >&2; } | head -c 10"
        let run = try await place.shell(command)
        #expect(run.errors.contains("status 74"))
        #expect(run.errors.contains("closed before everything was written"))
    }

    @Test("take the side that the policy says")
    func policy() async throws {
        let place = try Workplace()
        func bag(_ weight: Int) -> [UInt8] {
            Array(#"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":\#(weight)}"#.utf8)
        }
        try place.add("first.json", bag(42))
        try place.add("second.json", bag(43))
        _ = try await place.luggage("import", "first.json")
        let kept = try await place.luggage("import", "--merge-policy", "store-trump", "second.json")
        #expect(kept.status == 0)
        #expect(try await place.luggage("list").output.contains("42.0 lb"))
        let error = try await place.luggage("import", "--merge-policy", "error", "second.json")
        #expect(error.status == 1)
        #expect(error.errors.contains("--merge-policy"))
        _ = try await place.luggage("import", "second.json")
        #expect(try await place.luggage("list").output.contains("43.0 lb"))
    }

    @Test("show their progress on a terminal")
    func terminal() async throws {
        let place = try Workplace()
        let lines = (0..<3000).map { number in
            #"{"id":"00000000-0000-4000-8000-\#(100_000_000_000 + number)","weight":1}"#
        }
        try place.add("bags.jsonl", Array(lines.joined(separator: "\n").utf8))
        for (command, words) in [
            ("import bags.jsonl", "KiB"), ("export --output all.json", "] 1024 of "),
        ] {
            let run = try await place.shell(
                "script -qec '\(Workplace.executable) \(command)' /dev/null"
            )
            #expect(run.status == 0)
            #expect(run.output.contains(words), "\(run.output)")
        }
        let quiet = try await place.luggage("export", "--output", "again.json")
        #expect(quiet.errors == "" && quiet.output == "")
    }
}
