import Foundation
import TagDrawing
import Testing

@Suite("Weights and times that cannot be")
struct BoundsTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    /// A picture of a tag with a weight as it is printed in the payload.
    private func drawTag(_ weight: String, as name: String = "tag.png") throws -> String {
        var drawing = LuggageTagDrawing(
            identifier: Self.id,
            givenName: "D",
            familyName: "ZMU",
            pounds: 1
        )
        drawing.payload = Array(
            #"{"id":"\#(Self.id)","owner":["D","ZMU"],"weight":\#(weight)}"#.utf8
        )
        return try place.add(name, drawing.drawn(scale: 0.5).image.png())
    }

    private func environment(_ variables: [String: String] = [:]) -> [String: String] {
        ["LUGGAGE_STORE": place.store, "TZ": "UTC"].merging(variables) { $1 }
    }

    @Test("a tag that says so is invalid, with a reason of its own, up to the bound that is set")
    func weight() async throws {
        let tag = try drawTag("1e19")
        let run = try await place.luggage("scan", "--at", "origin", "--format", "json", tag)
        #expect(run.status == 1)
        let report = try #require(try run.objects().first)
        #expect(report["outcome"] as? String == "invalid")
        let error = try #require(report["error"] as? [String: Any])
        #expect(error["reason"] as? String == "too-heavy")
        #expect(
            error["message"] as? String
                == "weight: 1e+19 lb, and no bag here weighs more than 1000 lb"
        )
        #expect(try await place.luggage("list").output.contains("0 bags"))

        let heavy = try drawTag("1100", as: "heavy.png")
        #expect(try await place.luggage("scan", "--at", "origin", heavy).status == 1)
        for bound in ["1200 lb", "500kg"] {
            let run = try await place.luggage(
                ["scan", "--at", "origin", heavy],
                environment: environment(["LUGGAGE_HEAVIEST": bound])
            )
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test("who types one is told, and nothing is changed")
    func typed() async throws {
        let tag = Workplace.sample("tag-f432-dzmu.png")
        _ = try await place.luggage("scan", "--at", "origin", tag)
        let before = try await place.luggage("export").output
        let reason = ["--reason", "x"]
        for (arguments, status, words) in [
            (["edit", "F432", "--weight", "2000lb"], 1, "no bag here weighs more than 1000 lb"),
            (
                ["file", "F432", "--at", "destination", "--weight", "1000kg"], 1,
                "weight: 2204.6226 lb, and no bag here weighs more than 1000 lb"
            ),
            (
                ["file", "F432", "--at", "destination", "--time", "1999-12-31 12:00"], 64,
                "--time is before 2001-01-01, the earliest time that counts as true; `earliest` in "
            ),
            (
                ["edit", "F432", "--weight", "1000.00001lb"], 1,
                "weight: 1000.00001 lb, and no bag here weighs more than 1000 lb; the setting `heaviest`"
            ),
            (
                ["file", "F432", "--at", "destination", "--weight", "453.592371 kg"], 1,
                "and no bag here weighs more than 1000 lb"
            ),
        ] as [([String], Int32, String)] {
            let run = try await place.luggage(arguments + reason)
            #expect(run.status == status)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        let run = try await place.luggage(
            "scan",
            "--at",
            "destination",
            "--timestamp",
            "1999-12-31 12:00",
            tag
        )
        #expect(run.status == 64)
        #expect(run.errors.contains("--timestamp is before 2001-01-01"), "\(run.errors)")
        #expect(try await place.luggage("export").output == before)
    }

    @Test("an import says which record has one")
    func imported() async throws {
        let second = "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3"
        try place.add(
            "bags.csv",
            Array(
                """
                id,weight,departedAt
                \(Self.id),42,1960-01-01T00:00:00Z
                \(second),1e19,

                """.utf8
            )
        )
        let run = try await place.luggage("import", "bags.csv")
        #expect(run.status == 1)
        #expect(run.output.contains("nothing of bags.csv was kept"))
        #expect(
            run.errors.contains("line 3, bag, record 2: weight: 1e+19 lb, and no bag here"),
            "\(run.errors)"
        )
        #expect(
            run.errors.contains(
                "line 2, bag, record 1: departedAt: 1960-01-01T00:00:00Z is before 2001-01-01"
            ),
            "\(run.errors)"
        )
    }

    /// A time long ago in every format of files.
    static let files: [(name: String, text: String)] = [
        ("bag.jsonl", #"{"id":"\#(id)","weight":1,"departedAt":"1960-01-01T00:00:00Z"}"#),
        ("bag.jsonl", #"{"id":"\#(id)","weight":1,"departedAt":-315619200}"#),
        ("bag.json", #"[{"id":"\#(id)","weight":1,"departedAt":"1960-01-01T00:00:00Z"}]"#),
        ("bag.csv", "id,weight,departedAt\n\(id),1,-315619200\n"),
        (
            "bag.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><array><dict><key>id</key><string>\(id)</string><key>weight</key>\
            <integer>1</integer><key>departedAt</key><date>1960-01-01T00:00:00Z</date></dict></array></plist>

            """
        ),
    ]

    @Test("an import of any format tells a time long ago as what it is", arguments: files)
    func importedTime(name: String, text: String) async throws {
        try place.add(name, Array(text.utf8))
        let run = try await place.luggage("import", "--report", "json", name)
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.output.contains(#""reason" : "too-early""#), "\(run.output)")
        #expect(
            run.output.contains("departedAt: 1960-01-01T00:00:00Z is before 2001-01-01"),
            "\(run.output)"
        )
    }

    /// Dates of files as cameras have them whose clocks were never set.
    static let dates = ["1970-01-01 00:03", "1980-01-01 00:00", "2000-01-01 05:10"]

    @Test("a picture that is dated so is filed as of now, which the report tells", arguments: dates)
    func pictureTime(date: String) async throws {
        let name = "tag-f432-dzmu.png"
        let words =
            "its file is from \(date) UTC, which is too early for a bag, so it counts as taken now"
        let began = Date().formatted(.iso8601)
        let sample = Workplace.sample(name)
        let touch = try await place.shell("cp '\(sample)' . && touch -d '\(date) UTC' \(name)")
        #expect(touch.status == 0)
        let scan = ["scan", "--at", "origin", "--timestamp", "file", "--dry-run", name]
        let table = try await place.luggage(scan)
        #expect(
            table.output.contains("new         F432BDB8  D/ZMU      42.0 lb  \(name): \(words)")
        )
        let json = try #require(
            try await place.luggage(scan + ["--format", "json"]).objects().first
        )
        let stamp = date.replacing(" ", with: "T") + ":00.000Z"
        #expect(json["implausibleTime"] as? String == stamp)
        #expect(try #require(json["scannedAt"] as? String).prefix(19) >= began.prefix(19))

        // The service says so in its log.
        #expect(try await place.shell("mkdir -p in/origin && mv \(name) in/origin").status == 0)
        let watch = try await place.luggage("watch", "--once", "--log-level", "notice", "in")
        #expect(watch.status == 0)
        #expect(
            watch.errors.contains(
                "\(name): new: F432BDB8 of D/ZMU; its file is from \(stamp), which is too early "
                    + "for a bag, so it counts as taken now"
            ),
            "\(watch.errors)"
        )
        let list = try await place.luggage("list", "--since", "1h")
        #expect(list.output.contains("1 bag"))
    }

    @Test("a picture that is dated later keeps its time, and the bound may be set")
    func plausibleTime() async throws {
        let name = "tag-f432-dzmu.png"
        let sample = Workplace.sample(name)
        let time = "2001-01-01 00:00:00 UTC"
        #expect(try await place.shell("cp '\(sample)' . && touch -d '\(time)' \(name)").status == 0)
        let scan = ["scan", "--at", "origin", "--timestamp", "file", "--format", "json", name]
        var report = try #require(try await place.luggage(scan).objects().first)
        #expect(report["scannedAt"] as? String == "2001-01-01T00:00:00.000Z")
        #expect(report["implausibleTime"] == nil)
        report = try #require(
            try await place.luggage(
                scan + ["--dry-run"],
                environment: environment(["LUGGAGE_EARLIEST": "2001-01-02"])
            ).objects().first
        )
        #expect(report["implausibleTime"] as? String == "2001-01-01T00:00:00.000Z")
    }

    @Test(
        "bounds that are none are a mistake of the configuration",
        arguments: [
            ("EARLIEST", "2001"), ("EARLIEST", "2001-02-30"), ("EARLIEST", "2999-01-01"),
            ("HEAVIEST", "1000"), ("HEAVIEST", "0 lb"), ("HEAVIEST", "100000 lb"),
            ("HEAVIEST", "1,000 lb"),
        ]
    )
    func wrongBounds(name: String, value: String) async throws {
        let run = try await place.luggage(
            ["scan", "--at", "origin", Workplace.sample("tag-f432-dzmu.png")],
            environment: environment(["LUGGAGE_\(name)": value])
        )
        #expect(run.status == 78)
        #expect(run.errors.hasPrefix("luggage: $LUGGAGE_\(name): expected a "), "\(run.errors)")
    }
}
