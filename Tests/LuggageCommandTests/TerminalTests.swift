import Foundation
import GRDB
import Testing

@Suite("On a terminal", .timeLimit(.minutes(30)))
struct TerminalTests {
    private func screen(
        _ columns: UInt16,
        _ arguments: String...,
        environment: [String: String] = [:]
    ) async throws -> String {
        let place = try await QuestionCommandTests.filled()
        return try await PseudoTerminal(columns: columns).show(
            place,
            arguments,
            environment: environment
        )
    }

    private static let plain = ["NO_COLOR": "1"]

    @Test("of 80 columns a list fits, and what is too long ends with an ellipsis")
    func narrow() async throws {
        let list = try await screen(
            80,
            "list",
            "--columns",
            "id,owner,weight,departed,arrived",
            environment: Self.plain
        )
        #expect(
            list == """
                ID                  OWNER     WEIGHT  DEPARTED              ARRIVED
                F4000000-0000-400…  D/ZMU    42.0 lb  2026-11-20 08:00 UTC  2026-11-20 11:30 UTC
                F4000000-0000-400…  李/小龙  27.5 lb  2026-11-20 08:05 UTC  -
                F4100000-0000-400…  É/MÜL    50.0 lb  2026-11-21 09:00 UTC  -
                9C417E05-0000-400…  👩‍👩‍👧/🇩🇪Å   50.7 lb  -                     -

                4 bags

                """
        )
    }

    @Test("a weight that no bag has does not take the room of everything else")
    func heavy() async throws {
        let place = try await QuestionCommandTests.filled()
        let bag = #"{"id":"AAAAAAAA-0000-4000-8000-000000000001","weight":1}"#
        let file = try place.add("heavy.jsonl", Array(bag.utf8))
        #expect(try await place.luggage("import", file).status == 0)
        // Nobody can file it any more; a record from before may have it.
        let queue = try DatabaseQueue(path: place.store)
        try await queue.write { database in
            try database.execute(
                sql: "UPDATE Luggage SET weight = 3.4e38 WHERE identifier LIKE 'AAAAAAAA%'"
            )
            #expect(database.changesCount == 1)
        }
        try queue.close()
        let list = try await PseudoTerminal(columns: 116).show(
            place,
            ["list"],
            environment: Self.plain
        )
        #expect(list.contains("ARRIVED") && list.contains("33999999"), "\(list)")
        #expect(list.contains("…  -  "), "\(list)")
        #expect(list.contains("2026-11-20 11:30 UTC"), "\(list)")
    }

    @Test("of 160 columns nothing is cut")
    func wide() async throws {
        let list = try await screen(160, "list", environment: Self.plain)
        #expect(
            list == """
                BAG                                   OWNER     WEIGHT  DEPARTED              ARRIVED
                F4000000-0000-4000-8000-00000000000A  D/ZMU    42.0 lb  2026-11-20 08:00 UTC  2026-11-20 11:30 UTC
                F4000000-0000-4000-8000-00000000000B  李/小龙  27.5 lb  2026-11-20 08:05 UTC  -
                F4100000                              É/MÜL    50.0 lb  2026-11-21 09:00 UTC  -
                9C417E05                              👩‍👩‍👧/🇩🇪Å   50.7 lb  -                     -

                4 bags

                """
        )
    }

    @Test("of a history, the names of pictures give way first, and keep their ends")
    func pictures() async throws {
        let place = try await QuestionCommandTests.filled()
        let scan =
            #"{"record":"scan","point":"destination","station":"LHR-3","#
            + #""scannedAt":"2026-11-20T12:00:00Z","imageName":"belt-4/写真-2026-11-20-0042.png","#
            + #""imageDigest":"d1","outcome":"no-code","reason":"no-code"}"#
        let file = try place.add("scan.jsonl", Array(scan.utf8))
        #expect(try await place.luggage("import", file).status == 0)
        /// The line of the scan without the columns before its picture.
        func line(_ columns: UInt16) async throws -> Substring? {
            let shown = try await PseudoTerminal(columns: columns).show(
                place,
                ["history", "--failed"],
                environment: Self.plain
            )
            let line = shown.split(separator: "\n").first { $0.contains("LHR-3") }
            let start = "2026-11-20 12:00 UTC  -    destination  LHR-3    no-code  no-code  "
            #expect(line?.hasPrefix(start) == true, "\(shown)")
            return line?.dropFirst(start.count)
        }
        #expect(try await line(160) == "belt-4/写真-2026-11-20-0042.png")
        #expect(try await line(80) == "…-20-0042.png")
        // A wide character that would be seen by half is not seen.
        #expect(try await line(89) == "…-2026-11-20-0042.png")
        #expect(try await line(90) == "…真-2026-11-20-0042.png")
    }

    @Test("that a tag was typed is no name of a file, and ends where there is no room for it")
    func typed() async throws {
        let place = try await QuestionCommandTests.filled()
        let typing = ["file", "f4000000-0000-4000-8000-00000000000b", "--reason", "torn"]
        let run = try await place.luggage(
            typing + ["--at", "destination", "--station", "a station with a long name"]
        )
        #expect(run.status == 0, "\(run.errors)")
        for (columns, words) in [(60, "(by ha…"), (160, "(by hand)")] as [(UInt16, String)] {
            let shown = try await PseudoTerminal(columns: columns).show(
                place,
                ["show", "f4000000-0000-4000-8000-00000000000b"],
                environment: Self.plain
            )
            #expect(shown.contains("  \(words)\n"), "\(shown)")
        }
    }

    @Test("changes that may be taken back fit, and keep their numbers")
    func changes() async throws {
        let place = try Workplace()
        let tag = Workplace.sample("tag-f432-dzmu.png")
        let scan = ["scan", "--at", "origin", "--station", "MUC-2", "--by", "anna", tag]
        _ = try await place.luggage(scan)
        let reason = String(repeating: "weighed again and again, ", count: 4) + "and again"
        _ = try await place.luggage(
            "edit",
            "f432",
            "--weight",
            "50lb",
            "--by",
            "root",
            "--reason",
            reason
        )
        for columns in [20, 40, 80, 160] as [UInt16] {
            let shown = try await PseudoTerminal(columns: columns).show(
                place,
                ["undo", "--list"],
                environment: Self.plain
            )
            let lines = shown.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= columns }, "\(shown)")
            // Where there is little room, a change takes several lines.
            let numbers = lines.dropFirst().compactMap {
                $0.wholeMatch(of: #/ +([23])(  20.*)?/#)?.1
            }
            #expect(numbers == ["3", "2"], "\(shown)")
            if columns != 80 { continue }
            try #require(lines.count == 3, "\(shown)")
            #expect(
                lines[1].hasSuffix("  F432BDB8  edit: weight 42.0 lb → 50.0 lb  root"),
                "\(shown)"
            )
            #expect(
                lines[2].hasSuffix("  F432BDB8  scan at origin: put on record   anna"),
                "\(shown)"
            )
        }
    }

    @Test("what scans report fits, and what is wrong is told to its end")
    func scans() async throws {
        let folder = "belts-of-the-northern-hall"
        let place = try Workplace()
        try FileManager.default.createDirectory(
            atPath: place.path(folder),
            withIntermediateDirectories: false
        )
        for sample in ["tag-f432-dzmu.png", "weight-in-words.png", "torn-off.png"] {
            try FileManager.default.copyItem(
                atPath: Workplace.sample(sample),
                toPath: place.path("\(folder)/\(sample)")
            )
        }
        func shown(_ columns: UInt16) async throws -> String {
            try await PseudoTerminal(columns: columns).show(
                place,
                ["scan", "--at", "origin", "--dry-run", place.path(folder)],
                environment: Self.plain,
                status: 1
            )
        }
        let narrow = try await shown(80)
        #expect(
            narrow == """
                OUTCOME     BAG       OWNER       WEIGHT  PICTURE
                new         F432BDB8  D/ZMU      42.0 lb  …f-the-northern-hall/tag-f432-dzmu.png
                no-code     -         -                -  …lts-of-the-northern-hall/torn-off.png
                  no QR code was found in the picture
                invalid     -         -                -  …the-northern-hall/weight-in-words.png
                  weight: expected a number, found the text "heavy"

                3 pictures, 3 results: 1 new, 1 invalid, 1 no-code (nothing was filed: dry run)

                """
        )
        for columns in [20, 40] as [UInt16] {
            let text = try await shown(columns)
            let isNarrow = text.split(separator: "\n").allSatisfy { $0.count <= columns }
            #expect(isNarrow, "\(text)")
            #expect(text.split { $0.isWhitespace }.suffix(4).last == "run)", "\(text)")
        }
        #expect(
            try await shown(300).contains(
                "\(folder)/weight-in-words.png: weight: expected a number, found the text \"heavy\"\n"
            )
        )
    }

    /// Why scans failed, in words of every length.
    static let reasons = [
        ("no-code", "no-code"), ("invalid", "type-mismatch"), ("invalid", "not-property-list"),
        ("unreadable", "too-many-symbols"),
    ]

    @Test("of 80 columns it is told whole when a scan was, where, and why it failed")
    func reasons() async throws {
        let place = try Workplace()
        let bag =
            #"{"record":"bag","id":"F4000000-0000-4000-8000-00000000000A","weight":42}"# + "\n"
            + #"{"record":"scan","bag":"F4000000-0000-4000-8000-00000000000A","#
            + #""point":"destination","station":"LHR-3","scannedAt":"2026-11-20T11:30:00Z","#
            + #""imageName":"first.png","imageDigest":"a1","outcome":"new"}"# + "\n"
        let scans = Self.reasons.enumerated().map { place, words in
            #"{"record":"scan","point":"destination","station":"LHR-3","#
                + #""scannedAt":"2026-11-20T12:0\#(place):00Z","imageName":"belt-4/0042.png","#
                + #""imageDigest":"d\#(place)","outcome":"\#(words.0)","reason":"\#(words.1)"}"#
        }
        let file = try place.add("all.jsonl", Array((bag + scans.joined(separator: "\n")).utf8))
        #expect(try await place.luggage("import", file).status == 0)
        func shown(_ columns: UInt16, _ words: String...) async throws -> [String] {
            try await PseudoTerminal(columns: columns)
                .show(place, ["history"] + words, environment: Self.plain)
                .components(separatedBy: "\n")
        }
        #expect(
            try await shown(80).prefix(6) == [
                "SCANNED               BAG       POINT        STATION  OUTCOME            PICTURE",
                "2026-11-20 11:30 UTC  F4000000  destination  LHR-3    new                …st.png",
                "2026-11-20 12:00 UTC  -         destination  LHR-3    no-code            …42.png",
                "2026-11-20 12:01 UTC  -         destination  LHR-3    type-mismatch      …42.png",
                "2026-11-20 12:02 UTC  -         destination  LHR-3    not-property-list  …42.png",
                "2026-11-20 12:03 UTC  -         destination  LHR-3    too-many-symbols   …42.png",
            ]
        )
        // Where there is room for both, the reason has a column of its own.
        #expect(try await shown(80, "--outcome", "no-code")[0].contains("OUTCOME  REASON"))
        #expect(try await shown(160)[4].contains("invalid     not-property-list  belt-4/0042.png"))
    }

    @Test("no line is wider than it", arguments: [20, 40, 80, 160] as [UInt16])
    func width(columns: UInt16) async throws {
        let place = try await QuestionCommandTests.filled()
        for arguments in [
            ["list"], ["list", "--missing"], ["history"], ["summary", "--since", "2026-11-20"],
            ["show", "9c"], ["show", "F4000000-0000-4000-8000-00000000000A"],
        ] {
            let shown = try await PseudoTerminal(columns: columns).show(
                place,
                arguments,
                environment: Self.plain
            )
            #expect(!shown.isEmpty)
            for line in shown.split(separator: "\n") {
                // Wide characters take two; in these lines they are those beyond the Latin ones.
                let width = line.reduce(0) { width, character in
                    let isWide = (character.unicodeScalars.first?.value ?? 0) >= 0x2E80
                    return width + (isWide ? 2 : 1)
                }
                #expect(width <= Int(columns), "\(arguments): \(line)")
            }
        }
    }

    @Test(
        "values for programs do not steer it either, and are exact in a pipe",
        arguments: [
            ["history", "--format", "csv"], ["export", "--format", "csv", "--records", "scans"],
            ["export", "--format", "property-list", "--records", "scans"],
        ]
    )
    func escapes(arguments: [String]) async throws {
        let place = try await QuestionCommandTests.filled()
        // Line breaks and C1 controls too.
        let scan =
            #"{"record":"scan","point":"origin","station":"MUC-2","imageName":"a\nb\u009b2Jc.png","#
            + #""scannedAt":"2026-11-20T12:00:00Z","imageDigest":"d1","outcome":"no-code","#
            + #""reason":"no-code"}"#
        try place.add("scan.jsonl", Array(scan.utf8))
        #expect(try await place.luggage("import", "scan.jsonl").status == 0)
        let hidden: Set<Unicode.Scalar> = ["\u{1B}", "\u{202E}", "\u{9B}", "\u{7F}"]
        let shown = try await PseudoTerminal(columns: 80).show(place, arguments)
        #expect(shown.unicodeScalars.allSatisfy { !hidden.contains($0) }, "\(shown)")
        #expect(shown.contains("no-code"))
        let piped = try await place.luggage(arguments)
        #expect(piped.output.unicodeScalars.contains("\u{9B}"), "\(piped.output)")
        if arguments.contains("csv") {
            #expect(shown.contains(#"evil\u{1b}[31m\u{202e}.png"#), "\(shown)")
            #expect(piped.output.contains("evil\u{1B}[31m\u{202E}.png"))
        }
    }

    /// What the environment says, and whether there is colour then.
    static let environments: [(variables: [String: String], hasColour: Bool)] = [
        ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true),
        (["TERM": "dumb"], false), (["TERM": ""], false),
    ]

    @Test("colour is shown where it is wanted, and tells nothing by itself")
    func colour() async throws {
        let plain = try await screen(100, "history", environment: Self.plain)
        for (variables, hasColour) in Self.environments {
            let shown = try await screen(100, "history", environment: variables)
            #expect(shown.contains("\u{1B}[") == hasColour, "\(variables)")
            #expect(shown.replacing(/\u{1B}\[\d+m/, with: "") == plain, "\(variables)")
        }
    }

    @Test("a summary has bars, and COLUMNS counts more than the window")
    func bars() async throws {
        let summary = try await screen(
            200,
            "summary",
            "--since",
            "2026-11-20",
            environment: ["NO_COLOR": "1", "COLUMNS": "60"]
        )
        let bars = summary.split(separator: "\n").filter { $0.hasSuffix("#") }
        #expect(bars.count == 3)
        #expect(bars.allSatisfy { $0.count <= 60 })
        #expect(bars.contains { $0.hasPrefix("MUC-2") && $0.count { $0 == "#" } > 20 })
    }
}
