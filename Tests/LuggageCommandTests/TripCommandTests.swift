import Foundation
import Testing

@Suite("Tags that say where a bag is to go")
struct TripCommandTests {
    private static let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    private let place: Workplace

    init() async throws {
        place = try Workplace()
        let run = try await place.tag(
            "print",
            "--owner",
            "D/ZMU",
            "--from",
            "ZRH",
            "--to",
            "JFK",
            "--weight",
            "42lb",
            "--trip",
            "LX14",
            "--date",
            "2026-07-01",
            "--id",
            Self.bag,
            "--out",
            place.path("tag.png")
        )
        #expect(run.status == 0, "\(run.errors)")
    }

    private func scan(_ point: String, _ city: String, _ hour: Int) async throws -> Workplace.Run {
        try await place.luggage(
            "scan",
            "--at",
            point,
            "--station",
            "\(city)-1",
            "--place",
            city,
            "--timestamp",
            "2026-07-01 \(hour):00",
            place.path("tag.png")
        )
    }

    @Test("are found at the wrong place, where the bag has not arrived, and then at the right one")
    func misrouted() async throws {
        #expect(try await scan("origin", "zrh", 10).output.contains("1 result: 1 new"))
        let run = try await scan("destination", "SYD", 20)
        #expect(run.status == 0)
        #expect(run.output.contains("misrouted   F432BDB8  D/ZMU"))
        #expect(run.output.contains("its tag says ZRH to JFK, and it was seen in SYD"))
        #expect(run.output.contains("1 result: 1 misrouted"))
        let listed = try await place.luggage("list", "--misrouted")
        #expect(listed.output.contains("F432BDB8  D/ZMU  LX14  ZRH   JFK  SYD"))
        #expect(listed.output.contains("1 bag misrouted"))
        let shown = try await place.luggage("show", "F432").output
        for words in [
            "Trip      LX14 on 2026-07-01, ZRH to JFK", "Arrived   -",
            "SYD-1    SYD    misrouted",
        ] { #expect(shown.contains(words), "\(words) in \(shown)") }
        let asked = try await place.luggage(
            "history",
            "--outcome",
            "misrouted",
            "--format",
            "jsonl"
        )
        let entries = try asked.objects()
        #expect(entries.count == 1 && entries[0]["place"] as? String == "SYD")
        #expect(try await place.luggage("list", "--missing").output.contains("1 bag missing"))
        #expect(try await scan("destination", "JFK", 22).output.contains("1 updated"))
        #expect(try await place.luggage("list", "--missing").output.contains("0 bags missing"))
        #expect(try await place.luggage("list", "--misrouted").output.contains("0 bags misrouted"))
    }

    @Test(
        "are asked for by trip, in any letters, and by day",
        arguments: [
            (["--trip", "lx14"], 1), (["--trip", "LX14", "--date", "2026-07-01"], 1),
            (["--trip", "LX14", "--date", "2026-07-02"], 0), (["--trip", "LX1"], 0),
        ]
    )
    func trip(options: [String], count: Int) async throws {
        _ = try await scan("origin", "ZRH", 10)
        let run = try await place.luggage(["list", "--format", "json"] + options)
        #expect(try run.array().count == count, "\(run.errors)")
        let routes = try run.array().compactMap { $0["route"] as? [String: String] }
        #expect(routes.allSatisfy { $0["trip"] == "LX14" && $0["to"] == "JFK" })
    }

    @Test("are on a list, and those that have not passed are named")
    func expected() async throws {
        let other = "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3"
        let list = try place.add(
            "lx14.csv",
            Array("id,owner\n\(Self.bag),D/ZMU\n\(other),A/LOV\n".utf8)
        )
        let options = [
            "expect", list, "--at", "load", "--place", "ZRH", "--due", "2026-07-01 12:00", "--trip",
            "lx14", "--date", "2026-07-01",
        ]
        #expect(try await place.luggage(options).output == "2 bags expected\n")
        #expect(try await place.luggage(options).output == "2 bags as before\n")
        let before = try await place.luggage("show", Self.bag)
        #expect(before.output.contains("EXPECTED"), "\(before.errors)")
        #expect(before.output.contains("load   ZRH    overdue"), "\(before.output)")
        #expect(before.output.contains("lx14 on 2026-07-01"))
        let awaited = try await place.luggage("list", "--expected", "--undeparted")
        #expect(awaited.output.contains("2 bags"))
        #expect(try await scan("load", "zrh", 11).output.contains("1 updated"))
        let shown = try await place.luggage("show", Self.bag, "--format", "jsonl").objects()
        let passages = shown.first?["expected"] as? [[String: Any]]
        #expect(passages?.first?["metAt"] as? String == "2026-07-01T11:00:00.000Z", "\(shown)")
        let summary = try await place.luggage("summary", "--trip", "LX14", "--date", "2026-07-01")
        for words in [
            "Trip LX14 on 2026-07-01: 2 bags, 0 departed, 0 arrived",
            "1 of 2 have passed load in ZRH, due 2026-07-01 12:00", "this one has not:",
            "9C417E05  A/LOV",
        ] { #expect(summary.output.contains(words), "\(words) in \(summary.output)") }
        let trips = try await place.luggage("summary", "--by", "trip", "--format", "json").array()
        #expect(trips.count == 1 && trips[0]["expected"] as? Int == 2)
        // First the scan, then the list.
        #expect(try await place.luggage("undo", "--yes").output.contains("weight"))
        let undone = try await place.luggage("undo", "--yes")
        #expect(undone.status == 0 && undone.output.contains("lx14.csv"), "\(undone.errors)")
        #expect(try await place.luggage("list", "--expected").output.contains("0 bags"))
    }

    @Test("are on no list where anything in it is wrong, and the mistake is named with its line")
    func wrongList() async throws {
        let list = try place.add("wrong.csv", Array("id,due\n\(Self.bag),noon\n".utf8))
        let run = try await place.luggage("expect", list, "--at", "load")
        #expect(run.status == 1 && (run.output + run.errors).contains("due"), "\(run)")
        #expect(try await place.luggage("list", "--format", "json").array().isEmpty)
        let gone = try await place.luggage("summary", "--trip", "LX15")
        #expect(gone.status == 1 && gone.errors.contains("--by trip"))
    }

    @Test(
        "are typed with where they are to go",
        arguments: [
            ("JFK", "new: bag F432BDB8"), ("SYD", "misrouted: bag F432BDB8"),
        ]
    )
    func typed(city: String, words: String) async throws {
        let run = try await place.luggage(
            "file",
            Self.bag,
            "--at",
            "destination",
            "--place",
            city,
            "--to",
            "JFK",
            "--trip",
            "LX14",
            "--reason",
            "torn"
        )
        #expect(run.status == 0 && run.output.hasPrefix(words), "\(run.output) \(run.errors)")
    }

    @Test(
        "cannot be asked for by what no trip is",
        arguments: [
            ["--trip", ""], ["--trip", " "], ["--trip", "a\u{7}"], ["--date", "2026-07-01"],
            ["--trip", "LX14", "--date", "2026-02-30"], ["--trip", "LX14", "--date", "tomorrow"],
        ]
    )
    func wrong(options: [String]) async throws {
        let run = try await place.luggage(["list"] + options)
        #expect(run.status == 64 && run.errors.contains("--help"))
    }
}
