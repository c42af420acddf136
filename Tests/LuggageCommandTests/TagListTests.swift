import Foundation
import TestFolders
import Testing

@Suite("A list of passengers")
struct TagListTests {
    /// Lists as other programs write them, of the same two passengers.
    static let lists = [
        "given,family\nDana,Zmuda\nÉlise,Müller\n",
        "family,given\r\nZmuda,Dana\r\nMüller,Élise",
        "\u{FEFF}Given Name;Family Name;Seat;Remarks\r\nDana;Zmuda;12A;\"vegan; no nuts\"\r\n"
            + "Élise;Müller;;\r\n",
        "First name\tLAST_NAME\nDana\tZmuda\n\nÉlise\tMüller\n",
        "\"given\",\"surname\"\n\" Dana Maria\",\"ZMUDA, Dr.\"\n\"élise\",\"mu\u{308}ller\"\n",
        "no,forename,surname,to\n1,Dana,Zmuda,JFK\n2,Élise,Müller,\n",
        // Numbers that are no identifiers, days and weights as they are written, and particles.
        "ID;given;family;date;weight\n17;Dana;Z'muda;1.7.2026;23,5 kg\n18;Élise;Mü ller;;\n",
        // Who has one name is known by that.
        "given,family\nDana,Zmuda\nÉlise,Müller\n,Zmuda\n",
    ]

    @Test("is printed as it is", arguments: lists)
    func asItIs(list: String) async throws {
        let place = try Workplace()
        let path = try place.add("list.csv", Array(list.utf8))
        let run = try await place.tag(
            "print",
            "--from-csv",
            path,
            "--to",
            "JFK",
            "--out",
            place.path("tags")
        )
        try #require(run.status == 0, "\(run.errors)")
        let scan = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--format",
            "json",
            place.path("tags")
        )
        #expect(scan.status == 0, "\(scan.errors)")
        let bags = try await place.luggage("list", "--format", "json").output
        for words in ["\"Z", "ZMU", "MÜL", "\"D\"", "\"É\""] {
            #expect(bags.contains(words), "\(bags)")
        }
    }

    @Test(
        "says what is in the way of its folder",
        arguments: [
            ("list.csv", "is there already"), ("list.csv/", "is there already"),
            ("list.csv/tags", "Not a directory"), ("none/tags", "make its folder first"),
        ]
    )
    func inTheWay(folder: String, words: String) async throws {
        let place = try Workplace()
        try place.add("list.csv", Array("given,family\nDana,Zmuda\n".utf8))
        let run = try await place.shell(
            "'\(Workplace.tagExecutable)' print --from-csv list.csv --to JFK --out '\(folder)'"
        )
        #expect(run.status == 73 && run.errors.contains(words), "\(run.errors)")
    }

    @Test("of 300 prints a roll of tags in less than 5 seconds", arguments: ["zpl", "pdf"])
    func roll(format: String) async throws {
        let place = try Workplace()
        let rows = (0..<300).map { "Dana\($0),Zmuda\($0)" }.joined(separator: "\n")
        let path = try place.add("list.csv", Array("given,family\n\(rows)\n".utf8))
        let out = place.path("tags.\(format)")
        let run = try await place.shell(
            "'\(Workplace.tagExecutable)' print --from-csv '\(path)' --from ZRH --to JFK "
                + "--out '\(out)' && times"
        )
        try #require(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        // What it took of a processor, user's and system's, is the last line: `0m1.064s 0m0.050s`.
        let times = try #require(lines.last).split(separator: " ").compactMap { time in
            time.split(whereSeparator: { "ms".contains($0) }).compactMap { Double($0) }
        }
        let seconds = times.reduce(0) { $0 + 60 * $1[0] + $1[1] }
        #expect(times.count == 2 && seconds > 0)
        #if DEBUG
        // Without optimisation it takes longer, but not much.
        #expect(seconds < 30)
        #else
        #expect(seconds < 5)
        #endif
        #expect(Set(lines.prefix(300)).count == 300)
    }

    @Test("comes back with the identifiers that are printed, as a list of expected bags")
    func completed() async throws {
        let place = try Workplace()
        let known = UUID().uuidString
        let path = try place.add(
            "list.csv",
            Array(
                """
                No;First name;Surname;ID;To;Cancelled;Remarks
                1;Dana;Zmuda;;;;"no; nuts"
                2;Élise;Müller;\(known);LHR;no;=1+1
                3;Lu;Li;;;yes;
                4;Ada;Lovelace;\(UUID().uuidString);;yes;\u{20}

                """.utf8
            )
        )
        let print = [
            "print", "--from-csv", path, "--to", "JFK", "--trip", "LX14", "--date", "2026-07-01",
            "--weight", "42lb",
        ]
        let list = place.path("lx14.csv")
        let run = try await place.run(
            Workplace.tagExecutable,
            print + ["--out", place.path("tags"), "--list", list],
            [:]
        )
        try #require(run.status == 0, "\(run.errors)")
        let printed = run.output.split(separator: "\n").map(String.init)
        #expect(printed.count == 2 && printed[1] == known)
        let text = try String(contentsOfFile: list, encoding: .utf8)
        let rows = text.components(separatedBy: "\r\n")
        #expect(rows[0] == "No,\"First name\",Surname,ID,To,Cancelled,Remarks,trip,date,weight")
        #expect(rows[1] == "1,Dana,Zmuda,\(printed[0]),JFK,,\"no; nuts\",LX14,2026-07-01,42.0")
        #expect(rows.count == 5 && rows[3].hasPrefix("4,Ada,Lovelace,"), "\(text)")
        let expect = ["expect", list, "--at", "origin", "--due", "2026-07-01 10:00"]
        let filed = try await place.luggage(expect)
        #expect(filed.output == "2 bags expected; 1 bag as before\n", "\(filed.errors)")
        let scan = [
            "scan", "--at", "origin", "--timestamp", "2026-07-01 09:00", place.path("tags"),
        ]
        #expect(try await place.luggage(scan).status == 0)
        let summary = try await place.luggage("summary", "--trip", "LX14", "--format", "json")
        #expect(summary.output.contains("\"passed\" : 2"), "\(summary.output)")
        // Printed from that list, they are the same bags; and nothing is written over it.
        let again = try await place.run(
            Workplace.tagExecutable,
            ["print", "--from-csv", list, "--out", place.path("again.zpl"), "--list", list],
            [:]
        )
        #expect(again.status == 73 && again.errors.contains("--force"), "\(again.errors)")
        let same = try await place.tag(
            "print",
            "--from-csv",
            list,
            "--out",
            place.path("again.zpl"),
            "--list",
            list,
            "--force"
        )
        #expect(same.output == run.output, "\(same.errors)")
        let names = try place.names
        #expect(names.contains("again.zpl") && !names.contains { $0.hasPrefix(".") }, "\(names)")
    }

    @Test("is written again into no other file, and only where there is one")
    func wrongList() async throws {
        let place = try Workplace()
        let path = try place.add("list.csv", Array("given,family\nDana,Zmuda\n".utf8))
        let tags = place.path("tags.pdf")
        for words in [
            ["--from-csv", path, "--out", tags, "--list", tags],
            ["--from-csv", path, "--out", tags, "--list", ""],
            ["--from-csv", path, "--out", tags, "--list", "-"],
            ["--owner", "D/ZMU", "--out", tags, "--list", place.path("new.csv")],
        ] {
            let run = try await place.run(Workplace.tagExecutable, ["print"] + words, [:])
            #expect(run.status == 64 && run.errors.contains("--list"), "\(run.errors)")
        }
        for list in [place.path("nowhere/new.csv"), place.path("")] {
            let words = ["print", "--from-csv", path, "--out", tags, "--list", list]
            let run = try await place.run(Workplace.tagExecutable, words, [:])
            #expect(run.status == 73 && run.output == "", "\(run.errors)")
        }
        #expect(try place.names == ["list.csv"])
    }

    @Test("fills cards with four bags each")
    func cards() async throws {
        let place = try Workplace()
        let rows = (0..<9).map { "Dana,Zmuda\($0)" }.joined(separator: "\n")
        let path = try place.add("list.csv", Array("given,family\n\(rows)\n".utf8))
        let run = try await place.tag(
            "print",
            "--from-csv",
            path,
            "--layout",
            "card",
            "--out",
            place.path("cards")
        )
        try #require(run.status == 0, "\(run.errors)")
        let identifiers = run.output.split(separator: "\n").map(String.init)
        #expect(identifiers.count == 9)
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path("cards"))
        #expect(Set(files) == Set([0, 4, 8].map { "\(identifiers[$0]).png" }))
        let scan = try await place.luggage("scan", "--at", "origin", place.path("cards"))
        #expect(scan.output.contains("9 new"), "\(scan.output)")
    }
}

@Suite("luggage-tag print --printer")
struct TagPrinterTests {
    private static let tag = ["print", "--owner", "D/ZMU", "--to", "Hotel Bellevue"]

    @Test("gives CUPS a file, through `lp`")
    func queue() async throws {
        let place = try Workplace()
        let program = try place.add("lp", Array("#!/bin/sh\ncat >file\necho \"$@\" >words\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let run = try await place.run(
            Workplace.tagExecutable,
            Self.tag + ["--layout", "loop", "--printer", "office"],
            ["PATH": "\(place.path("")):/usr/bin:/bin"]
        )
        #expect(run.status == 0 && run.output.split(separator: "\n").count == 1, "\(run.errors)")
        let words = try String(contentsOfFile: place.path("words"), encoding: .utf8)
        #expect(words.contains("-d office") && words.contains("media=Custom.54.0x400.0mm"))
        let file = try Data(contentsOf: URL(filePath: place.path("file")))
        #expect(file.starts(with: Data("%PDF-".utf8)))
    }

    @Test("says where `lp` is missing, and from which package it is")
    func missing() async throws {
        let place = try Workplace()
        let run = try await place.run(
            Workplace.tagExecutable,
            Self.tag + ["--printer", "office"],
            ["PATH": "/nowhere"]
        )
        #expect(run.status == 74 && run.output == "" && run.errors.contains("cups-client"))
    }

    @Test("sends the labels of a table to a device")
    func device() async throws {
        let place = try Workplace()
        try place.add("list.csv", Array("given,family\nDana,Zmuda\nLu,Li\n".utf8))
        let run = try await place.shell(
            """
            mkfifo lp0 && { cat lp0 >got & } && exec 3>lp0 \
            && '\(Workplace.tagExecutable)' print --from-csv list.csv --printer "$PWD/lp0" \
            && exec 3>&- && wait
            """
        )
        #expect(run.status == 0 && run.output.split(separator: "\n").count == 2, "\(run.errors)")
        let got = try String(contentsOfFile: place.path("got"), encoding: .utf8)
        #expect(got.components(separatedBy: "^XA").count == 3)
        #expect(got.hasSuffix("^XZ\n"))
    }

    @Test("says how far it came where the printer hangs up")
    func hangUp() async throws {
        let place = try Workplace()
        let rows = (0..<20).map { "Dana,Zmuda\($0)" }.joined(separator: "\n")
        try place.add("list.csv", Array("given,family\n\(rows)\n".utf8))
        let run = try await place.shell(
            """
            mkfifo lp0 && { head -c 100000 lp0 >got & } && exec 3>lp0 && \
            '\(Workplace.tagExecutable)' print --from-csv list.csv --printer "$PWD/lp0" \
            --list new.csv; status=$?; wait; exit $status
            """
        )
        // What was sent keeps its identifiers, and the rest is printed from there on.
        let sent = run.output.split(separator: "\n").count
        #expect(run.status == 74 && (0..<20).contains(sent))
        #expect(run.errors.contains("of 20 labels, \(sent) were sent before"), "\(run.errors)")
        #expect(run.errors.contains("go on with line \(sent + 2) of the table"), "\(run.errors)")
        let list = try String(contentsOfFile: place.path("new.csv"), encoding: .utf8)
        #expect(run.output.split(separator: "\n").allSatisfy { list.contains($0) })
    }

    @Test("prints nothing of a table in which anything is wrong")
    func wrongTable() async throws {
        let place = try Workplace()
        try place.add("list.csv", Array("given,family\nDana,Zmuda\n,-\n".utf8))
        let run = try await place.tag(
            "print",
            "--from-csv",
            place.path("list.csv"),
            "--printer",
            "/dev/full"
        )
        #expect(run.status == 1 && run.errors.contains(":3: the row names no passenger"))
        #expect(!run.errors.contains("No space left"))
    }
}
