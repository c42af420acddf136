import Foundation
import Testing

@Suite("Every command takes its settings as the service does:")
struct SettingsTests {
    private static let tag = Workplace.sample("tag-f432-dzmu.png")
    private static let other = Workplace.sample("tag-9c41-dzmu.png")

    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    /// Runs the program with a configuration file of the workplace, and no other setting.
    private func luggage(
        _ arguments: String...,
        environment: [String: String] = [:],
        file: String = "luggage.yaml"
    ) async throws -> Workplace.Run {
        let base = ["LUGGAGE_CONFIGURATION": place.path(file), "TZ": "UTC"]
        return try await place.luggage(
            arguments,
            environment: base.merging(environment) { $1 }
        )
    }

    private func configure(_ text: String) throws {
        try place.add("luggage.yaml", Array(text.replacing("@", with: place.path("")).utf8))
    }

    @Test("record, station and point are those of the file, and each command asks that record")
    func file() async throws {
        try configure("store: @station.sqlite\nstation: gate-4\nat: destination\n")
        let scan = try await luggage("scan", "--format", "json", Self.tag)
        #expect(scan.status == 0, "\(scan.errors)")
        let report = try #require(try scan.objects().first)
        #expect(report["station"] as? String == "gate-4")
        #expect(report["point"] as? String == "destination")
        #expect(FileManager.default.fileExists(atPath: place.path("station.sqlite")))
        for (arguments, words) in [
            (["list"], "1 bag"), (["show", "F432"], "gate-4"), (["history"], "1 scan"),
            (["summary"], "gate-4"), (["passengers"], "D/ZMU"), (["export"], "F432BDB8"),
            (["check"], "well"), (["undo", "--list"], "F432BDB8"),
            (["edit", "F432", "--weight", "50lb", "--reason", "x"], "50.0 lb"),
            (["file", "F432", "--reason", "x"], "at destination"), (["undo"], "took back"),
            (["redo"], "brought back"), (["backup", "copy.sqlite"], "station.sqlite"),
            (["restore", "copy.sqlite"], "station.sqlite"),
            (["purge", "--names", "--older-than", "1d", "--yes"], "nothing is on record"),
        ] {
            let run = try await place.luggage(
                arguments,
                environment: ["LUGGAGE_CONFIGURATION": place.path("luggage.yaml"), "TZ": "UTC"]
            )
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            #expect(run.output.contains(words), "\(arguments): \(run.output)")
            #expect(run.errors == "", "\(arguments)")
        }
    }

    @Test("the environment counts more than the file, and the command line more than both")
    func order() async throws {
        try configure("store: @file.sqlite\nstation: file\nat: origin\n")
        let variables = [
            "LUGGAGE_STORE": place.path("variable.sqlite"), "LUGGAGE_STATION": "variable",
            "LUGGAGE_AT": "destination",
        ]
        var run = try await luggage("scan", "--format", "json", Self.tag, environment: variables)
        var report = try #require(try run.objects().first)
        #expect(report["station"] as? String == "variable")
        #expect(report["point"] as? String == "destination")
        #expect(FileManager.default.fileExists(atPath: place.path("variable.sqlite")))
        run = try await luggage(
            "scan",
            "--format",
            "json",
            "--at",
            "origin",
            "--station",
            "option",
            "--store",
            "option.sqlite",
            Self.tag,
            environment: variables
        )
        report = try #require(try run.objects().first)
        #expect(report["station"] as? String == "option")
        #expect(report["point"] as? String == "origin")
        #expect(FileManager.default.fileExists(atPath: place.path("option.sqlite")))
        #expect(!FileManager.default.fileExists(atPath: place.path("file.sqlite")))
    }

    @Test("--configuration names another file than the environment", arguments: ["list", "status"])
    func option(command: String) async throws {
        try configure("store: @station.sqlite\nfolder: @inbox\n")
        _ = try await luggage("scan", "--at", "origin", Self.tag)
        _ = try await luggage("watch", "--once")
        let run = try await luggage(
            command,
            "--configuration",
            place.path("luggage.yaml"),
            environment: ["LUGGAGE_CONFIGURATION": "/nowhere.yaml"]
        )
        #expect(run.output.contains(command == "list" ? "1 bag" : "processed: 0"), "\(run.errors)")
    }

    @Test("a relative path in the file begins at its folder, wherever the command is run")
    func relativePaths() async throws {
        #expect(try await place.shell("mkdir -p conf elsewhere").status == 0)
        try place.add(
            "conf/luggage.yaml",
            Array("store: station.sqlite\nfolder: inbox\nmetrics: luggage.prom\n".utf8)
        )
        let program = Workplace.executable
        for line in [
            "cd elsewhere && '\(program)' watch --once --configuration ../conf/luggage.yaml",
            "'\(program)' scan --configuration conf/luggage.yaml --at origin '\(Self.tag)'",
            "cd / && '\(program)' list --configuration '\(place.path("conf/luggage.yaml"))'",
            "cd conf && '\(program)' show F432 --configuration luggage.yaml",
            "cd / && export LUGGAGE_CONFIGURATION='\(place.path("conf/luggage.yaml"))'; "
                + "'\(program)' check && '\(program)' watch --check",
            "cd elsewhere && LUGGAGE_CONFIGURATION=../conf/luggage.yaml '\(program)' list --store "
                + "../conf/station.sqlite",
        ] {
            let run = try await place.shell("unset LUGGAGE_STORE; \(line)")
            #expect(run.status == 0, "\(line): \(run.errors)")
            #expect(!run.errors.contains("this is the record"), "\(line): \(run.errors)")
        }
        let made = try FileManager.default.contentsOfDirectory(atPath: place.path("conf"))
        #expect(
            made.filter { !$0.contains("-known") }.sorted()
                == ["inbox", "luggage.prom", "luggage.yaml", "station.sqlite"]
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("elsewhere")) == [])
    }

    @Test("who asks another record than the service's is told so in one sentence")
    func another() async throws {
        try configure("store: @station.sqlite\n")
        try place.add("own.yaml", Array("store: \(place.path("own.sqlite"))\n".utf8))
        _ = try await luggage("scan", "--at", "origin", Self.tag)
        let home = ["HOME": place.path("")]
        _ = try await luggage("scan", "--at", "origin", Self.other, environment: home, file: "none")
        let usual = place.path(".local/share/luggage/luggage.sqlite")
        for (arguments, environment, asked) in [
            (["list"], home, nil), (["list", "--store", "station.sqlite"], [:], nil),
            (["list", "--store", "own.sqlite"], [:], "own.sqlite"),
            (["list"], ["LUGGAGE_STORE": usual], usual),
            (["export", "--store", usual], [:], usual), (["check", "--store", usual], [:], usual),
            (["scan", "--at", "origin", "--store", "own.sqlite", Self.other], [:], "own.sqlite"),
            (["list", "--configuration", "own.yaml"], [:], place.path("own.sqlite")),
            (
                ["list", "--configuration", "own.yaml", "--store", "own.sqlite"], [:], "own.sqlite"
            ),
            (["list", "--configuration", "own.yaml", "--store", "station.sqlite"], [:], nil),
        ] as [([String], [String: String], String?)] {
            let base = ["LUGGAGE_CONFIGURATION": place.path("luggage.yaml")]
            let run = try await place.luggage(
                arguments,
                environment: base.merging(environment) { $1 }
            )
            let said = run.errors.split(separator: "\n").filter {
                $0.contains("this is the record")
            }
            let expected = asked.map {
                "luggage: this is the record \($0), not the one of the service here, "
                    + place.path("station.sqlite")
            }
            #expect(said.map(String.init) == [expected].compactMap(\.self), "\(arguments)")
        }
    }

    @Test(
        "who has another file name another record than this machine's is told so",
        .enabled(if: geteuid() == 0, "these tests mount a folder; run them as root")
    )
    func otherFile() async throws {
        #expect(try await place.shell("mkdir -p machine/luggage").status == 0)
        let machine = Array("store: \(place.path("station.sqlite"))\n".utf8)
        try place.add("machine/luggage/luggage.yaml", machine)
        for (name, tag) in [("station", Self.tag), ("own", Self.other)] {
            try place.add("\(name).yaml", Array("store: \(name).sqlite\n".utf8))
            _ = try await luggage("scan", "--at", "origin", tag, file: "\(name).yaml")
        }
        try place.add("none.yaml", [])
        let told =
            "luggage: this is the record \(place.path("own.sqlite")), not the one of the service here, "
            + place.path("station.sqlite") + "\n"
        for (variables, line, words) in [
            ("", "list", ""), ("", "list --configuration '\(place.path("own.yaml"))'", told),
            ("LUGGAGE_CONFIGURATION='\(place.path("own.yaml"))'", "list", told),
            (
                "LUGGAGE_CONFIGURATION='\(place.path("own.yaml"))'",
                "list --store '\(place.path("station.sqlite"))'", ""
            ),
            ("LUGGAGE_CONFIGURATION='\(place.path("station.yaml"))'", "list", ""),
            (
                "LUGGAGE_CONFIGURATION='\(place.path("none.yaml"))'",
                "list --store '\(place.path("own.sqlite"))'", ""
            ),
        ] {
            let script =
                "mount --bind machine /etc && \(variables) '\(Workplace.executable)' \(line)"
            let run = try await place.run(
                "/usr/bin/unshare",
                ["--mount", "sh", "-c", script],
                ["PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": place.path("")]
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("1 bag"))
            #expect(run.errors == words, "\(variables) \(line)")
        }
    }

    @Test("an answer makes no record, wherever it would be")
    func noRecord() async throws {
        try configure("store: @none/station.sqlite\n")
        for arguments in [
            ["list"], ["show", "F4"], ["history"], ["summary"], ["passengers"], ["export"],
            ["check"],
            ["undo", "--list"], ["undo"], ["redo"], ["backup", "copy.sqlite"],
            ["edit", "F4", "--weight", "1lb", "--reason", "x"],
        ] {
            for environment in [[:], ["LUGGAGE_STORE": place.path("own.sqlite")]] {
                let base = [
                    "LUGGAGE_CONFIGURATION": place.path("luggage.yaml"), "HOME": place.path(""),
                ]
                let run = try await place.luggage(
                    arguments,
                    environment: base.merging(environment) { $1 }
                )
                #expect(run.status == 66, "\(arguments): \(run.errors)")
                #expect(run.errors.contains("no record"), "\(arguments)")
            }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: place.path(""))
        #expect(left == ["luggage.yaml"])
    }

    /// A configuration file, and what the mistake begins with that keeps its record from being known.
    static let wrongFiles: [(text: String, mistake: String)] = [
        ("store: [a]\n", ":1: store: expected one value, found a list"),
        ("stroe: /a\n", ":1: stroe: there is no such setting; did you mean store?"),
        ("at: origin\n store: /a\n", ":2: at: expected one value on the line of its key"),
        ("store: /a\nstore: /b\n", ":2: store: is set already on line 1"),
        ("store:/a\n", ":1: expected a key, a colon, a space and a value"),
        ("store: ~/a\n", ":1: store: expected a path"),
        ("\u{FF}", ": is not text in UTF-8"),
    ]

    @Test("a wrong file is told of where it is needed, and nowhere else", arguments: wrongFiles)
    func wrongFile(text: String, mistake: String) async throws {
        _ = try await place.luggage("scan", "--at", "origin", Self.tag)
        try place.add("luggage.yaml", text == "\u{FF}" ? [0xFF] : Array(text.utf8))
        // A list that goes on below its key is a mistake of that key alone.
        let isOfOther = mistake.contains(": at: ")
        let run = try await luggage("list", environment: ["HOME": place.path("")])
        if !isOfOther {
            #expect(run.status == 78)
            #expect(
                run.errors.hasPrefix("luggage: \(place.path("luggage.yaml"))\(mistake)"),
                "\(run.errors)"
            )
        }
        let scan = try await luggage(
            "scan",
            Self.tag,
            environment: ["LUGGAGE_STORE": place.store]
        )
        #expect(scan.status == (isOfOther || text == "\u{FF}" || text == "store:/a\n" ? 78 : 64))
        for (arguments, environment) in [
            (["list", "--store", place.store], [:]), (["list"], ["LUGGAGE_STORE": place.store]),
            (
                [
                    "scan", "--at", "origin", "--station", "x", "--place", "ZRH", "--store",
                    place.store,
                    Self.tag,
                ],
                ["LUGGAGE_EARLIEST": "2001-01-01", "LUGGAGE_HEAVIEST": "1000 lb"]
            ),
        ] as [([String], [String: String])] {
            let base = ["LUGGAGE_CONFIGURATION": place.path("luggage.yaml")]
            let run = try await place.luggage(
                arguments,
                environment: base.merging(environment) { $1 }
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("F432BDB8"))
            #expect(run.errors == "")
        }
    }

    @Test("several mistakes that keep a setting from being known are told line by line")
    func severalMistakes() async throws {
        try configure("store:/a\n # \u{202E}c\nstroe: /b\nstore: \"/c\n")
        let run = try await luggage("list")
        #expect(run.status == 78)
        let path = place.path("luggage.yaml")
        let lines = run.errors.split(separator: "\n").map { $0.replacing(path, with: "FILE") }
        let starts = [
            "luggage: FILE:1: expected a key", "FILE:2: this line has an invisible character",
            "FILE:3: stroe: there is no such", "FILE:4: store: the quotes around",
        ]
        #expect(lines.count == starts.count)
        for (line, start) in zip(lines, starts) { #expect(line.contains(start)) }
    }

    @Test("what is wrong with other settings keeps nobody from asking")
    func otherMistakes() async throws {
        try configure("grace: soon\nstore: @station.sqlite\nhook: \"a\ncolour: red\nat: origin\n")
        let scan = try await luggage("scan", Self.tag)
        #expect(scan.status == 0, "\(scan.errors)")
        #expect(try await luggage("list").output.contains("1 bag"))
    }

    @Test("a variable that is misspelled is told of where it may have been meant")
    func misspelledVariable() async throws {
        try configure("store: @station.sqlite\n")
        _ = try await luggage("scan", "--at", "origin", Self.tag)
        let run = try await luggage("list", environment: ["LUGGAGE_STROE": "/nowhere"])
        #expect(run.status == 78)
        #expect(run.errors.contains("$LUGGAGE_STROE: there is no such setting; did you mean"))
        let named = try await luggage(
            "list",
            "--store",
            "station.sqlite",
            environment: ["LUGGAGE_STROE": "/nowhere"]
        )
        #expect(named.output.contains("1 bag"))
    }

    @Test("luggage watch --check says whether the configuration is right, and makes nothing")
    func check() async throws {
        try configure("folder: @inbox\nstore: @station.sqlite\n")
        var run = try await luggage("watch", "--check")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "the configuration is right\n")
        try configure("folder: @inbox\ngrace: soon\nstroe: x\n")
        run = try await luggage("watch", "--check")
        #expect(run.status == 78)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("luggage.yaml:2: grace: expected a length of time"))
        #expect(lines[1].contains("luggage.yaml:3: stroe: there is no such setting"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path("")) == ["luggage.yaml"]
        )
        #expect(try await place.shell("mkdir -p inbox/origin").status == 0)
        try configure("folder: @inbox\nstore: @inbox/origin/luggage.sqlite\n")
        run = try await luggage("watch", "--check")
        #expect(run.status == 78)
        #expect(run.errors.contains("where people drop pictures"))
        run = try await luggage("watch", "--check", "luggage.yaml")
        #expect(run.status == 73)
        #expect(run.errors.contains("luggage.yaml is not a folder; name one"), "\(run.errors)")
    }
}
