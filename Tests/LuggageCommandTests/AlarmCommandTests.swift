import Foundation
import Testing

@Suite("luggage note, and the alarms that it and luggage status show,", .timeLimit(.minutes(30)))
struct AlarmCommandTests {
    private static let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private let place: Workplace

    init() async throws {
        place = try Workplace()
        let typed = try await place.luggage(
            [
                "file", Self.bag, "--at", "destination", "--place", "SYD", "--from", "ZRH", "--to",
                "JFK",
            ]
                + ["--owner", "D/ZMU", "--reason", "torn", "--by", "bob"]
        )
        #expect(typed.status == 0, "\(typed.errors)")
    }

    private func note(_ arguments: String..., bounds: [String: String] = [:]) async throws
        -> Workplace.Run
    {
        let environment = ["LUGGAGE_STORE": place.store, "TZ": "UTC"].merging(bounds) { $1 }
        return try await place.luggage(["note"] + arguments, environment: environment)
    }

    private func identifier() async throws -> String {
        let listed = try await note("--noted", "--format", "json").array()
        return try #require(listed.first?["id"] as? String)
    }

    private static let words =
        "bag F432BDB8 of D/ZMU is misrouted: its tag says ZRH to JFK, and it was seen in SYD"

    @Test("take a misrouted bag until somebody has noted it, and again if that is undone")
    func noting() async throws {
        let listed = try await note()
        #expect(listed.status == 0 && listed.output.hasPrefix("ALARM     SINCE"), "\(listed)")
        #expect(listed.output.contains(Self.words) && listed.output.hasSuffix("\n1 alarm\n"))
        let id = try await identifier()
        let noted = try await note(
            String(id.prefix(4)).lowercased(),
            "--by",
            "anna",
            "--reason",
            "SYD sends it back"
        )
        #expect(noted.output == "noted: \(Self.words)\n", "\(noted.errors)")
        #expect(try await note().output == "no alarm is open\n")
        #expect(try await note("--noted").output.contains("anna: SYD sends it back"))
        let again = try await note("F432", "--by", "bob", "--reason", "me too")
        #expect(again.status == 0 && again.output.hasPrefix("noted by anna at "))
        let shown = try await place.luggage("show", "F432").output
        #expect(shown.contains("alarm noted: misrouted") && shown.contains("SYD sends it back"))
        let undone = try await place.luggage("undo", "--by", "anna", "--yes")
        #expect(
            undone.output.hasPrefix("took back: alarm bag F432BDB8 misrouted noted, by anna at "),
            "\(undone.output)\(undone.errors)"
        )
        #expect(try await note().output.contains(Self.words))
        #expect(try await place.luggage("redo", "--by", "anna", "--yes").status == 0)
        #expect(try await note().output == "no alarm is open\n")
    }

    @Test(
        "are in the status of a watched folder, as a table and for programs, and make it not well"
    )
    func status() async throws {
        let inbox = place.path("inbox")
        try FileManager.default.createDirectory(atPath: inbox, withIntermediateDirectories: false)
        #expect(try await place.luggage("watch", "--once", inbox).errors.contains(Self.words))
        try await place.watching(inbox) { service in
            try await service.line(containing: "1 alarm told before is still open")
            let status = try await place.luggage("status", "--folder", inbox)
            #expect(status.status == 1 && status.output.contains(Self.words), "\(status.output)")
            #expect(status.output.contains("`luggage note` lists alarms"))
            let json = try await place.luggage("status", "--folder", inbox, "--format", "json")
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            let alarms = try #require((object as? [String: Any])?["alarms"] as? [[String: Any]])
            #expect(alarms.map { $0["kind"] as? String } == ["misrouted"])
            #expect(alarms[0]["message"] as? String == Self.words)
            _ = try await note(identifier(), "--reason", "known")
            let well = try await place.luggage("status", "--folder", inbox)
            #expect(well.status == 0 && !well.output.contains("ALARM"), "\(well.output)")
        }
    }

    @Test("of overdue bags, bad reading and silence need a bound in the settings")
    func bounds() async throws {
        let time = (Date() - 2 * 3600).formatted(.iso8601)
        let scanned = try await place.luggage(
            ["scan", "--at", "origin", "--station", "MUC-2", "--timestamp", time]
                + [Workplace.sample("tag-9c41-dzmu.png")]
        )
        #expect(scanned.status == 0, "\(scanned.errors)")
        for (bounds, kinds) in [
            ([:], ["misrouted"]), (["LUGGAGE_SILENCE": "1h"], ["silence", "misrouted"]),
            (["LUGGAGE_SILENCE": "3h", "LUGGAGE_OVERDUE": "1h"], ["overdue", "misrouted"]),
            (["LUGGAGE_OVERDUE": "29d", "LUGGAGE_READ_RATE": "100%"], ["misrouted"]),
        ] as [([String: String], [String])] {
            let listed = try await note("--format", "json", bounds: bounds).array()
            #expect(listed.map { $0["kind"] as? String } == kinds, "\(bounds)")
        }
    }

    @Test("reach another record by an export, with who has noted them")
    func exchange() async throws {
        _ = try await note(identifier(), "--by", "anna", "--reason", "known")
        for format in ["json", "jsonl", "property-list", "messagepack"] {
            let file = place.path("facts.\(format)")
            let other = place.path("\(format).sqlite")
            #expect(
                try await place.luggage("export", "--format", format, "--output", file).status == 0
            )
            let environment = ["LUGGAGE_STORE": other, "TZ": "UTC"]
            let imported = try await place.luggage(["import", file], environment: environment)
            #expect(imported.status == 0, "\(imported.errors)")
            let listed = try await place.luggage(
                ["note", "--noted", "--format", "json"],
                environment: environment
            ).array()
            #expect((listed.first?["note"] as? [String: Any])?["author"] as? String == "anna")
        }
    }

    @Test(
        "cannot be noted without a reason, by what none has, or by a bound that is none",
        arguments: [
            (["5D0A"], [:], 64, "--reason"), (["--reason", "x"], [:], 64, "name the alarms"),
            (["xyz", "--reason", "x"], [:], 64, "hexadecimal"),
            (["--noted", "5D0A", "--reason", "x"], [:], 64, "--noted is for the list"),
            (["5D0A", "--reason", " "], [:], 64, "400 characters"),
            (["FFFFFFFFFFFF", "--reason", "x"], [:], 1, "begins with FFFFFFFF-FFFF"),
            ([], ["LUGGAGE_OVERDUE": "6"], 78, "write the unit too: m, h or d"),
            ([], ["LUGGAGE_OVERDUE": "30d"], 78, "from 1m to 29d"),
            ([], ["LUGGAGE_READ_RATE": "0.9"], 78, "write it like 90% or 97.5%"),
            ([], ["LUGGAGE_READ_RATE": "1.2.3%"], 78, "a share in per cent"),
            ([], ["LUGGAGE_SILENCE": "1s"], 78, "from 1m to 29d"),
        ] as [([String], [String: String], Int32, String)]
    )
    func wrong(
        arguments: [String],
        bounds: [String: String],
        status: Int32,
        words: String
    ) async throws {
        let environment = ["LUGGAGE_STORE": place.store].merging(bounds) { $1 }
        let run = try await place.luggage(["note"] + arguments, environment: environment)
        #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
    }
}
