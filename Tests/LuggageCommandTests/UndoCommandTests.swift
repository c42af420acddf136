import Foundation
import GRDB
import Testing

@Suite("luggage undo and redo at the desk", .timeLimit(.minutes(30)))
struct UndoCommandTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private func scan(_ sample: String, by person: String) async throws {
        let run = try await place.luggage(
            ["scan", "--at", "origin", "--by", person, Workplace.sample(sample)]
        )
        #expect(run.status == 0, "\(run.errors)")
    }

    @discardableResult
    private func edit(_ weight: String, by person: String) async throws -> Workplace.Run {
        let edit = ["edit", "f432", "--weight", weight, "--by", person, "--reason", "weighed"]
        return try await place.luggage(edit)
    }

    private func bags() async throws -> Set<String> {
        let bags = try await place.luggage("list", "--format", "json").array()
        return Set(bags.compactMap { ($0["id"] as? String).map { String($0.prefix(4)) } })
    }

    private func weight() async throws -> Double? {
        let bags = try await place.luggage("list", "--format", "json").array()
        return bags.first?["weight"] as? Double
    }

    // MARK: Whose

    @Test("without a number are about what this person has done, or taken back, last")
    func own() async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        try await scan("tag-9c41-dzmu.png", by: "bob")
        let undo = try await place.luggage("undo", "--by", "anna")
        #expect(undo.output.hasPrefix("took back: bag F432BDB8 put on record, by anna at "))
        #expect(try await place.luggage("undo", "--by", "bob").status == 0)
        #expect(try await bags() == [])
        let redo = try await place.luggage("redo", "--by", "anna")
        #expect(redo.output.hasPrefix("brought back: bag F432BDB8"), "\(redo.errors)")
        #expect(try await bags() == ["F432"])
    }

    @Test("a scan is its user's, and --by names somebody else")
    func loginName() async throws {
        let tag = Workplace.sample("tag-f432-dzmu.png")
        let environment = ["LUGGAGE_STORE": place.store, "TZ": "UTC", "SUDO_USER": "clara"]
        let scan = try await place.luggage(
            ["scan", "--at", "origin", tag],
            environment: environment
        )
        #expect(scan.status == 0, "\(scan.errors)")
        let list = try await place.luggage("undo", "--list", "--format", "json").array()
        #expect(list.map { $0["author"] as? String } == ["clara"])
        #expect(list.map { $0["station"] as? String } == ["origin"])
        #expect(list.map { $0["isOfPerson"] as? Bool } == [true])
        #expect(try await place.luggage("undo", "--by", "anna").status == 1)
        #expect(try await place.luggage(["undo"], environment: environment).status == 0)
        let refused = try await place.luggage("scan", "--at", "origin", "--by", "", tag)
        #expect(refused.status == 64 && refused.errors.contains("--by"), "\(refused.errors)")
    }

    @Test("what a service has filed is nobody's, and is named with its number")
    func service() async throws {
        try place.drop("tag-f432-dzmu.png")
        let watch = try await place.luggage("watch", "--once", "--station", "MUC-2", "inbox")
        #expect(watch.status == 0, "\(watch.errors)")
        for person in ["anna", "MUC-2"] {
            let run = try await place.luggage("undo", "--by", person)
            #expect(run.status == 1 && run.output == "")
            let words =
                "luggage: \(person) has made no change that could be taken back; the last one of others "
                + "is 2: bag F432BDB8 put on record, by MUC-2 at "
            #expect(run.errors.hasPrefix(words), "\(run.errors)")
            #expect(run.errors.hasSuffix("; `luggage undo 2` takes it back\n"), "\(run.errors)")
        }
        #expect(try await bags() == ["F432"])
        let none = try await place.luggage("redo", "--by", "anna")
        #expect(none.status == 1 && none.errors == "luggage: nothing is taken back\n")
        let undo = try await place.luggage("undo", "2", "--by", "bob", "--format", "json")
        #expect(undo.output.contains("\"isOfPerson\" : false"), "\(undo.output)")
        #expect(undo.output.contains("\"undoneBy\" : \"bob\""), "\(undo.output)")
        let redo = try await place.luggage("redo", "--by", "anna")
        #expect(redo.status == 1)
        #expect(
            redo.errors.contains(
                "anna has taken nothing back; the last one that is taken back is 2: "
            )
                && redo.errors.hasSuffix(
                    ", taken back by bob; `luggage redo 2` brings it back\n"
                ),
            "\(redo.errors)"
        )
        #expect(try await place.luggage("redo", "--by", "bob").status == 0)
        #expect(try await bags() == ["F432"])
        let empty = try await place.luggage("undo", "--list", "--by", "anna")
        #expect(empty.output == "anna has made no change that could be taken back\n")
        let emptyRedo = try await place.luggage("redo", "--list", "--by", "anna")
        #expect(emptyRedo.output == "anna has taken nothing back\n")
    }

    @Test("the list is everybody's, with who has done it, or with --by that person's")
    func list() async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        try await edit("50lb", by: "bob")
        let all = try await place.luggage("undo", "--list")
        #expect(all.lines.count == 4 && all.output.contains("  anna  -"), "\(all.output)")
        #expect(all.output.contains("  bob   weighed"), "\(all.output)")
        let his = try await place.luggage("undo", "--list", "--by", "bob")
        #expect(his.lines.count == 3 && his.lines[1].hasPrefix("     3  "), "\(his.output)")
        _ = try await place.luggage("undo", "3", "--by", "anna")
        let hers = try await place.luggage("redo", "--list", "--by", "anna")
        #expect(hers.lines[0].hasSuffix("  BY   UNDONE BY  WHY"), "\(hers.output)")
        #expect(hers.lines[1].hasSuffix("  bob  anna       weighed"), "\(hers.output)")
        let none = try await place.luggage("redo", "--list", "--by", "bob", "--format", "json")
        #expect(try none.array().isEmpty)
    }

    // MARK: Asking

    private static let question = "Type y or yes:"
    private static let terminal = PseudoTerminal(columns: 200)

    @Test(
        "on a terminal show what the bag will be, and do nothing but for y or yes",
        arguments: [
            ("y\n", true), ("yes\n", true), ("\n", false), ("n\n", false), ("no\n", false),
            ("Y\n", false), (" yes\n", false), ("yes please\n", false), ("\u{1B}[A\n", false),
            ("\u{04}", false), ("\u{FFFD}\n", false),
        ]
    )
    func question(answer: String, isDone: Bool) async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        try await edit("50lb", by: "anna")
        for (command, before, words, question) in [
            ("undo", 50, "taken back: weight 50.0 lb → 42.0 lb", "Take it back?"),
            ("redo", 42, "brought back: weight 42.0 lb → 50.0 lb", "Bring it back?"),
        ] {
            if try await weight() != Double(before) {
                #expect(try await place.luggage("undo", "--by", "anna").status == 0)
            }
            let shown = try await Self.terminal.ask(
                place,
                [command, "--by", "anna"],
                Self.question,
                answer
            ).replacing(#/20\d\d-\d\d-\d\d \d\d:\d\d UTC/#, with: "TIME")
            let change = "bag F432BDB8 weight 42.0 lb → 50.0 lb, by anna at TIME (weighed)\n"
            #expect(shown.hasPrefix("\(change)\(words)\n\(question) Type y or yes: "), "\(shown)")
            let done = command == "undo" ? "took back" : "brought back"
            let end = isDone ? "\n\(done): \(change)" : "\nnothing was changed\n"
            #expect(shown.hasSuffix(end), "\(shown)")
            #expect(try await weight() == (isDone ? 92 - Double(before) : Double(before)))
        }
    }

    @Test("ask nobody with --yes, with --list, in a pipe, or where there is nothing to do")
    func unasked() async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        for (arguments, words, status) in [
            (["undo", "--yes", "--by", "anna"], "took back: bag F432BDB8", 0),
            (["redo", "--yes", "--by", "anna"], "brought back: bag F432BDB8", 0),
            (["undo", "--list"], "NUMBER", 0),
            (["redo", "--by", "anna"], "nothing is taken back", 1),
            (["undo", "--by", "bob"], "bob has made no change", 1),
            (["undo", "4711"], "is not a change", 1),
            (["redo", "2"], "change 2 counts already", 1),
        ] as [([String], String, Int32)] {
            let shown = try await Self.terminal.ask(
                place,
                arguments,
                Self.question,
                nil,
                status: status
            )
            #expect(shown.contains(words), "\(arguments): \(shown)")
        }
        #expect(try await bags() == ["F432"])
        // The output alone is a terminal.
        let piped = try await Self.terminal.show(place, ["undo", "--by", "anna"])
        #expect(piped.hasPrefix("took back: "), "\(piped)")
    }

    @Test("turn the change that was shown, whatever this person does meanwhile")
    func meanwhile() async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        try await edit("50lb", by: "anna")
        let shown = try await Self.terminal.ask(
            place,
            ["undo", "--by", "anna"],
            Self.question,
            "y\n"
        ) {
            try await scan("tag-9c41-dzmu.png", by: "anna")
        }
        #expect(shown.contains("took back: bag F432BDB8 weight 42.0 lb → 50.0 lb"), "\(shown)")
        #expect(try await bags() == ["F432", "9C41"])
    }

    @Test("are refused where somebody else has turned what was shown meanwhile")
    func turnedMeanwhile() async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        for command in ["undo", "redo"] {
            let shown = try await Self.terminal.ask(
                place,
                [command, "--by", "anna"],
                Self.question,
                "y\n",
                status: 1
            ) {
                let run = try await place.luggage(command, "2", "--by", "anna")
                #expect(run.status == 0, "\(run.errors)")
            }
            let words = command == "undo" ? "is taken back already" : "counts already"
            #expect(shown.hasSuffix("luggage: change 2 \(words)\n"), "\(shown)")
        }
        #expect(try await bags() == ["F432"])
    }

    @Test("say of every kind of change what becomes of its bag")
    func outlook() async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        try await edit("50lb", by: "anna")
        try await edit("60lb", by: "anna")
        try place.drop("torn-off.png", as: "torn.png")
        #expect(try await place.luggage("watch", "--once", "inbox").status == 1)
        let dismissal = ["dismiss", "inbox/failed/torn.png", "--by", "anna", "--reason", "torn"]
        #expect(try await place.luggage(dismissal).status == 0)
        for (number, before, after) in [
            (2, "the bag goes off record", "the bag comes on record"),
            (3, "the bag stays as it is", "the bag stays as it is"),
            (5, "weight 60.0 lb → 50.0 lb", "weight 50.0 lb → 60.0 lb"),
            (7, "the picture is no longer dismissed", "the picture is dismissed"),
        ] {
            for (command, words) in [("undo", "taken back: "), ("redo", "brought back: ")] {
                let shown = try await Self.terminal.ask(
                    place,
                    [command, "\(number)"],
                    Self.question,
                    "y\n"
                )
                let line = words + (command == "undo" ? before : after)
                #expect(shown.contains("\n\(line)\n"), "\(number): \(shown)")
            }
        }
    }

    @Test("a purge asks in the same way, and needs more than y", arguments: ["y", "yes"])
    func purge(answer: String) async throws {
        let tag = Workplace.sample("tag-f432-dzmu.png")
        let scan = ["scan", "--at", "origin", "--timestamp", "2026-07-01T08:00:00Z", tag]
        #expect(try await place.luggage(scan).status == 0)
        let asked = try await Self.terminal.ask(
            place,
            ["purge", "--bags", "--older-than", "2026-07-02"],
            "This cannot be undone. Type yes:",
            "\(answer)\n"
        )
        #expect(asked.contains("would delete, from before"), "\(asked)")
        #expect(try await bags() == (answer == "yes" ? [] : ["F432"]))
    }

    // MARK: Words

    @Test("an edit that changes nothing any more is no scan, and no owner is told of purged names")
    func words() async throws {
        try await scan("tag-f432-dzmu.png", by: "anna")
        let owner = ["edit", "f432", "--no-owner", "--by", "bob", "--reason", "a stranger's"]
        #expect(try await place.luggage(owner).status == 0)
        try await edit("50lb", by: "bob")
        try await edit("60lb", by: "bob")
        let list = try await place.luggage("undo", "--list")
        #expect(list.output.contains("edit: corrected, changes nothing now"), "\(list.output)")
        #expect(!list.output.contains("scanned"), "\(list.output)")
        let undo = try await place.luggage("undo", "5", "--by", "bob")
        #expect(
            undo.output.hasPrefix("took back: bag F432BDB8 corrected, changes nothing now, by bob"),
            "\(undo.output)"
        )
        let shown = try await place.luggage("show", "f432")
        #expect(shown.output.contains("owner D/ZMU → -"), "\(shown.output)")
        // As a purge of names leaves it.
        let queue = try DatabaseQueue(path: place.store)
        try await queue.write { db in
            try db.execute(
                sql:
                    "UPDATE Correction SET givenNameBefore = NULL, familyNameBefore = NULL, reason = ''"
            )
        }
        try queue.close()
        let purged = try await place.luggage("show", "f432")
        #expect(!purged.output.contains("owner -"), "\(purged.output)")
        #expect(purged.output.contains("owner or weight"), "\(purged.output)")
        let json = try await place.luggage("show", "f432", "--format", "json")
        let value = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        let corrections = try #require(
            (value as? [String: Any])?["corrections"] as? [[String: Any]]
        )
        #expect(corrections.count == 4 && corrections.allSatisfy { $0["owner"] == nil })
    }
}
