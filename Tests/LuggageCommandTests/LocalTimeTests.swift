import Foundation
import Testing

@Suite("A time without a zone")
struct LocalTimeTests {
    /// In Berlin, the clocks went from 02:00 to 03:00 on 29 March 2026, and from 03:00 to 02:00 on
    /// 25 October.
    private static let zone = "Europe/Berlin"

    /// What is typed, and when that was.
    static let moments: [(text: String, time: String)] = [
        ("2026-07-01 10:30", "2026-07-01T08:30:00.000Z"),
        ("2026-07-01T10:30", "2026-07-01T08:30:00.000Z"),
        ("2026-01-31 22:03", "2026-01-31T21:03:00.000Z"),
        ("2026-01-31 22:03 CET", "2026-01-31T21:03:00.000Z"),
        ("2026-01-31 22:03:04", "2026-01-31T21:03:04.000Z"),
        ("2026-01-31T22:03:04.25", "2026-01-31T21:03:04.250Z"),
        ("2026-01-31 22:03Z", "2026-01-31T22:03:00.000Z"),
        ("2026-01-31 22:03+05:30", "2026-01-31T16:33:00.000Z"),
        ("2026-01-31 22:03 -08:00", "2026-02-01T06:03:00.000Z"),
        ("2026-01-31 22:03 +0545", "2026-01-31T16:18:00.000Z"),
        ("2026-01-31 22:03 -03", "2026-02-01T01:03:00.000Z"),
        ("2026-03-29 01:59", "2026-03-29T00:59:00.000Z"),
        ("2026-03-29 03:00", "2026-03-29T01:00:00.000Z"),
        ("2025-10-26 01:59", "2025-10-25T23:59:00.000Z"),
        ("2025-10-26 02:30 CEST", "2025-10-26T00:30:00.000Z"),
        ("2025-10-26 02:30 CET", "2025-10-26T01:30:00.000Z"),
        ("2025-10-26 02:30+01:00", "2025-10-26T01:30:00.000Z"),
        ("2025-10-26 03:00", "2025-10-26T02:00:00.000Z"),
    ]

    private func environment(_ place: Workplace, zone: String = zone) -> [String: String] {
        ["LUGGAGE_STORE": place.store, "TZ": zone]
    }

    @Test("is that of the local clocks, wherever a moment is typed")
    func moment() async throws {
        let place = try Workplace()
        let tag = Workplace.sample("tag-f432-dzmu.png")
        _ = try await place.luggage("scan", "--at", "origin", tag)
        for (text, time) in Self.moments {
            for command in [
                ["scan", "--dry-run", "--timestamp", text, tag],
                ["file", "F432", "--reason", "torn", "--time", text],
            ] {
                let run = try await place.luggage(
                    command + ["--at", "destination", "--format", "json"],
                    environment: environment(place)
                )
                #expect(run.status == 0, "\(text): \(run.errors)")
                #expect(run.output.contains("\"\(time)\""), "\(text): \(run.output)")
            }
        }
    }

    @Test("is that of the local clocks in a list too", arguments: ["csv", "json"])
    func list(ending: String) async throws {
        let place = try Workplace()
        func path(of texts: [String]) throws -> String {
            let rows = texts.map { (UUID().uuidString, $0) }
            let list =
                ending == "csv"
                ? "id,due\n" + rows.map { "\($0),\($1)\n" }.joined()
                : rows.map { "{\"id\":\"\($0)\",\"due\":\"\($1)\"}\n" }.joined()
            return try place.add("list.\(ending)", Array(list.utf8))
        }
        func expect(_ texts: [String]) async throws -> Workplace.Run {
            try await place.luggage(
                ["expect", path(of: texts), "--at", "load"],
                environment: environment(place)
            )
        }
        let texts = Self.moments.map(\.text) + ["2026-07-01T10:30:00.000Z"]
        let run = try await expect(texts)
        #expect(run.output == "\(texts.count) bags expected\n", "\(run.errors)")
        let record = try await place.luggage("export", "--format", "json").output
        for (text, time) in Self.moments {
            let told = time.replacing(#/\.?0*Z/#, with: "Z")
            #expect(record.contains("\"\(told)\""), "\(text)")
        }
        let wrong = try await expect(Self.refused.map(\.text))
        #expect(wrong.status == 1)
        for (row, (text, words)) in Self.refused.enumerated() {
            let line = row + (ending == "csv" ? 2 : 1)
            #expect(wrong.errors.contains("line \(line), "), "\(text)")
            guard words.contains("clocks") || words.contains("twice") else { continue }
            #expect(wrong.errors.contains(words), "\(wrong.errors)")
        }
    }

    /// What must not be guessed, and what is said.
    static let refused: [(text: String, words: String)] = [
        ("2025-10-26 02:30", "twice; write 2025-10-26 02:30 CEST or 2025-10-26 02:30 CET"),
        ("2026-03-29 02:30", "the clocks were put forward"),
        ("2026-03-29 02:30 CET", "write a moment such as"),
        ("2026-01-31 22:03 CEST", "write a moment such as"),
        ("2026-01-31 22:03 PST", "write a moment such as"),
        ("2026-0\u{667}-21 08:09", "write a moment such as"),
        ("2026-01-31 22:\u{660}3", "write a moment such as"),
        ("2026-01-31 22:03+\u{660}2:00", "write a moment such as"),
        ("1969-12-31 22:03", "is before 2001-01-01, the earliest time that counts as true"),
        ("1960-01-01T00:00:00Z", "is before 2001-01-01, the earliest time that counts as true"),
        ("0020-02-03T08:00:00Z", "is before 2001-01-01, the earliest time that counts as true"),
        ("2026-01-31  22:03", "write a moment such as"),
        ("2026-01-31 24:00", "write a moment such as"),
        ("2026-02-29 08:00", "write a moment such as"),
        ("2026-01-31", "write a moment such as"),
        ("0000-01-31 22:03", "write a moment such as"),
    ]

    @Test("is refused where the clocks did not show it, or showed it twice")
    func refused() async throws {
        let place = try Workplace()
        let tag = Workplace.sample("tag-f432-dzmu.png")
        for (text, words) in Self.refused {
            for command in [
                ["scan", "--at", "origin", "--timestamp", text, tag],
                ["file", "F432", "--at", "origin", "--reason", "torn", "--time", text],
            ] {
                let run = try await place.luggage(command, environment: environment(place))
                #expect(run.status == 64, "\(text)")
                #expect(run.errors.contains(words), "\(text): \(run.errors)")
            }
        }
    }

    /// Zones whose times have no names of letters, had one name for both, or follow a rule of one's own.
    static let elsewhere: [(zone: String, text: String, words: String)] = [
        ("Asia/Kathmandu", "2026-01-21 08:00 +0545", "2026-01-21T02:15:00.000Z"),
        ("EST5EDT,M3.2.0,M11.1.0", "2025-07-21 08:00", "2025-07-21T12:00:00.000Z"),
        ("America/Sao_Paulo", "2018-02-17 23:30 -03", "2018-02-18T02:30:00.000Z"),
        (
            "America/Sao_Paulo", "2018-02-17 23:30",
            "write 2018-02-17 23:30 -02:00 or 2018-02-17 23:30 -03:00"
        ),
        (
            "Europe/Moscow", "2014-10-26 01:30",
            "write 2014-10-26 01:30 +04:00 or 2014-10-26 01:30 +03:00"
        ),
    ]

    @Test("is that of the clocks of any zone, and so is what is proposed")
    func zones() async throws {
        let place = try Workplace()
        let tag = Workplace.sample("tag-f432-dzmu.png")
        for (zone, text, words) in Self.elsewhere {
            let run = try await place.luggage(
                [
                    "scan", "--dry-run", "--at", "origin", "--timestamp", text, "--format", "json",
                    tag,
                ],
                environment: environment(place, zone: zone)
            )
            #expect(
                (run.output + run.errors).contains(words),
                "\(zone): \(run.output + run.errors)"
            )
        }
    }

    /// A question about bags that departed at 00:10, 00:40, 01:10 and 01:40 in UTC, in the two hours
    /// that clocks in Berlin called 02, and the minutes of those that are found.
    static let questions: [(arguments: [String], found: String)] = [
        (["--since", "2025-10-26 02:30"], "0:40 1:10 1:40"),
        (["--since", "2025-10-26 02:30 CET"], "1:40"),
        (["--until", "2025-10-26 02:30"], "0:10 0:40 1:10"),
        (["--until", "2025-10-26T02:30 CEST"], "0:10"),
        (["--since", "2025-10-26 02:30 CEST", "--until", "2025-10-26 02:30 CET"], "0:40 1:10"),
        (["--since", "2025-10-26 02:30", "--until", "2025-10-26 02:30"], "0:40 1:10"),
        (["--since", "2025-10-26 03:00"], ""),
    ]

    @Test("bounds a period that has in it whatever may be meant")
    func period() async throws {
        let place = try Workplace()
        let lines = ["0:10", "0:40", "1:10", "1:40"].enumerated().map { number, time in
            #"{"id":"F4000000-0000-4000-8000-00000000000\#(number)","weight":1,"#
                + #""departedAt":"2025-10-26T0\#(time):00Z"}"#
        }
        try place.add("bags.jsonl", Array(lines.joined(separator: "\n").utf8))
        #expect(try await place.luggage("import", "bags.jsonl").status == 0)
        for (arguments, found) in Self.questions {
            let run = try await place.luggage(
                ["list", "--format", "jsonl"] + arguments,
                environment: environment(place)
            )
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            let times = try run.objects().compactMap { $0["departedAt"] as? String }
                .map { String($0.dropFirst(12).prefix(4)) }
            #expect(times.joined(separator: " ") == found, "\(arguments)")
        }
        // Evening of the day before, by a rule that has no name.
        for (day, count) in [("2025-10-25", 4), ("2025-10-26", 0), ("2025-10-2\u{665}", nil)] {
            let run = try await place.luggage(
                ["list", "--format", "jsonl", "--since", day],
                environment: environment(place, zone: "EST5EDT,M3.2.0,M11.1.0")
            )
            let found = run.status == 64 ? nil : try run.objects().count
            #expect(found == count, "\(day): \(run.errors)")
        }
        for (text, words) in [
            ("2026-03-29 02:30", "the clocks were put forward"),
            ("2026-01-31 22:03 PST", "is not a time; write 2026-11-21 08:00"),
        ] {
            let run = try await place.luggage(
                ["list", "--since", text],
                environment: environment(place)
            )
            #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
        }
    }
}
