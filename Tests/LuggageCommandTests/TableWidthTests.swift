import Foundation
import Testing

@testable import luggage

@Suite("A table on a terminal", .timeLimit(.minutes(30)))
struct TableWidthTests {
    private static let columns: [FittedTable.Column] = [
        .init(heading: "BAG"), .init(heading: "OWNER", leastWidth: 8),
        .init(heading: "WEIGHT", isRightAligned: true, leastWidth: 10),
        .init(heading: "DEPARTED", leastWidth: 16),
        .init(heading: "PICTURE", leastWidth: 7, hasFileNames: true),
        .init(heading: "WHAT IS WRONG", isSentence: true),
    ]

    private static let rows: [[FittedTable.Cell]] = [
        [
            .init("F432BDB8"), .init("李/小龙"), .init("42.0 lb"),
            .init("2026-11-20 08:00 UTC", isTime: true), .init("belt-4/写真-2026-11-20-0042.png"),
            .init("expected a number, found the text \"heavy\""),
        ],
        [
            .init("F4000000-0000-4000-8000-00000000000A"),
            .init(String(repeating: "長い名前", count: 9)),
            .init(String(repeating: "9", count: 44)), .init("-"), .init("\u{1B}[2J\n.png"),
            .init(String(repeating: "w", count: 50)),
        ],
        [.init(""), .init("D/ZMU"), .init("-"), .init("?"), .init("a.png"), .init("-")],
    ]

    @Test("is no wider than it, and cuts nothing that must stay whole", arguments: 20...140)
    func width(width: Int) {
        for count in 1...Self.columns.count {
            for rows in [Array(Self.rows.prefix(1)), Self.rows] {
                let rows = rows.map { Array($0.suffix(count)) }
                let columns = Array(Self.columns.suffix(count))
                let terminal = Terminal(width: width, hasColour: false)
                let table = FittedTable(columns, rows: rows, on: terminal)
                let lines = ([table.heading] + rows.map { table.line($0) })
                for line in lines.flatMap({ $0.split(separator: "\n") }) {
                    #expect(String(line).displayWidth <= width, "\(line)")
                }
                // Sentences are broken between words, and longer words anywhere.
                let shown = lines[1].split(separator: "\n").map { $0.drop { $0 == " " } }
                #expect(
                    shown.joined().filter { $0 != " " }.contains(
                        "expectedanumber,foundthetext\"heavy\""
                    ),
                    "\(lines[1])"
                )
                if count == 6 { #expect(lines[1].contains("F432BDB8")) }
                if count >= 4 { #expect(lines[1].contains("2026-11-20 08:00")) }
                if count >= 4 { #expect(lines[1].contains("42.0 lb")) }
            }
        }
    }

    /// What must be read whole, whatever the width: identifiers, times, outcomes, weights and numbers.
    static let commands: [(arguments: [String], words: [String])] = [
        (
            ["list"],
            [
                "F4000000", "A17E05BB", "李/小龙", "D/ZMU", "43.5 lb", "199.5 lb",
                "2026-11-20 08:00", "2 bags",
            ]
        ),
        (["list", "--missing"], ["A17E05BB", "199.5 lb", "2026-11-20 08:05", "1 bag missing"]),
        (
            ["list", "--columns", "bag,weight,missing,arrived,departed,owner"],
            ["F4000000", "43.5 lb", "2026-11-20 08:00", "2026-11-20 11:30"]
        ),
        (
            ["show", "F4"],
            [
                "F4000000-0000-4000-8000-00000000000A", "43.5 lb", "2026-11-20 08:00",
                "2026-11-20 11:30",
                "origin", "destination", "new", "changed", "weight 42.0 lb → 43.5 lb", "anna",
            ]
        ),
        (
            ["history"],
            [
                "F4000000", "A17E05BB", "2026-11-20 08:00", "2026-11-20 11:30", "origin",
                "destination",
                "new", "changed", "not-property-list", "4 scans",
            ]
        ),
        (
            ["summary", "--since", "2026-11-20"],
            [
                "Read rate 75.0%", "100.0%", "origin", "destination", "not-property-list",
                "A17E05BB",
                "199.5 lb", "2026-11-20 08:05",
            ]
        ),
        (["passengers"], ["李/小龙", "D/ZMU", "passengers"]),
        (
            ["status", "--folder", "inbox"],
            ["waiting", "failed: 2", "no-code", "type-mismatch", "\"heavy\""]
        ),
        (
            ["scan", "--at", "origin", "--dry-run", "inbox/failed"],
            ["no-code", "invalid", "\"heavy\"", "2 results"]
        ),
        (["import", "bags.jsonl"], ["bags", "scans", "new", "changed", "repeated", "refused"]),
        (["undo", "--list"], ["2", "F4000000", "edit: weight 42.0 lb → 43.5 lb", "anna"]),
        (["check"], ["the record is well"]),
        (["check", "--folder", "inbox"], ["the record", "well"]),
    ]

    private static func filled() async throws -> Workplace {
        let place = try Workplace()
        let (hall, belt) = ("Internationaler Flughafen München, Halle 2", "第二航站楼 到达大厅 北区 14")
        let file = "belt-4/写真写真写真写真-2026-11-20-0042 of the northern hall.png"
        let record = #"""
            {"record":"bag","id":"F4000000-0000-4000-8000-00000000000A","owner":["D","ZMU"],"weight":42.0,"departedAt":"2026-11-20T08:00:00Z","arrivedAt":"2026-11-20T11:30:00Z"}
            {"record":"bag","id":"A17E05BB-0000-4000-8000-00000000000B","owner":["李","小龙"],"weight":199.5,"departedAt":"2026-11-20T08:05:00Z"}
            {"record":"scan","bag":"F4000000-0000-4000-8000-00000000000A","point":"origin","station":"\#(hall)","scannedAt":"2026-11-20T08:00:00Z","imageName":"a.png","imageDigest":"a1","payload":"{\"id\":\"F4000000-0000-4000-8000-00000000000A\",\"owner\":[\"A\",\"LOV\"],\"weight\":45}","outcome":"new"}
            {"record":"scan","bag":"F4000000-0000-4000-8000-00000000000A","point":"destination","station":"\#(belt)","scannedAt":"2026-11-20T11:30:00Z","imageName":"\#(file)","imageDigest":"a1","payload":"{\"id\":\"F4000000-0000-4000-8000-00000000000A\",\"owner\":[\"D\",\"ZMU\"],\"weight\":42}","outcome":"changed"}
            {"record":"scan","bag":"A17E05BB-0000-4000-8000-00000000000B","point":"origin","station":"\#(hall)","scannedAt":"2026-11-20T08:05:00Z","imageName":"\#(file)","imageDigest":"b1","outcome":"new"}
            {"record":"scan","point":"origin","station":"\#(hall)","scannedAt":"2026-11-20T08:06:00Z","imageName":"\#(file)","imageDigest":"c1","outcome":"invalid","reason":"not-property-list"}
            """#
        try place.add("bags.jsonl", Array(record.utf8))
        let file2 = "写真写真写真写真-2026-11-20-0042 of the northern hall.png"
        for (sample, name) in [("torn-off.png", file2), ("weight-in-words.png", "w.png")] {
            try place.drop(sample, as: name)
        }
        for arguments in [
            ["watch", "--once", "inbox", "--store", "inbox.sqlite"], ["import", "bags.jsonl"],
            [
                "edit", "F4", "--weight", "43.5lb", "--by", "anna", "--reason",
                "weighed again, on belt 3",
            ],
        ] {
            let run = try await place.luggage(arguments)
            #expect(run.status == (arguments[0] == "watch" ? 1 : 0), "\(arguments) \(run.errors)")
        }
        return place
    }

    @Test("tells whole what matters, whatever is in it", arguments: [40, 60, 80, 120] as [UInt16])
    func essentials(columns: UInt16) async throws {
        let place = try await Self.filled()
        let failing: Set<String> = ["status", "scan"]
        for (arguments, words) in Self.commands {
            let shown = try await PseudoTerminal(columns: columns).show(
                place,
                arguments,
                environment: ["NO_COLOR": "1"],
                status: failing.contains(arguments[0]) ? 1 : 0
            )
            for line in shown.split(separator: "\n") {
                #expect(String(line).displayWidth <= Int(columns), "\(arguments): \(line)")
            }
            // Whether headings are in front of the lines or above the columns.
            let told = shown.lowercased().split { $0.isWhitespace }.joined(separator: " ")
            for word in words { #expect(told.contains(word.lowercased()), "\(word) in \(shown)") }
        }
    }
}
