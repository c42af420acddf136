import Foundation
import LuggageBoard
import LuggageService
import LuggageTags
import ObjectStore
import TestFolders
import Testing

/// What searches find and reports count.
struct QuestionTests {
    @Test(
        "A search finds by any part of the identifier, by owner without case, and by station",
        arguments: [
            "F432", "f432bdb8-d84f", "db8-d8", "F-4461-83", "zmu",
            "d/zmu", "ZMU/D", "MUC-2", "d zmu", "ZMU  D",
            TestBoard.bag,
        ]
    )
    func search(text: String) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let query = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(
            await board.get("/search?for=\(query)", as: .see).text.contains("/bag/\(TestBoard.bag)")
        )
        #expect(!(await board.get("/search?for=XYZ", as: .see).text.contains("/bag/")))
    }

    @Test func `Digits are found wherever they stand in an identifier, and only there`() throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let digits = TestBoard.bag.replacing("-", with: "")
        for length in 4...32 {
            for start in 0...32 - length {
                let part = String(digits.dropFirst(start).prefix(length))
                let wrong = part.dropLast() + (part.last == "0" ? "1" : "0")
                for (text, count) in [(part, 1), (String(wrong), 0)] {
                    let found = try board.record.read {
                        try BagMatches(text, onlyMissing: false, lookingThrough: nil, in: $0)
                    }
                    #expect(found.bags.count == count, "\(text)")
                }
            }
        }
    }

    @Test func `A page that would take long says so at once, and leads to the whole one`()
        async throws
    {
        let board = try TestBoard(mostAtOnce: (bags: 0, scans: 0))
        try board.file(TestBoard.payload())
        for (target, sign) in [
            ("/search?for=%22C493E", "/bag/"), ("/search?for=1836", "/bag/"),
            ("/search?for=493E", "/bag/"),
            ("/search?for=4461&missing=1", "/bag/"), ("/report", "100.0%"),
            ("/report?since=0001-01-01T00:00&until=9999-12-31T23:59", "100.0%"),
        ] {
            let page = await board.get(target, as: .see).text
            guard
                let rest = page.firstMatch(of: /http-equiv="refresh" content="0; url=(\/[^"]+)"/)
            else {
                // What is no digits is looked for at once.
                #expect(target.contains("%22"))
                continue
            }
            #expect(!page.contains(sign) && page.contains("<a href=\"\(rest.1)\">"))
            let address = String(rest.1).replacing("&amp;", with: "&")
            let whole = await board.get(address, as: .see).text
            #expect(whole.contains(sign) && !whole.contains("refresh"), "\(target)")
            // Nobody can have all of it looked through at each scan.
            let escaped = address.replacing("%", with: "%25").replacing("&", with: "%26")
            #expect(await board.get("/news?of=\(escaped)", as: .see).status == 400, "\(target)")
        }
        for target in ["/search?for=F432", "/search?for=zmu", "/search?for=MUC-2", "/"] {
            let page = await board.get(target, as: .see).text
            #expect(page.contains("/bag/") && !page.contains("refresh"))
        }
    }

    @Test func `A report says the same whatever was counted before`() throws {
        let board = try TestBoard()
        let counts = ReportCounts()
        let day: TimeInterval = 86400
        let now = Date()
        let periods = [
            (now - 3 * day, now), (now - 2.4 * day, now - 0.3 * day), (now - 3600, now + day),
            (Date.distantPast, Date.distantFuture), (now - 1000 * day, now - 400 * day),
        ]
        func check() throws {
            for (since, until) in periods {
                try board.record.read { context in
                    let period = Period(since: since, until: until)
                    let summary = try counts.summary(
                        since: since,
                        until: until,
                        counting: nil,
                        oldest: 3,
                        in: context
                    )
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = .sortedKeys
                    let right = try RecordSummary(of: period, oldest: 3, in: context)
                    #expect(try encoder.encode(summary) == encoder.encode(right))
                    // What was counted is known, apart from the ends.
                    let most = try context.count(FetchRequest(Scan.self)) / 2
                    if since == now - 3 * day {
                        #expect(
                            try counts.summary(
                                since: since,
                                until: until,
                                counting: most,
                                oldest: 3,
                                in: context
                            ) != nil
                        )
                    }
                }
            }
        }
        try check()
        for number in 0..<60 {
            let id = "AB0000\(10 + number)-0000-4000-8000-000000000000"
            let payload = number % 7 == 0 ? #"{ "id": "x" }"# : TestBoard.payload(id)
            try board.file(
                payload,
                at: number % 3 == 0 ? .destination : .origin,
                station: "X\(number % 4)",
                name: "\(number).png",
                minutesAgo: 60 * Double(number * 37 % 70) + 1
            )
            if number % 10 == 9 { try check() }
        }
        let undoing = ChangeUndoing(container: board.record)
        let anna = Responsibility(author: "anna", reason: "wrong")
        for change in try undoing.changes(limit: 3) {
            _ = try undoing.undo(change.number, by: anna)
            try check()
        }
        _ = try RecordPurge(container: board.record, scope: .bags, before: now - 1.1 * day).run()
        try check()
    }

    @Test func `The shift's report counts what was read and typed, station by station`()
        async throws
    {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        try board.file(#"{ "id": "nonsense" }"#)
        let page = await board.get("/report", as: .see).text
        #expect(page.contains("50.0%"))
        #expect(page.contains("The tag cannot be understood <small>not-decodable</small>"))
        #expect(page.contains("MUC-2"))
        #expect(page.contains("Still missing: 1 bag"))
        let wrong = await board.get(
            "/report?since=2026-01-02T00:00&until=2026-01-01T00:00",
            as: .see
        )
        #expect(wrong.text.contains("Write times as"))
    }
}
