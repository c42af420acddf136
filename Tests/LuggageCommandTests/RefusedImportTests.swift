import Foundation
import Testing

@Suite("luggage import, of a file that is refused or of which a part is,")
struct RefusedImportTests {
    @Test("says where it is wrong and what to do, and keeps nothing of it, nor makes a record")
    func refused() async throws {
        let place = try Workplace()
        let file = """
            {"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":42}
            {"id":"9C417E05-3B6A-4D92-A1F7-5E802C19D4B3","weight":"heavy"}

            """
        try place.add("bags.jsonl", Array(file.utf8))
        let run = try await place.luggage("import", "bags.jsonl")
        #expect(run.status == 1)
        #expect(
            run.errors == """
                luggage: bags.jsonl, line 2, bag, record 2: weight: expected a number, found the text \
                "heavy"; correct it, or take the others with --partial

                """
        )
        #expect(run.output.hasSuffix("\nnothing of bags.jsonl was kept\n"))
        // No record was made for it, nor anything beside its place.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path("")) == ["bags.jsonl"]
        )
        #expect(try await place.luggage("list").status == 66)
        let partial = try await place.luggage(
            "import",
            "--partial",
            "--report",
            "json",
            "bags.jsonl"
        )
        #expect(partial.status == 1)
        #expect(partial.output.contains("\"reason\" : \"type-mismatch\""))
        #expect(try await place.luggage("list", "--format", "json").array().count == 1)
    }

    /// Files of five records, four of which are refused, and the lines of the table about them.
    static let fourOfFive: [(name: String, lines: [String], table: [String])] = [
        (
            "five.jsonl",
            [
                #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":42}"#,
                #"{"id":"F432","weight":42}"#,
                #"{"owner":["D","ZMU"],"weight":42}"#,
                #"{"id":"9C417E05-3B6A-4D92-A1F7-5E802C19D4B3","weight":-1}"#, "{nonsense",
            ],
            ["bags       1  0  0  0  3", "unknown    0  0  0  0  1"]
        ),
        (
            "five.csv",
            [
                "id,weight,givenName,familyName", "F432BDB8-D84F-4461-8362-AFF89F6C493E,42,,",
                "F432,42,,", ",42,D,ZMU",
                "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3,42", "\"a\"b,1,,",
            ],
            ["bags  1  0  0  0  4"]
        ),
    ]

    @Test(
        "counts in the table all that is refused, and says that nothing was kept, or is new, where nothing is"
    )
    func fourOfFive() async throws {
        for (name, lines, table) in Self.fourOfFive {
            let place = try Workplace()
            try place.add(name, Array(lines.joined(separator: "\n").utf8))
            let run = try await place.luggage("import", "--partial", name)
            #expect(run.status == 1)
            let shown = run.lines.dropFirst().prefix(table.count).map { line in
                line.split(separator: " ").joined(separator: " ")
            }
            #expect(
                shown == table.map { $0.split(separator: " ").joined(separator: " ") },
                "\(run.output)"
            )
            #expect(run.output.hasSuffix("\n\(name) was kept in part\n"), "\(run.output)")
            let again = try await place.luggage("import", "--partial", name)
            #expect(again.status == 1)
            #expect(
                again.output.hasSuffix(
                    "\nnothing of \(name) is new: what was not refused was on record\n"
                ),
                "\(again.output)"
            )
            try place.add(
                name,
                Array(lines.filter { !$0.contains("BDB8") }.joined(separator: "\n").utf8)
            )
            let none = try await place.luggage("import", "--partial", name)
            #expect(none.status == 1)
            #expect(none.output.hasSuffix("\nnothing of \(name) was kept\n"), "\(none.output)")
            // Nor does it make a record where there is none.
            #expect(try await place.shell("rm luggage.sqlite*").status == 0)
            let first = try await place.luggage("import", "--partial", name)
            #expect(first.output == none.output && first.status == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("")) == [name])
        }
    }

    /// Files that are refused, and the command or option that helps.
    static let remedies = [
        ("\u{89}PNG\r\n", "`luggage scan`"), ("noise", "`luggage export`"),
        (#"{"about":{"format":"parcels","version":1}}"#, "`luggage export`"),
        (#"[{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":42}"#, "--partial"),
        ("[] {}", "--format"),
        (#"[{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":-1}]"#, "--partial"),
        (#"[{"id":"F432","weight":1}]"#, "--partial"),
    ]

    @Test("names what helps, to people and to programs, and makes no record", arguments: remedies)
    func remedy(file: String, words: String) async throws {
        let place = try Workplace()
        // As Latin 1, so that a file may have any byte.
        let bytes = file.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        try place.add("file", bytes)
        for report in ["table", "json"] {
            let run = try await place.luggage("import", "--report", report, "file")
            #expect(run.status == 1)
            let told = report == "json" ? run.output : run.errors
            #expect(told.contains(words), "\(run.errors)\(run.output)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("")) == ["file"])
    }
}
