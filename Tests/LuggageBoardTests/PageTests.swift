import Foundation
import LuggageBoard
import LuggageService
import LuggageTags
import ObjectStore
import TestFolders
import Testing

/// What pages say.
struct PageTests {
    @Test func `The first page has what is missing first, then what was read`() async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload(), minutesAgo: 8 * 60)
        try board.file(
            TestBoard.payload("9C417E05-0000-4000-8000-000000000001", family: "NAK"),
            minutesAgo: 5
        )
        try board.file(#"{ "id": "nonsense" }"#, name: "wrong.png", minutesAgo: 2)
        let page = await board.get("/", as: .see).text
        let missing = try #require(page.firstRange(of: "id=\"missing\""))
        let scans = try #require(page.firstRange(of: "id=\"scans\""))
        #expect(missing.lowerBound < scans.lowerBound)
        let table = String(page[missing.lowerBound..<scans.lowerBound])
        let first = try #require(table.firstRange(of: "F432BDB8"))
        let second = try #require(table.firstRange(of: "9C417E05"))
        #expect(first.lowerBound < second.lowerBound)
        #expect(table.contains("Overdue, "))
        #expect(page[scans.lowerBound...].contains("wrong.png"))
        #expect(page.contains("Tag is wrong"))
        #expect(page.utf8.count < 50_000)
    }

    /// Files a list with a bag that should have passed an hour ago.
    private static func expect(_ trip: String, on board: TestBoard) throws {
        let list = ExpectationList([
            ExpectedBag(
                identifier: try #require(UUID(uuidString: TestBoard.bag)),
                point: .load,
                place: "ZRH",
                due: Date() - 3600,
                route: Route(trip: trip, date: "2026-07-01")
            )
        ])
        let anna = Responsibility(author: "anna", reason: "known")
        _ = try ExpectationRecorder(container: board.record, by: anna).file(list)
    }

    @Test
    func `The first page has what is an alarm above all else, until somebody takes note of it`()
        async throws
    {
        let board = try TestBoard()
        let nothing = "<section id=\"alarms\"></section>"
        #expect(await board.get("/", as: .see).text.contains(nothing))
        try Self.expect("<b>LX14", on: board)
        let page = await board.get("/", as: .see).text
        let words = "Trip &lt;b&gt;LX14 on 2026-07-01: 1 of 1 bag has not passed load in ZRH, due "
        #expect(page.contains(words), "\(page)")
        let path = try #require(page.firstMatch(of: /href="(\/alarm\/[-0-9A-F]{36})"/)).1
        let seen = await board.get(String(path), as: .see).text
        #expect(seen.contains(words) && !seen.contains("name=\"reason\""))
        #expect(seen.contains(">F432BDB8<"))
        #expect(try await board.post(String(path), ["reason": " "], as: .correct).status == 422)
        #expect(await board.get("/", as: .see).text.contains(words))
        let long = String(repeating: "x", count: 401)
        let tooLong = try await board.post(String(path), ["reason": long], as: .correct)
        #expect(tooLong.status == 422 && tooLong.text.contains("value=\"\(long)\""))
        let form = ["reason": "<i>SYD sends it back"]
        #expect(try await board.post(String(path), form, as: .correct).status == 303)
        #expect(await board.get("/", as: .see).text.contains(nothing))
        // Who comes later is told who was earlier.
        let again = try await board.post(String(path), ["reason": "late"], as: .correct)
        #expect(again.header("Location") == String(path))
        let noted = await board.get(String(path), as: .correct).text
        #expect(noted.contains("correct-er") && noted.contains("&lt;i&gt;SYD sends it back"))
        #expect(!noted.contains("name=\"reason\""))
        // And may take the note back.
        #expect(noted.contains("href=\"\(path)/changes\""))
        #expect(!(await board.get(String(path), as: .see).text.contains("/changes")))
        let changes = await board.get("\(path)/changes", as: .correct).text
        #expect(changes.contains("alarm noted: trip &lt;b&gt;LX14"))
        let number = try #require(changes.firstMatch(of: /name="change" value="(\d+)"/)).1
        let undo = ["change": String(number), "reason": "SYD has not"]
        let other = "/alarm/\(TestBoard.bag)/changes"
        #expect(try await board.post(other, undo, as: .correct).status == 400)
        let undone = try await board.post("\(path)/changes", undo, as: .correct)
        #expect(undone.header("Location") == String(path))
        #expect(await board.get("/", as: .see).text.contains(words))
    }

    @Test func `An alarm that is none any more is said to be so`() async throws {
        let board = try TestBoard()
        let page = await board.get("/alarm/\(TestBoard.bag)", as: .see)
        #expect(page.status == 200 && page.text.contains("No alarm any more"))
        for address in ["/alarm/1", "/alarm/\(TestBoard.bag)%00", "/bag/\(TestBoard.bag)%00"] {
            #expect(await board.get(address, as: .see).status == 404)
        }
        let note = try await board.post("/alarm/\(TestBoard.bag)", ["reason": "x"], as: .correct)
        #expect(note.status == 409 && note.text.contains("Your note was not taken."))
    }

    @Test func `An alarm's page names the bags of its own list, and no more than a page can hold`()
        async throws
    {
        let board = try TestBoard()
        let anna = Responsibility(author: "anna", reason: "known")
        let recorder = ExpectationRecorder(container: board.record, by: anna)
        func expect(_ count: Int, hours: Double) throws {
            let due = Date() - hours * 3600
            let bags = (0..<count).map { _ in
                ExpectedBag(identifier: UUID(), point: .load, due: due)
            }
            _ = try recorder.file(ExpectationList(bags))
        }
        try expect(1, hours: 3)
        try expect(203, hours: 2)
        for hours in 4..<16 { try expect(1, hours: Double(hours)) }
        let now = await board.get("/", as: .see).text
        #expect(now.contains("<a href=\"/alarms\">and 11 more</a>"), "\(now)")
        let all = await board.get("/alarms", as: .see).text
        let paths = all.matches(of: /href="(\/alarm\/[-0-9A-F]{36})"/).map { String($0.1) }
        #expect(paths.count == 14)
        var rows: [Int] = []
        for path in paths {
            let page = await board.get(path, as: .see).text
            rows.append(page.matches(of: /<th scope="row">/).count)
            if rows.last == 200 { #expect(page.contains("and 3 more")) }
        }
        #expect(rows.sorted() == Array(repeating: 1, count: 13) + [200])
    }

    @Test func `A bag's page says where it is expected, and whether it was seen there`()
        async throws
    {
        let board = try TestBoard()
        try Self.expect("<b>LX14", on: board)
        func part() async -> String {
            let page = await board.get("/bag/\(TestBoard.bag)", as: .see).text
            return page.firstMatch(of: /(?s)<section id="journeys">(.*?)<\/section>/).map {
                String($0.1)
            } ?? ""
        }
        let awaited = await part()
        #expect(awaited.contains("Loading, <bdi>ZRH</bdi>") && awaited.contains("Overdue"))
        #expect(awaited.contains("&lt;b&gt;LX14 on 2026-07-01"))
        try board.file(TestBoard.payload(), at: .load, place: "zrh")
        let passed = await part()
        #expect(passed.contains("Loading, <bdi>ZRH</bdi>") && !passed.contains("Overdue"))
    }

    @Test(
        "Markup in what tags, files and people say is shown, and is no markup",
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onclick='alert(1)",
            "</title><b>",
        ]
    )
    func markup(evil: String) async throws {
        let board = try TestBoard()
        let json = try String(decoding: JSONEncoder().encode([evil, evil]), as: UTF8.self)
        try board.file(
            #"{ "id": "\#(TestBoard.bag)", "owner": \#(json), "weight": 42 }"#,
            station: "A<b>",
            name: evil
        )
        try board.file(
            #"{ "id": "\#(TestBoard.bag)", "weight": 42 }"#,
            at: .destination,
            station: "A<b>",
            name: evil
        )
        try board.file(#"{ "id": \#(json) }"#, station: "A<b>", name: evil)
        try board.file(evil, station: "A<b>", name: evil)
        let corrector = RecordCorrector(container: board.record)
        _ = try? corrector.edit(
            try #require(UUID(uuidString: TestBoard.bag)),
            BagEdit(weight: 50),
            by: Responsibility(author: evil, reason: evil)
        )
        let note = board.layout.path(of: .failed)
        let name = "x\(evil.replacing("/", with: ":")).png"
        try Data([1]).write(to: URL(filePath: "\(note)/\(name)"))
        let query = try #require(evil.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        for target in [
            "/", "/search?for=\(query)", "/bag/\(TestBoard.bag)", "/bag/\(TestBoard.bag)/changes",
            "/failed",
            "/report", "/report?since=\(query)", "/\(query)", "/hand-in",
        ] {
            let page = await board.get(target, as: .correct).text
            #expect(!page.contains("<script>alert"), "\(target)")
            #expect(!page.contains("<img src=x"), "\(target)")
            #expect(!page.contains("' onclick='"), "\(target)")
            #expect(!page.contains("</title><b>"), "\(target)")
            #expect(!page.contains("A<b>"), "\(target)")
        }
    }

    @Test func `All missing bags are listed and counted, and no digits hide one`() async throws {
        let board = try TestBoard()
        for number in 0..<60 {
            let id = "AB0000\(10 + number)-0000-4000-8000-000000000000"
            try board.file(TestBoard.payload(id))
            if number < 55 {
                try board.file(TestBoard.payload(id), at: .destination, minutesAgo: 5)
            }
        }
        let missing = await board.get("/search?missing=1", as: .see).text
        #expect(missing.contains("<h2>5 bags</h2>"))
        #expect(
            await board.get("/search?for=AB00&missing=1", as: .see).text.contains("<h2>5 bags</h2>")
        )
        let all = await board.get("/search?for=AB00", as: .see).text
        #expect(all.contains("<h2>More than 50 bags</h2>"))
    }

    @Test func `Failed pictures are listed page by page, each once, also while some are settled`()
        async throws
    {
        let board = try TestBoard()
        let folder = board.layout.path(of: .failed)
        let names = (100..<200).map { "\($0)<b>.png" }
        for name in names { try Data([1]).write(to: URL(filePath: "\(folder)/\(name)")) }
        var target = "/failed"
        var seen: [String] = []
        var pages = 0
        while pages < 9 {
            let page = await board.get(target, as: .see).text
            seen += page.matches(of: /<strong>(\d+)&lt;b&gt;\.png</).map { "\($0.1)<b>.png" }
            pages += 1
            let link = /<a href="(\/failed\?after=[0-9a-f]+)">and \d+ more</
            guard let next = page.firstMatch(of: link) else { break }
            // What somebody else settles meanwhile moves no other picture out of sight.
            try? FileManager.default.removeItem(atPath: "\(folder)/\(seen[0])")
            target = String(next.1)
        }
        #expect(pages == 3 && seen == names)
        let last = await board.get("/failed?after=ff", as: .see).text
        #expect(last.contains("101&lt;b&gt;.png") && !last.contains("100&lt;b&gt;.png"))
        for key in ["zz", "f", "2f", ""] {
            #expect(await board.get("/failed?after=\(key)", as: .see).status == 200)
        }
    }

    @Test func `A station's bags are those that it has seen last, each once`() async throws {
        let board = try TestBoard()
        for number in 10..<70 {
            let id = "AB0000\(number)-0000-4000-8000-000000000000"
            try board.file(TestBoard.payload(id), station: "X1", minutesAgo: Double(number))
        }
        let again = "AB000069-0000-4000-8000-000000000000"
        try board.file(TestBoard.payload(again), at: .destination, station: "X1", minutesAgo: 1)
        let page = await board.get("/search?for=X1", as: .see).text
        let bags = page.matches(of: />(AB0000\d\d)</).map { String($0.1) }
        #expect(bags == ["AB000069"] + (10..<59).map { "AB0000\($0)" })
        #expect(page.contains("<h2>More than 50 bags</h2>"))
        try board.file(TestBoard.payload(), station: "X2")
        let missing = await board.get("/search?for=X1&missing=1", as: .see).text
        let missed = missing.matches(of: />(AB0000\d\d)</).map { String($0.1) }
        #expect(missed == (19..<69).reversed().map { "AB0000\($0)" })
        let other = await board.get("/search?for=X2&missing=1", as: .see).text
        #expect(other.contains("<h2>1 bag</h2>") && other.contains("/bag/\(TestBoard.bag)"))
    }

    @Test func `Handing in asks where the bags are, and remembers it for the next pictures`()
        async throws
    {
        let board = try TestBoard()
        func chosen(_ query: String) async throws -> [String] {
            await board.get("/hand-in\(query)", as: .file).text
                .matches(of: /value="([a-z]+)" required checked/).map { String($0.1) }
        }
        #expect(try await chosen("") == [])
        #expect(try await chosen("?point=destination") == ["destination"])
        #expect(try await chosen("?point=<b>") == [])
    }

    @Test func `A bag at a wrong place says so, with its route`() async throws {
        let board = try TestBoard()
        let evil = "J<b>"
        let payload = """
            { "id": "\(TestBoard.bag)", "weight": 42, "from": "MUC", "to": "\(evil)", "trip": "LH1" }
            """
        try board.file(payload, place: "MUC")
        #expect(!(await board.get("/bag/\(TestBoard.bag)", as: .see).text.contains("Wrong place")))
        try board.file(payload, at: .destination, place: "L<b>", minutesAgo: 5)
        let page = await board.get("/bag/\(TestBoard.bag)", as: .see).text
        #expect(page.contains("LH1, MUC to J&lt;b&gt;"), "\(page)")
        #expect(page.contains("Wrong place</strong>: its tag says MUC to J&lt;b&gt;"))
        #expect(page.contains("seen in L&lt;b&gt;"))
        #expect(!page.contains("<b>"))
    }

    @Test func `Every page has the board's own sign, and asks for nothing from elsewhere`()
        async throws
    {
        let board = try TestBoard()
        let page = await board.get("/", as: .see).text
        let path = try #require(page.firstMatch(of: /rel="icon" href="([^"]+)"/)).1
        let icon = await board.get(String(path), as: nil)
        #expect(icon.status == 200 && icon.header("Content-Type") == "image/svg+xml")
        #expect(!page.contains("data:"))
    }

    @Test(
        "A target that makes no sense is refused",
        arguments: [
            "", "x", "/%", "/%zz", "/%ff", "/" + String(repeating: "a", count: 3000), "/?a=%",
        ]
    )
    func targets(target: String) {
        #expect(PageRequest(method: "GET", target: target) == nil)
        #expect(PageRequest(method: "PUT", target: "/") == nil)
    }
}
