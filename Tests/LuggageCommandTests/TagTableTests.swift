import Foundation
import TestFolders
import Testing

@Suite("luggage-tag print --from-csv")
struct TagTableTests {
    private static let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    /// Tables that say the same in other columns.
    static let tables = [
        "owner,from,to,weight,id\nD/ZMU,ZRH,JFK,42lb,\(bag)\nÉ/MÜL,ZRH,LHR,19 kg,\n",
        "\u{FEFF}id,weight,to,from,family,given\r\n\(bag),42,JFK,ZRH,ZMU,D\r\n,41.9,LHR,zrh,MÜL,É",
        "id,givenName,familyName,weight,version,from,to\n\(bag),D,ZMU,42.0,1,,\n\n,É,MÜL,41.9,1,MUC,LHR\n",
    ]

    @Test("prints each row into a folder of its own", arguments: tables)
    func folder(table: String) async throws {
        let place = try Workplace()
        try place.add("bags.csv", Array(table.utf8))
        let run = try await place.tag(
            "print",
            "--from-csv",
            place.path("bags.csv"),
            "--out",
            place.path("tags"),
            "--from",
            "ZRH",
            "--to",
            "JFK"
        )
        try #require(run.status == 0, "\(run.errors)")
        let identifiers = run.output.split(separator: "\n").map(String.init)
        #expect(identifiers.count == 2 && identifiers[0] == Self.bag)
        #expect(try place.names == ["bags.csv", "tags"])
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path("tags"))
        #expect(Set(files) == Set(identifiers.map { "\($0).png" }))
        let scan = try await place.luggage("scan", "--at", "origin", place.path("tags"))
        #expect(scan.status == 0 && scan.output.contains("2 new"), "\(scan.output)")
    }

    @Test(
        "prints into one file of pages",
        arguments: [("tags.pdf", "/Count 2"), ("tags.zpl", "^XA")]
    )
    func pages(name: String, words: String) async throws {
        let place = try Workplace()
        let table = try place.add("bags.csv", Array(Self.tables[0].utf8))
        let run = try await place.tag("print", "--from-csv", table, "--out", place.path(name))
        try #require(run.status == 0, "\(run.errors)")
        let file = try Data(contentsOf: place.folder.url.appending(path: name))
        #expect(String(decoding: file, as: UTF8.self).contains(words))
        #expect(try place.names == ["bags.csv", name])
    }

    @Test("prints what comes from standard input")
    func standardInput() async throws {
        let place = try Workplace()
        let run = try await place.shell(
            """
            printf 'owner,from,to,weight\\nD/ZMU,ZRH,JFK,42lb\\n' | \
            '\(Workplace.tagExecutable)' print --from-csv - --out - --format zpl
            """
        )
        #expect(run.status == 0 && run.output.hasPrefix("^XA"))
    }

    /// Tables with something wrong, and the words about it.
    static let wrong: [(table: String, words: [String])] = [
        ("", ["no column owner"]),
        ("given,from,to,weight\nD,ZRH,JFK,1lb\n", ["no column family"]),
        ("family;from;to;weight\n", ["no column given"]),
        ("owner|from|to|weight\nD/ZMU|ZRH|JFK|1lb\n", ["no column owner"]),
        ("owner,owner,from,to,weight\n", ["\"owner\" is there twice"]),
        ("owner,from,to,weight\n", ["no rows"]),
        ("owner,from,to,weight\nD/ZMU,ZRH,JFK\n", [":2: the line has 3 fields"]),
        (
            "owner,from,to,weight\nD/ZMU,ZRH,JFK,1lb\nDana/ZMU,ZRH,JFK,1lb\nD/ZMU,JFK,JFK,1lb\n",
            [":3: the given name", ":4: the bag departs from JFK", "2 of 3 rows are wrong"]
        ),
        (
            "owner,from,to,weight\n\"D/ZMU\nX\",ZRH,JFK,1lb\nD/ZMU,ZRH,JFK,x\n",
            [":2:", ":4: the weight"]
        ),
        ("owner,from,to,weight\nD/ZMU,ZRH,JFK,\"1lb", ["ends early"]),
        ("owner,from,to,weight\nD/ZMU,ZRH,JFK,nan\n", [":2: the weight"]),
        (
            "owner,from,to,weight\nD/ZMU,ZRH,JFK,42 \nD/ZMU,ZRH,JFK,999999lb\n",
            [
                ":2: the weight \"42 \" has no unit; write 42lb or 42kg",
                ":3: 999999.0 lb is more than",
            ]
        ),
        ("owner,from,to,weight\nD/ZMU,ZRH,JFK,0x10\n", [":2: the weight is wrong"]),
        (
            "owner,from,to,weight,id\nD/ZMU,ZRH,JFK,1lb,\(bag)\nD/ZMU,ZRH,JFK,2lb,\(bag.lowercased())\n",
            [":3: the identifier \(bag) is on line 2 too"]
        ),
        // What cannot be drawn is found out before anything is written.
        ("owner,from,to,weight\nD/ZMU,ZRH,JFK,1lb\nD/\u{E123},ZRH,JFK,1lb\n", [":3:", "fonts-"]),
        ("given,family,to\n,,JFK\n", [":2: the row names no passenger"]),
        ("given,family\n-,(\n", [":2: the row names no passenger"]),
        ("given,family,to\nDana,Zmuda,\"a\nb\"\n", [":2:", "invisible"]),
        ("given,family,date\nDana,Zmuda,1.7.26\n", [":2:", "2026-07-01"]),
    ]

    @Test(
        "names each wrong row by its line, and prints nothing",
        arguments: wrong,
        ["tags", "tags.pdf", "tags.zpl"]
    )
    func refuse(table: (table: String, words: [String]), out: String) async throws {
        let place = try Workplace()
        let path = try place.add("bags.csv", Array(table.table.utf8))
        let run = try await place.tag("print", "--from-csv", path, "--out", place.path(out))
        #expect(run.status == 1 && run.output == "")
        for words in table.words { #expect(run.errors.contains(words), "\(run.errors)") }
        #expect(try place.names == ["bags.csv"])
    }

    @Test("says of UTF-16, which spreadsheets save, that it is no UTF-8", arguments: [true, false])
    func wideLetters(isLittleEndian: Bool) async throws {
        let place = try Workplace()
        let units = "\u{FEFF}owner,from,to,weight\r\nD/ZMU,ZRH,JFK,42lb\r\n".utf16
        let bytes = units.flatMap { unit in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isLittleEndian ? pair.reversed() : pair
        }
        let path = try place.add("bags.csv", bytes)
        let run = try await place.tag("print", "--from-csv", path, "--out", place.path("tags.pdf"))
        #expect(run.status == 1 && run.output == "")
        #expect(run.errors.contains(":1: the file is UTF-16; save it as UTF-8"), "\(run.errors)")
        #expect(try place.names == ["bags.csv"])
    }

    @Test("leaves a folder alone that has something in it")
    func fullFolder() async throws {
        let place = try Workplace()
        let path = try place.add("bags.csv", Array(Self.tables[0].utf8))
        try place.add("note.txt", [])
        for out in [place.path(""), path] {
            let run = try await place.tag(
                "print",
                "--from-csv",
                path,
                "--format",
                "png",
                "--out",
                out
            )
            #expect(run.status == 73 && run.errors.contains("choose another name"))
            #expect(try place.names == ["bags.csv", "note.txt"])
        }
        try place.makeFolder("empty")
        let run = try await place.tag("print", "--from-csv", path, "--out", place.path("empty"))
        #expect(run.status == 0)
    }

    @Test(
        "puts several tags into no file that has one",
        arguments: [
            ["--out", "tags.png"], ["--out", "tags.SVG"], ["--out", "-", "--format", "png"],
            ["--out", "tags.pdf", "--format", "svg"],
        ]
    )
    func oneTag(arguments: [String]) async throws {
        let place = try Workplace()
        let path = try place.add("bags.csv", Array(Self.tables[0].utf8))
        let run = try await place.run(
            Workplace.tagExecutable,
            ["print", "--from-csv", path] + arguments,
            [:]
        )
        #expect(run.status == 64 && run.output == "", "\(run.errors)")
        #expect(try place.names == ["bags.csv"])
    }

    @Test("has no more than 20 things to say about a table")
    func manyFaults() async throws {
        let place = try Workplace()
        let rows = String(repeating: "D/ZMU,JFK,JFK,1lb\n", count: 30)
        let path = try place.add("bags.csv", Array("owner,from,to,weight\n\(rows)".utf8))
        let run = try await place.tag("print", "--from-csv", path, "--out", place.path("tags"))
        #expect(run.errors.split(separator: "\n").count == 21)
        #expect(run.errors.contains("30 of 30 rows are wrong, of which the first 20 are named"))
    }
}
