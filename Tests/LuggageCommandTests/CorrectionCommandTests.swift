import Foundation
import GRDB
import Testing

@Suite("luggage file, edit, undo and redo", .timeLimit(.minutes(30)))
struct CorrectionCommandTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private func scan(_ sample: String, at point: String = "origin", hour: Int = 8) async throws {
        _ = try await place.luggage(
            "scan",
            "--at",
            point,
            "--timestamp",
            "2026-07-01T0\(hour):00:00Z",
            "--by",
            "bob",
            Workplace.sample(sample)
        )
    }

    @Test("tell in words what they did, and what they took back")
    func words() async throws {
        try await scan("tag-f432-dzmu.png")
        let edit = try await place.luggage(
            ["edit", "f432", "--weight", "50lb", "--by", "anna", "--reason", "weighed again"]
        )
        #expect(edit.output == "corrected: bag F432BDB8 weight 42.0 lb → 50.0 lb\n")
        let list = try await place.luggage("undo", "--list")
        let times = #/20\d\d-\d\d-\d\d \d\d:\d\d UTC/#
        #expect(
            list.output.replacing(times, with: "2026-07-01 08:00 UTC") == """
                NUMBER  MADE                  BAG       WHAT                            PICTURE            BY    WHY
                     3  2026-07-01 08:00 UTC  F432BDB8  edit: weight 42.0 lb → 50.0 lb  -                  anna  weighed again
                     2  2026-07-01 08:00 UTC  F432BDB8  scan at origin: put on record   tag-f432-dzmu.png  bob   -

                """
        )
        let undo = try await place.luggage("undo", "--by", "anna")
        #expect(undo.output.hasPrefix("took back: bag F432BDB8 weight 42.0 lb → 50.0 lb, by anna"))
        let redo = try await place.luggage("redo", "--by", "anna")
        #expect(redo.output.hasPrefix("brought back: bag F432BDB8 weight 42.0 lb → 50.0 lb"))
        let shown = try await place.luggage("show", "f432", "--format", "json")
        #expect(shown.output.contains("\"weight\" : 50"))
        let file = try await place.luggage(
            [
                "file", "f432", "--at", "destination", "--time", "2026-07-01T10:00:00Z", "--reason",
                "torn",
            ]
        )
        #expect(
            file.output
                == "updated: bag F432BDB8 of D/ZMU, 50.0 lb, at destination 2026-07-01 10:00 UTC\n"
        )
        let scans = try await place.luggage("show", "f432")
        #expect(
            scans.output.contains(
                "2026-07-01 10:00 UTC  destination  destination  updated  -         (by hand)"
            )
        )
    }

    @Test("stand in the chain of custody, and mark what was taken back")
    func custody() async throws {
        try await scan("tag-f432-dzmu.png")
        try await scan("tag-f432-dzmu.png", at: "destination", hour: 9)
        _ = try await place.luggage("undo", "--by", "bob", "--reason", "wrong belt")
        let edit = ["edit", "f432", "--weight", "50lb", "--owner", "ZMU/E", "--by", "anna"]
        _ = try await place.luggage(edit + ["--reason", "weighed again"])
        let typed = ["file", "f4", "--at", "destination", "--time", "2026-07-01T10:00:00Z"]
        _ = try await place.luggage(typed + ["--by", "anna", "--reason", "torn"])
        let show = try await place.luggage("show", "f432")
        #expect(
            show.output.contains("destination  updated, undone  42.0 lb, D/ZMU  tag-f432"),
            "\(show.output)"
        )
        let corrections = try #require(
            show.lines.firstIndex { $0.hasPrefix("CORRECTED ") }.map { show.lines[($0 + 1)...] }
        )
        let ends = [
            #/ bob +change \d+ taken back +wrong belt$/#,
            #/ anna +weight 42\.0 lb → 50\.0 lb, owner D\/ZMU → E\/ZMU +weighed again$/#,
            #/ anna +tag typed +torn$/#,
        ]
        for (line, end) in zip(corrections, ends) {
            #expect(line.firstMatch(of: end) != nil, "\(line)")
        }
        let value = try JSONSerialization.jsonObject(
            with: Data(try await place.luggage("show", "f432", "--format", "json").output.utf8)
        )
        let report = try #require(value as? [String: Any])
        let scans = try #require(report["scans"] as? [[String: Any]])
        #expect(scans.map { $0["undoneAt"] != nil } == [false, true, false])
        #expect(scans.map { $0["isTyped"] as? Bool ?? false } == [false, false, true])
        let made = try #require(report["corrections"] as? [[String: Any]])
        #expect(made.map { $0["kind"] as? String } == ["undo", "edit", "file"])
        #expect((made[1]["weight"] as? [String: Double]) == ["before": 42, "after": 50])
        #expect(made[1]["author"] as? String == "anna")
        let history = try await place.luggage("history", "--format", "csv")
        #expect(history.lines[0].contains(",undoneAt"))
        let marked = try await place.luggage("history")
        #expect(marked.lines.count { $0.contains("updated, undone") } == 1)
        let summary = try await place.luggage("summary", "--since", "2026-07-01")
        #expect(summary.lines.first?.hasSuffix(": 2") == true, "\(summary.output)")
    }

    @Test(
        "are refused with the reason, and change nothing",
        arguments: [
            (["edit", "f432", "--weight", "50lb"], 64, "--reason"),
            (["edit", "f432", "--weight", "50", "--reason", "x"], 64, "--weight"),
            (["edit", "f432", "--weight", "1,5kg", "--reason", "x"], 64, "--weight"),
            (["edit", "f432", "--weight", "1e30lb", "--reason", "x"], 64, "than any bag weighs"),
            (["edit", "f432", "--weight", "99999.1lb", "--reason", "x"], 64, "99,999 lb"),
            (["edit", "f432", "--weight", "45360kg", "--reason", "x"], 64, "than any bag weighs"),
            (
                ["file", "f432", "--at", "origin", "--reason", "x", "--weight", "1e30lb"], 64,
                "than any bag weighs"
            ),
            (["edit", "f432", "--owner", "ZMU", "--reason", "x"], 64, "--owner"),
            (["edit", "f432", "--owner", "Dora/ZMU", "--reason", "x"], 64, "as D/ZMU"),
            (["edit", "f432", "--owner", "D/ZMU", "--no-owner", "--reason", "x"], 64, "not both"),
            (["edit", "f432", "--reason", "x"], 64, "--no-owner"),
            (["edit", "f432", "--weight", "1lb", "--reason", " "], 64, "--reason"),
            (["edit", "f432", "--weight", "1lb", "--reason", "x", "--by", "\u{1B}"], 64, "--by"),
            (["edit", "9", "--weight", "1lb", "--reason", "x"], 1, "no bag begins or ends with 9"),
            (["edit", "bag", "--weight", "1lb", "--reason", "x"], 64, "hexadecimal"),
            (["file", "9", "--at", "origin", "--reason", "x"], 1, "no bag begins or ends with 9"),
            (["file", "f432", "--at", "gate", "--reason", "x"], 64, "unload, destination"),
            (["file", "f432", "--at", "origin"], 64, "--reason"),
            (["file", "f432", "--at", "origin", "--reason", "x", "--time", "file"], 64, "picture"),
            (
                ["file", "f432", "--at", "origin", "--reason", "x", "--time", "2026-11-21"], 64,
                "write a moment such as"
            ),
            (
                ["file", "f432", "--at", "origin", "--reason", "x", "--time", "2999-01-01T00:00Z"],
                64, "future"
            ),
            (["undo", "4711"], 1, "undo --list"),
            (["undo", "\(Int64.max)"], 1, "undo --list"),
            (["undo", "--", "\(Int64.min)"], 1, "undo --list"),
            (["undo", "--list", "2"], 64, "no number"),
            (["redo"], 1, "nothing is taken back"), (["undo", "--limit", "0"], 64, "--limit"),
            (["undo", "--store", "nowhere"], 66, "no record"),
        ] as [([String], Int32, String)]
    )
    func refused(arguments: [String], status: Int32, words: String) async throws {
        try await scan("tag-f432-dzmu.png")
        let before = try await place.luggage("show", "f432")
        let run = try await place.luggage(arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        let after = try await place.luggage("show", "f432")
        #expect(after.output == before.output)
    }

    @Test("take a bag of which nobody knows the weight, and say nothing of it")
    func noWeight() async throws {
        let file = try await place.luggage(
            [
                "file", "9C417E05-0000-4000-8000-00000000000D", "--at", "origin", "--time",
                "2026-07-01T10:00:00Z", "--owner", "D/ZMU", "--reason", "torn",
            ]
        )
        #expect(file.output == "new: bag 9C417E05 of D/ZMU, at origin 2026-07-01 10:00 UTC\n")
        let json = try await place.luggage("list", "--format", "jsonl")
        #expect(try json.objects().map { $0["weight"] == nil } == [true])
        let edit = ["edit", "9c41", "--weight", "50lb", "--reason", "weighed"]
        #expect(
            try await place.luggage(edit).output
                == "corrected: bag 9C417E05 weight - → 50.0 lb\n"
        )
        let undo = try await place.luggage("undo")
        #expect(undo.output.hasPrefix("took back: bag 9C417E05 weight - → 50.0 lb"), "\(undo)")
        let show = try await place.luggage("show", "9c41")
        #expect(show.output.contains("\nWeight    -\n"), "\(show.output)")
        #expect(try await place.luggage("check").output == "the record is well\n")
    }

    /// What a bag is said to weigh at first and then, and what is told of it in pounds and kilograms.
    static let weights: [(first: String, then: String, words: String, kilograms: String)] = [
        ("0lb", "0.01lb", "0.00 lb → 0.01 lb", "0.000 kg → 0.005 kg"),
        ("42.01lb", "42.04lb", "42.01 lb → 42.04 lb", "19.06 kg → 19.07 kg"),
        ("42lb", "42.1lb", "42.0 lb → 42.1 lb", "19.05 kg → 19.10 kg"),
        ("0lb", "0.00000001lb", "0.0 lb → 1e-08 lb", "0.0 kg → 4.5359236e-09 kg"),
        ("99999lb", "50lb", "99999.0 lb → 50.0 lb", "45358.8 kg → 22.7 kg"),
    ]

    @Test("a weight that differs is told with the digits in which it does")
    func digits() async throws {
        try await scan("tag-f432-dzmu.png")
        for (first, then, words, kilograms) in Self.weights {
            let heavy = [
                "LUGGAGE_STORE": place.store, "TZ": "UTC", "LUGGAGE_HEAVIEST": "99999 lb",
            ]
            _ = try await place.luggage(
                ["edit", "f432", "--weight", first, "--reason", "x"],
                environment: heavy
            )
            let run = try await place.luggage(
                ["edit", "f432", "--weight", then, "--reason", "y"],
                environment: heavy
            )
            #expect(run.output == "corrected: bag F432BDB8 weight \(words)\n")
            let changes = try await place.luggage("undo", "--list", "--limit", "1")
            #expect(changes.output.contains(words), "\(changes.output)")
            let shown = try await place.luggage("show", "f432", "--units", "kg")
            #expect(shown.output.contains(kilograms), "\(shown.output)")
        }
    }

    @Test("a scan that was taken back is shown with its mark, and counts for no question")
    func marked() async throws {
        try await scan("tag-f432-dzmu.png")
        try await scan("tag-f432-dzmu.png", at: "destination", hour: 9)
        _ = try await place.luggage("undo", "--by", "bob")
        for command in [["history"], ["show", "f432"]] {
            let run = try await place.luggage(command)
            let marked = run.lines.filter { $0.contains("updated, undone") }
            #expect(marked.count == 1 && marked[0].contains("destination"), "\(run.output)")
            #expect(!run.output.contains("new, undone"), "\(run.output)")
        }
        let lines = try await place.luggage("history", "--format", "jsonl").objects()
        #expect(lines.map { $0["undoneAt"] is String } == [false, true])
        let csv = try await place.luggage("history", "--format", "csv")
        let rows = csv.output.split(separator: "\r\n")
        try #require(rows.count == 3)
        #expect(rows[0].hasSuffix(",undoneAt,closed") && rows[1].hasSuffix(",,"))
        #expect(rows[2].hasSuffix("Z,"))
        let summary = try await place.luggage("summary", "--since", "2026-07-01")
        #expect(summary.lines[0].hasSuffix(": 1"), "\(summary.output)")
        #expect(!summary.output.contains("destination"))
        let there = try await place.luggage("list", "--station", "destination")
        #expect(there.output == "0 bags\n")
        _ = try await place.luggage("redo", "--by", "bob")
        let back = try await place.luggage("list", "--station", "destination")
        #expect(back.output.contains("F432BDB8"))
        #expect(try await !place.luggage("history").output.contains("undone"))
    }

    @Test("of two processes that take one change back at once, one does")
    func race() async throws {
        try await scan("tag-f432-dzmu.png")
        try await scan("tag-9c41-dzmu.png")
        let changes = try await place.luggage("undo", "--list", "--format", "json").array()
        let number = try #require(changes.first?["number"] as? Int)
        let runs = try await withThrowingTaskGroup(of: Workplace.Run.self) { group in
            for _ in 0..<2 {
                group.addTask { [place] in try await place.luggage("undo", "\(number)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(runs.map(\.status).sorted() == [0, 1])
        #expect(runs.contains { $0.errors.contains("is taken back already") })
        let bags = try await place.luggage("list", "--format", "json").array()
        #expect(bags.map { $0["id"] as? String } == ["F432BDB8-D84F-4461-8362-AFF89F6C493E"])
    }

    @Test(
        "a record of an older version of the program is brought up to date, even by looking at it"
    )
    func migration() async throws {
        try await scan("tag-f432-dzmu.png")
        // As it was before there were corrections.
        let queue = try DatabaseQueue(path: place.store)
        try await queue.write { db in
            let text = try String.fetchOne(db, sql: "SELECT definition FROM ObjectStoreModel") ?? ""
            var model = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            )
            let entities = try #require(model["entities"] as? [[String: Any]])
            model["entities"] = entities.filter {
                !["Correction", "ScanCount"].contains($0["name"] as? String)
            }.map { entity in
                var entity = entity
                let columns = entity["columns"] as? [[String: Any]] ?? []
                entity["columns"] = columns.filter {
                    !["undoneAt", "author"].contains($0["name"] as? String)
                }
                let indices = entity["indices"] as? [[String: Any]] ?? []
                entity["indices"] = indices.filter {
                    $0["name"] as? String != "Scan(author,filedAt)"
                }
                return entity
            }
            let older = try JSONSerialization.data(withJSONObject: model)
            try db.execute(
                sql: "UPDATE ObjectStoreModel SET definition = ?",
                arguments: [String(decoding: older, as: UTF8.self)]
            )
            try db.execute(
                sql: """
                    DROP TABLE Correction; DROP TABLE ScanCount;
                    DELETE FROM ObjectStoreKeys WHERE entity IN ('Correction', 'ScanCount');
                    ALTER TABLE Scan DROP COLUMN undoneAt; DROP INDEX "Scan(author,filedAt)";
                    ALTER TABLE Scan DROP COLUMN author; DELETE FROM ObjectStoreHistory;
                    """
            )
        }
        try queue.close()
        let list = try await place.luggage("list")
        #expect(list.status == 0 && list.output.contains("F432BDB8"), "\(list.errors)")
        // What somebody has done last is found without looking at everything.
        let opened = try DatabaseQueue(path: place.store)
        let indices = try await opened.read { db in
            try (db.indexes(on: "Scan") + db.indexes(on: "Correction")).map(\.name)
        }
        try opened.close()
        #expect(indices.contains("Scan(author,filedAt)"), "\(indices)")
        #expect(indices.contains("Correction(author,knownAt)"), "\(indices)")
        let check = try await place.luggage("check")
        #expect(check.status == 0, "\(check.output)")
        let edit = try await place.luggage("edit", "f", "--weight", "1lb", "--reason", "x")
        #expect(edit.status == 0)
        #expect(try await place.luggage("undo").status == 0)
        // Who has scanned was not noted then.
        let nobody = try await place.luggage("undo", "--by", "bob")
        #expect(
            nobody.status == 1 && nobody.errors.contains("`luggage undo 2`"),
            "\(nobody.errors)"
        )
        try await scan("tag-9c41-dzmu.png")
        #expect(try await place.luggage("undo", "--by", "bob").status == 0)
    }
}
