import Foundation
import LuggageBoard
import LuggageTags
import Testing

/// Who may see and do what.
struct AccessTests {
    private static let looking = [
        "/", "/search?for=F4", "/report", "/failed", "/bag/\(TestBoard.bag)",
        "/alarm/\(TestBoard.bag)", "/alarms",
    ]
    private static let filing = ["/hand-in"]
    private static let correcting = [
        "/bag/\(TestBoard.bag)/changes", "/alarm/\(TestBoard.bag)/changes",
    ]

    @Test(
        "Who has no token sees nothing but how to get one",
        arguments: looking + filing + correcting + [
            "/news?of=/", "/thumb/\(String(repeating: "a", count: 64))", "/nowhere", "/enter",
            "/enter?token=guessed", "/enter?token=\(String(repeating: "A", count: 43))",
        ]
    )
    func stranger(target: String) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let answer = await board.get(target, as: nil)
        #expect(answer.status == 401)
        #expect(!answer.text.contains("F432BDB8"))
        #expect(!answer.text.contains("ZMU"))
        #expect(answer.header("Set-Cookie") == nil)
    }

    @Test("Each role sees what it may", arguments: Role.allCases)
    func roles(role: Role) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        for target in Self.looking { #expect(await board.get(target, as: role).status == 200) }
        for target in Self.filing {
            #expect(await board.get(target, as: role).status == (role >= .file ? 200 : 403))
        }
        for target in Self.correcting {
            #expect(await board.get(target, as: role).status == (role >= .correct ? 200 : 403))
        }
        let page = await board.get("/bag/\(TestBoard.bag)", as: role).text
        #expect(page.contains("name=\"weight\"") == (role == .correct))
    }

    @Test(
        "News are told to those who may see the page, of pages that there are",
        arguments: Role.allCases
    )
    func news(role: Role) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        func status(_ page: String) async -> Int {
            await board.get("/news?of=\(page)", as: role).status
        }
        for page in ["/", "/failed", "/bag/\(TestBoard.bag)"] { #expect(await status(page) == 200) }
        for page in Self.filing + ["/handed-in/x"] {
            #expect(await status(page) == (role >= .file ? 200 : 403))
        }
        #expect(await status(Self.correcting[0]) == (role >= .correct ? 200 : 403))
        let gone = "/bag/9C417E05-0000-4000-8000-000000000001"
        for page in ["/nix", "/bag", gone, "/thumb/00", "/hand-in/x"] {
            #expect(await status(page) == 404)
        }
        #expect(await status("/news") == 400)
    }

    @Test("Who may not correct cannot do so by sending the form", arguments: [Role.see, .file])
    func forbidden(role: Role) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let form = ["weight": "50 lb", "reason": "because", "seen": ""]
        #expect(try await board.post("/bag/\(TestBoard.bag)", form, as: role).status == 403)
        #expect(try await board.post("/bag/\(TestBoard.bag)/changes", form, as: role).status == 403)
        let alarm = "/alarm/\(TestBoard.bag)"
        #expect(try await board.post(alarm, ["reason": "because"], as: role).status == 403)
        if role == .see {
            #expect(try await board.post("/failed/61", form, as: role).status == 403)
            #expect(try await board.post("/failed/61/close", form, as: role).status == 403)
        }
        #expect(try board.luggage()?.weight == 42)
    }

    @Test func `A link lets its holder in, and a revoked one nobody, from the next request on`()
        async throws
    {
        let board = try TestBoard()
        let token = try #require(board.tokens[.see])
        let answer = await board.get("/enter?token=\(token.text)", as: nil)
        #expect(answer.status == 303)
        let cookie = try #require(answer.header("Set-Cookie"))
        #expect(cookie.hasPrefix("luggage=\(token.text); Path=/;"))
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        #expect(await board.get("/", as: .see).status == 200)
        var list = try board.file.list()
        #expect(!String(decoding: try list.bytes, as: UTF8.self).contains(token.text))
        list.tokens.removeAll { $0.role == .see }
        try Data(list.bytes).write(to: URL(filePath: board.file.path), options: .atomic)
        #expect(await board.get("/", as: .see).status == 401)
        #expect(await board.get("/", as: .file).status == 200)
        try Data("{ damaged".utf8).write(to: URL(filePath: board.file.path), options: .atomic)
        #expect(await board.get("/", as: .file).status == 401)
    }

    @Test(
        "A form that no page of the board has sent changes nothing",
        arguments: ["cross-site", "same-site", "none"]
    )
    func foreignForm(site: String) async throws {
        let board = try TestBoard()
        try board.file(TestBoard.payload())
        let form = ["weight": "50 lb", "reason": "because", "seen": try Self.seen(board)]
        let path = "/bag/\(TestBoard.bag)"
        let foreign = try await board.post(path, form, as: .correct) { request in
            request.headers["sec-fetch-site"] = site
        }
        #expect(foreign.status == 403)
        let unsealed = try await board.post(path, form, as: .correct) { $0.form["seal"] = nil }
        #expect(unsealed.status == 403)
        let otherOrigin = try await board.post(path, form, as: .correct) { request in
            request.headers["sec-fetch-site"] = nil
            request.headers["origin"] = "https://evil.example"
        }
        #expect(otherOrigin.status == 403)
        let otherSeal = try await board.seal(.file)
        let stolen = try await board.post(path, form, as: .correct) { $0.form["seal"] = otherSeal }
        #expect(stolen.status == 403)
        #expect(try board.luggage()?.weight == 42)
        let own = try await board.post(path, form, as: .correct) { request in
            request.headers["sec-fetch-site"] = nil
            request.headers["origin"] = "https://bags.example"
        }
        #expect(own.status == 303)
        #expect(try board.luggage()?.weight == 50)
    }

    static func seen(_ board: TestBoard) throws -> String {
        let bag = try #require(try board.luggage())
        return CorrectingForm.seen(bag)
    }
}
