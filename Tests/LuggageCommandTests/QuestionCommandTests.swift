import Foundation
import TagDrawing
import Testing

@Suite("luggage list, history and summary", .timeLimit(.minutes(30)))
struct QuestionCommandTests {
    /// Bags and scans in a file, as another station would export them.
    static let record = #"""
        {"record":"bag","id":"F4000000-0000-4000-8000-00000000000A","owner":["D","ZMU"],"weight":42.0,"departedAt":"2026-11-20T08:00:00Z","arrivedAt":"2026-11-20T11:30:00Z"}
        {"record":"bag","id":"F4000000-0000-4000-8000-00000000000B","owner":["李","小龙"],"weight":27.5,"departedAt":"2026-11-20T08:05:00Z"}
        {"record":"bag","id":"F4100000-0000-4000-8000-00000000000C","owner":["É","MÜL"],"weight":50.0,"departedAt":"2026-11-21T09:00:00Z"}
        {"record":"bag","id":"9C417E05-0000-4000-8000-00000000000D","owner":["👩‍👩‍👧","🇩🇪Å"],"weight":"23 kg"}
        {"record":"scan","bag":"F4000000-0000-4000-8000-00000000000A","point":"origin","station":"MUC-2","scannedAt":"2026-11-20T08:00:00Z","imageName":"a.png","imageDigest":"a1","payload":"{\"id\":\"F4000000-0000-4000-8000-00000000000A\",\"owner\":[\"A\",\"LOV\"],\"weight\":45}","outcome":"new"}
        {"record":"scan","bag":"F4000000-0000-4000-8000-00000000000A","point":"destination","station":"LHR-3","scannedAt":"2026-11-20T11:30:00Z","imageName":"a.png","imageDigest":"a1","payload":"{\"id\":\"F4000000-0000-4000-8000-00000000000A\",\"owner\":[\"D\",\"ZMU\"],\"weight\":42}","outcome":"changed"}
        {"record":"scan","bag":"F4000000-0000-4000-8000-00000000000B","point":"origin","station":"MUC-2","scannedAt":"2026-11-20T08:05:00Z","imageName":"b.png","imageDigest":"b1","payload":"{\"id\":\"F4000000-0000-4000-8000-00000000000B\",\"owner\":[\"李\",\"小龙\"],\"weight\":27.5}","outcome":"new"}
        {"record":"scan","point":"origin","station":"MUC-2","scannedAt":"2026-11-20T08:06:00Z","imageName":"=evil\u001b[31m\u202e.png","imageDigest":"c1","outcome":"no-code","reason":"no-code"}
        """#

    static func filled() async throws -> Workplace {
        let place = try Workplace()
        let path = try place.add("muc.jsonl", Array(record.utf8))
        let run = try await place.luggage("import", path)
        #expect(run.status == 0, "\(run.errors)\(run.output)")
        return place
    }

    /// What is asked, and the last letters of the bags' identifiers in their order.
    static let questions: [(arguments: [String], bags: String)] = [
        ([], "ABCD"),
        (["--departed"], "ABC"),
        (["--arrived"], "A"),
        (["--missing"], "BC"),
        (["--overdue", "1h"], "BC"),
        (["--overdue", "999999d"], ""),
        (["--owner", "D/ZMU"], "A"),
        (["--owner", "ZMU/D"], "A"),
        (["--owner", "李/小龙"], "B"),
        (["--owner", "E\u{301}/MU\u{308}L"], "C"),
        (["--owner", "zmu"], "A"),
        (["--owner", "d/zmu"], "A"),
        (["--owner", "zmu/d"], "A"),
        (["--owner", "mul/e"], "C"),
        (["--owner", "Müller"], "C"),
        (["--station", "MUC-2"], "AB"),
        (["--station", "LHR-3"], "A"),
        (["--station", "MUC-2", "--since", "2026-11-20T08:01:00Z"], "B"),
        (["--since", "2026-11-21"], "C"),
        (["--until", "2026-11-20"], "AB"),
        (["--since", "2026-11-20T11:00:00Z"], "AC"),
        (["--departed", "--since", "2026-11-20T11:00:00Z"], "C"),
        (["--arrived", "--until", "2026-11-20T11:30:00Z"], ""),
        (["--heavier-than", "42lb"], "CD"),
        (["--heavier-than", "23kg"], ""),
        (["--heavier-than", "22.99 kg"], "D"),
        (["--sort", "weight"], "BACD"),
        (["--sort", "-weight"], "DCAB"),
        (["--sort", "-weight", "--reverse"], "BACD"),
        (["--sort", "arrived", "--limit", "1"], "A"),
        (["--sort=-departed", "--limit", "2"], "CB"),
        (["--sort", "id"], "DABC"),
        (["--missing", "--owner", "D/ZMU"], ""),
        (["--limit", "\(Int.max)"], "ABCD"),
    ]

    @Test("list has what is asked for, in its order")
    func questions() async throws {
        let place = try await Self.filled()
        for (arguments, bags) in Self.questions {
            let run = try await place.luggage(["list", "--format", "jsonl"] + arguments)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            let found = try run.objects().compactMap { ($0["id"] as? String)?.last }
            #expect(String(found) == bags, "\(arguments)")
        }
    }

    @Test("list puts bags without a weight last, and leaves it blank")
    func noWeight() async throws {
        let place = try await Self.filled()
        let bag = #"{"id":"E0000000-0000-4000-8000-00000000000E"}"#
        try place.add("e.jsonl", Array(bag.utf8))
        #expect(try await place.luggage("import", "e.jsonl").status == 0)
        for (arguments, bags) in [
            (["--sort", "weight"], "BACDE"), (["--sort", "-weight"], "DCABE"),
            (["--sort", "weight", "--heavier-than", "0lb"], "BACD"),
        ] {
            let run = try await place.luggage(["list", "--format", "jsonl"] + arguments)
            let found = try run.objects()
            #expect(String(found.compactMap { ($0["id"] as? String)?.last }) == bags)
            #expect(found.allSatisfy { ($0["weight"] == nil) == ("\($0["id"] ?? "")".last == "E") })
        }
        let table = try await place.luggage("list", "--columns", "bag,weight")
        #expect(table.lines.contains { $0.wholeMatch(of: /E0000000 +-/) != nil }, "\(table.output)")
        let csv = try await place.luggage("list", "--format", "csv", "--columns", "id,weight")
        #expect(csv.output.contains("\r\nE0000000-0000-4000-8000-00000000000E,\r\n"))
    }

    /// Two spellings of the name of a station and of a passenger: of several code points, and of one.
    static let spellings = (
        stations: ["Zu\u{308}rich", "Z\u{FC}rich"], owners: ["D/\u{F9E1}", "D/\u{674E}"]
    )

    @Test("find stations and passengers in whatever spelling they are asked for")
    func spellings() async throws {
        let place = try Workplace()
        let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
        let file = ["file", bag, "--at", "origin", "--reason", "torn", "--by", "Andre\u{301}"]
        let (stations, owners) = Self.spellings
        let run = try await place.luggage(
            file + ["--station", stations[0], "--owner", owners[0]]
        )
        #expect(run.status == 0, "\(run.errors)")
        for (station, owner) in zip(stations, owners) {
            for question in [
                ["list", "--owner", owner], ["list", "--station", station],
                ["history", "--station", station],
            ] {
                let found = try await place.luggage(question + ["--format", "jsonl"])
                #expect(try found.objects().count == 1, "\(question): \(found.errors)")
            }
            let export = try await place.luggage(
                "export",
                "--format",
                "jsonl",
                "--station",
                station
            )
            #expect(export.output.utf8.firstRange(of: stations[1].utf8) != nil)
            #expect(export.output.utf8.firstRange(of: stations[0].utf8) == nil)
        }
        // What a setting says is spelt as what is asked for.
        let set = try await place.luggage(
            ["file", bag, "--at", "destination", "--reason", "torn"],
            environment: ["LUGGAGE_STORE": place.store, "LUGGAGE_STATION": stations[0]]
        )
        #expect(set.status == 0, "\(set.errors)")
        let history = ["history", "--station", stations[1], "--format", "jsonl"]
        #expect(try await place.luggage(history).objects().count == 2)
        let list = try await place.luggage("list", "--format", "csv")
        #expect(list.output.utf8.firstRange(of: owners[1].utf8) != nil)
        let changes = try await place.luggage("undo", "--list", "--format", "json")
        #expect(changes.output.utf8.firstRange(of: "Andr\u{E9}".utf8) != nil, "\(changes.output)")
        let edit = ["edit", bag, "--owner", owners[1], "--reason", "x"]
        #expect(try await place.luggage(edit).output.contains("has these values already"))
    }

    @Test("list lengthens identifiers that begin alike, and cuts nothing in a pipe")
    func table() async throws {
        let place = try await Self.filled()
        let list = try await place.luggage("list", "--units", "kg", "--limit", "3")
        #expect(
            list.output == """
                BAG                                   OWNER     WEIGHT  DEPARTED              ARRIVED
                F4000000-0000-4000-8000-00000000000A  D/ZMU    19.1 kg  2026-11-20 08:00 UTC  2026-11-20 11:30 UTC
                F4000000-0000-4000-8000-00000000000B  李/小龙  12.5 kg  2026-11-20 08:05 UTC  -
                F4100000                              É/MÜL    22.7 kg  2026-11-21 09:00 UTC  -

                3 bags; there are more

                """
        )
        let zone = try await place.luggage(
            ["list", "--columns", "bag,departed", "--owner", "É/MÜL"],
            environment: ["LUGGAGE_STORE": place.store, "TZ": "Europe/Berlin", "COLUMNS": "20"]
        )
        #expect(zone.lines[1] == "F4100000  2026-11-21 10:00 CET")
        let csv = try await place.luggage(
            "list",
            "--format",
            "csv",
            "--owner",
            "É/MÜL",
            "--units",
            "kg"
        )
        #expect(
            csv.output == "id,owner,weight_kg,departedAt,arrivedAt\r\n"
                + "F4100000-0000-4000-8000-00000000000C,É/MÜL,22.68,2026-11-21T09:00:00.000Z,\r\n"
        )
        let empty = try await place.luggage("list", "--overdue", "9999d")
        #expect(empty.output == "0 bags overdue\n")
        for (format, output) in [("json", "[]\n"), ("jsonl", "")] {
            let none = try await place.luggage("list", "--overdue", "9999d", "--format", format)
            #expect(none.output == output)
        }
    }

    @Test("show says what a tag says other than the record, and keeps it")
    func contradiction() async throws {
        let place = try await Self.filled()
        let show = try await place.luggage("show", "f4000000-0000-4000-8000-00000000000a")
        #expect(
            show.output == """
                Bag       F4000000-0000-4000-8000-00000000000A
                Owner     D/ZMU
                Weight    42.0 lb
                Departed  2026-11-20 08:00 UTC
                Arrived   2026-11-20 11:30 UTC

                SCANNED               POINT        STATION  OUTCOME  TAG SAYS        PICTURE
                2026-11-20 08:00 UTC  origin       MUC-2    new      45.0 lb, A/LOV  a.png
                2026-11-20 11:30 UTC  destination  LHR-3    changed  -               a.png

                """
        )
    }

    /// What is wrong, and what is proposed.
    static let slips: [(arguments: [String], status: Int32, words: String)] = [
        (
            ["show", "f45"], 1,
            "no bag begins or ends with F45; three begin with F4: F4000000-0000-4000-8000"
        ),
        (["show", "9d"], 1, "no bag begins or ends with 9D; one begins with 9: 9C417E05"),
        (["show", "1"], 1, "no bag begins or ends with 1; `luggage list` shows those on record"),
        (["show", "f4"], 1, "three bags begin with F4: "),
        (["show", "f4"], 1, "give more of the identifier"),
        (["list", "--owner", "E/ZMU"], 1, "there are D/ZMU"),
        (["list", "--owner", "Q/QQQ"], 1, "`luggage passengers`"),
        (["passengers", "--owner", "qqq"], 1, "no passenger qqq is on record"),
        (["list", "--owner", "/"], 64, "the family name alone"),
        (["list", "--station", "muc-2"], 1, "did you mean MUC-2?"),
        (["history", "--station", "\u{1B}[2J"], 1, "there are scans of LHR-3, MUC-2"),
        (["list", "--overdue", "soon"], 64, "90m, 6h or 2d"),
        (["list", "--heavier-than", "50"], 64, "write 50lb or 50kg"),
        (["list", "--heavier-than=-5kg"], 64, "as 50lb or 23kg"),
        (["list", "--heavier-than", "1e30lb"], 64, "than any bag weighs"),
        (["list", "--since", "2026-02-30"], 64, "yesterday"),
        (["list", "--since", "99999d"], 64, "--since: '99999d' is before 1900"),
        (["list", "--since", "999999999d"], 64, "is before 1900"),
        (["history", "--since", "1850-01-01 08:00"], 64, "'1850-01-01 08:00' is before 1900"),
        (["summary", "--until", "0001-01-01"], 64, "'0001-01-01' is before 1900"),
        (["list", "--since", "today", "--until", "yesterday"], 64, "not before --until"),
        (["list", "--columns", "bag,size"], 64, "there are bag, id, plate, owner"),
        (["list", "--columns", "bag,bag"], 64, "twice"),
        (
            ["list", "--format", "csv", "--columns", "bag,owner,id"], 64,
            "bag and id are one column of CSV, the whole identifier: leave one of them out"
        ),
        (["list", "--sort", "owner"], 64, "'departed', 'arrived', 'weight', 'id'"),
        (["list", "--limit", "0"], 64, "from 1"),
        (["list", "--missing", "--arrived"], 64, "leave out --arrived"),
        (["list", "--format", "json", "--columns", "bag"], 64, "JSON has everything"),
        (["list", "--format", "json", "--units", "kg"], 64, "in pounds"),
        (["list", "--follow", "--format", "json"], 64, "--format jsonl"),
        (["list", "--follow", "--overdue", "6h"], 64, "use --missing"),
        (["history", "--failed", "--outcome", "new"], 64, "--outcome"),
        (["history", "--outcome", "lost"], 64, "'no-code'"),
        (
            ["history", "--reason", "nocode"], 1,
            "no scan failed for nocode; scans failed for no-code"
        ),
        (["history", "--reason", ""], 64, "--reason names no reason"),
    ]

    @Test("a slip of the hand is answered with what may be meant")
    func slips() async throws {
        let place = try await Self.filled()
        for (arguments, status, words) in Self.slips {
            let run = try await place.luggage(arguments)
            #expect(run.status == status, "\(arguments): \(run.errors)")
            #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
            #expect(run.output == "", "\(arguments)")
            #expect(!run.errors.contains("\u{1B}"), "\(arguments)")
        }
    }

    @Test("history has the failed scans too, harmless, and the newest last")
    func history() async throws {
        let place = try await Self.filled()
        let history = try await place.luggage("history")
        #expect(
            history.output == #"""
                SCANNED               BAG                                   POINT        STATION  OUTCOME  REASON   PICTURE
                2026-11-20 08:00 UTC  F4000000-0000-4000-8000-00000000000A  origin       MUC-2    new      -        a.png
                2026-11-20 08:05 UTC  F4000000-0000-4000-8000-00000000000B  origin       MUC-2    new      -        b.png
                2026-11-20 08:06 UTC  -                                     origin       MUC-2    no-code  no-code  =evil\u{1b}[31m\u{202e}.png
                2026-11-20 11:30 UTC  F4000000-0000-4000-8000-00000000000A  destination  LHR-3    changed  -        a.png

                4 scans

                """#
        )
        for (arguments, pictures) in [
            (["--limit", "1"], ["a.png"]), (["--failed"], ["=evil\u{1B}[31m\u{202E}.png"]),
            (["--outcome", "changed", "--outcome", "new", "--limit", "2"], ["b.png", "a.png"]),
            (["--reason", "no-code"], ["=evil\u{1B}[31m\u{202E}.png"]),
            (["--reason", "no-code", "--since", "2026-11-21"], []),
            (["--point", "destination", "--station", "MUC-2"], []),
            (["--until", "2026-11-20T08:05:00Z"], ["a.png"]),
        ] as [([String], [String])] {
            let run = try await place.luggage(["history", "--format", "jsonl"] + arguments)
            #expect(try run.objects().compactMap { $0["imageName"] as? String } == pictures)
        }
        let csv = try await place.luggage("history", "--failed", "--format", "csv")
        #expect(csv.output.contains(",'=evil"))
    }

    @Test("history gives a bag that comes again as it came first, however long the list is")
    func repetition() async throws {
        let place = try Workplace()
        // More than are looked at before the first one is written.
        var lines = (0..<5001).map { number in
            #"{"record":"scan","point":"origin","station":"MUC-2","scannedAt":"2026-11-20T08:00:00Z","#
                + #""imageName":"a.png","imageDigest":"\#(number)","outcome":"no-code","#
                + #""reason":"no-code"}"#
        }
        for (minute, end) in [1: "A", 2: "B", 3: "A", 4: "B"].sorted(by: { $0.key < $1.key }) {
            let bag = "F4000000-0000-4000-8000-00000000000\(end)"
            if minute < 3 { lines.append(#"{"record":"bag","id":"\#(bag)","weight":42}"#) }
            lines.append(
                #"{"record":"scan","bag":"\#(bag)","point":"origin","station":"MUC-2","#
                    + #""scannedAt":"2026-11-20T09:0\#(minute):00Z","imageName":"b.png","#
                    + #""imageDigest":"b\#(minute)","payload":"{\"id\":\"\#(bag)\",\"weight\":42}","#
                    + #""outcome":"new"}"#
            )
        }
        let path = try place.add("many.jsonl", Array(lines.joined(separator: "\n").utf8))
        let run = try await place.luggage("import", path)
        try #require(run.status == 0, "\(run.errors)\(run.output)")
        let history = try await place.luggage("history")
        #expect(history.lines.suffix(3) == ["", "5005 scans", ""])
        let bags = history.lines.dropLast(3).suffix(4).map { $0.split(separator: " ")[3] }
        // That the second one begins alike was not known when the first was written.
        let other = "F4000000-0000-4000-8000-00000000000B"
        #expect(bags == ["F4000000", "\(other)", "F4000000", "\(other)"])
    }

    @Test("summary counts by station and point, without bars in a pipe")
    func summary() async throws {
        let place = try await Self.filled()
        let run = try await place.luggage(
            "summary",
            "--since",
            "2026-11-20",
            "--until",
            "2026-11-20"
        )
        #expect(run.lines.first == "Scans since 2026-11-20 00:00 UTC until 2026-11-21 00:00 UTC: 4")
        #expect(
            run.output.contains(
                """
                STATION  POINT        SCANS    READ
                LHR-3    destination      1  100.0%
                MUC-2    origin           3   66.7%

                NOT READ, BECAUSE  SCANS
                no-code                1

                2 bags missing
                BAG
                """
            )
        )
        let json = try await place.luggage("summary", "--since", "2026-11-20", "--format", "json")
        let value = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        #expect((value as? [String: Any])?["readRate"] as? Double == 0.75)
        // A typed tag was not read, and tells nothing about readers.
        let bag = "F4000000-0000-4000-8000-00000000000B"
        let typing = ["file", bag, "--at", "destination", "--time", "2026-11-20T12:00:00Z"]
        #expect(try await place.luggage(typing + ["--reason", "torn"]).status == 0)
        let typed = try await place.luggage(
            "summary",
            "--since",
            "2026-11-20",
            "--until",
            "2026-11-20"
        )
        #expect(
            typed.output.contains(
                """
                Read rate 75.0%: 3 of 4 scans belong to a bag
                Typed by hand, because no reader read them: 1

                STATION      POINT        SCANS    READ
                LHR-3        destination      1  100.0%
                MUC-2        origin           3   66.7%
                destination  destination      1       -

                """
            ),
            "\(typed.output)"
        )
    }
}
