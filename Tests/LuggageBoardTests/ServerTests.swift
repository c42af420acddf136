import Foundation
import Glibc
import LuggageTags
import SystemSupport
import TestBoards
import TestFolders
import Testing
import TestProcesses
import TestThreads

/// What comes over the network, and what of it is refused.
@Suite(
    .enabled(if: RunningBoard.isWanted, "BOARD_TESTS=1 has the board run"),
    .serialized,
    .timeLimit(.minutes(20))
)
@WaitingTests
struct ServerTests {
    @Test func `It shows the samples, and says where`() throws {
        let board = try RunningBoard()
        // The pictures are filed while it runs.
        var page = ""
        for _ in 0..<600 where !page.contains("E69F204D") {
            page = try board.get("/search?for=E69F")
            if page.contains("E69F204D") { break }
            usleep(100_000)
        }
        #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(page.contains("G/HOP"))
        #expect(page.contains("Content-Security-Policy: default-src 'none';"))
        #expect(try board.get("/thumb/00").hasPrefix("HTTP/1.1 404"))
        board.stop()
    }

    @Test func `A board that is only tried lets in whoever has a token of a file that is named`()
        throws
    {
        let folder = try TemporaryFolder()
        let tokens = folder.path("tokens")
        let program = RunningBoard.programs.appending(path: "luggage").path
        let made = try LastingProcess(
            [program, "board", "token", "add", "anna", "--tokens", tokens]
        )
        #expect(made.waitForEnd() == .exited(0))
        let token = made.log.firstMatch(of: /token=([A-Za-z0-9_-]{43})/)?.1 ?? ""
        try FileManager.default.createDirectory(
            atPath: folder.path("none"),
            withIntermediateDirectories: false
        )
        let board = try RunningBoard(["--try", folder.path("none"), "--tokens", tokens])
        let request =
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: luggage=\(token)\r\n\r\n"
        #expect(try board.answer(to: Array(request.utf8)).contains("anna, may look"))
    }

    @Test(
        "A board that is only tried leaves nothing, however it ends",
        arguments: [SIGTERM, SIGINT]
    )
    func leavesNothing(signal: Int32) throws {
        let board = try RunningBoard()
        board.process.send(signal)
        _ = board.process.waitForEnd()
        #expect(try Self.trials(in: board.folder) == [])
    }

    @Test func `A port that is taken is told as such, and leaves nothing`() throws {
        let first = try RunningBoard()
        let folder = try TemporaryFolder()
        let told = #expect(throws: RunningBoard.DidNotStart.self) {
            _ = try RunningBoard(
                ["--try", RunningBoard.samples, "--listen", "127.0.0.1:\(first.port)"],
                in: folder
            )
        }
        let log = told?.description ?? ""
        #expect(log.contains("another program listens at http://127.0.0.1:\(first.port) already"))
        #expect(log.contains("--listen") && !log.contains("bind("))
        #expect(try Self.trials(in: folder) == [])
    }

    private static func trials(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("luggage-board-") }
    }

    @Test func `Who has no record is told how to begin`() throws {
        let folder = try TemporaryFolder()
        let told = #expect(throws: RunningBoard.DidNotStart.self) {
            _ = try RunningBoard(["--store", folder.path("none")], in: folder)
        }
        let log = told?.description ?? ""
        #expect(log.contains("`luggage scan`") && !log.contains("sync join"), "\(log)")
    }

    @Test(
        "What makes no sense, is too long, or is not allowed is refused, and the next is served",
        arguments: [
            ("nonsense\r\n\r\n", ["HTTP/1.1 400", ""]),
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ["HTTP/1.1 401"]),
            ("PUT / HTTP/1.1\r\nHost: a\r\n\r\n", ["HTTP/1.1 400"]),
            ("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", ["HTTP/1.1 400"]),
            (
                "POST /leave HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n",
                // A stranger's, before any of it has come.
                ["HTTP/1.1 401"]
            ),
            (
                "POST /hand-in HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde",
                ["HTTP/1.1 401"]
            ),
            (
                "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 9000))\r\n\r\n",
                ["HTTP/1.1 400", "HTTP/1.1 431", ""]
            ),
            (
                "GET / HTTP/1.1\r\n\(String(repeating: "X: a\r\n", count: 100))\r\n",
                ["HTTP/1.1 400", "HTTP/1.1 431", ""]
            ),
        ]
    )
    func refused(request: String, answers: [String]) throws {
        let board = try RunningBoard()
        let closing = request.replacing("Host: a\r\n", with: "Host: a\r\nConnection: close\r\n")
        let answer = try board.answer(to: Array(closing.utf8))
        #expect(
            answers.contains { $0.isEmpty ? answer.isEmpty : answer.hasPrefix($0) },
            "\(answer.prefix(60))"
        )
        #expect(try board.get("/").hasPrefix("HTTP/1.1 200"))
    }

    @Test func `Headers, bodies and requests without end are cut off, and cost no memory`() throws {
        let board = try RunningBoard()
        let before = try board.memory.own
        let request = "GET /style.css HTTP/1.1\r\nHost: a\r\n\r\n"
        for (beginning, more) in [
            ("GET / HTTP/1.1\r\nX: ", "a"),
            ("POST /leave HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", "a"),
            (request, request),
        ] {
            let socket = try board.connect()
            var bytes = Array(beginning.utf8)
            var sent = 0
            let rest = Array(String(repeating: more, count: 65536 / more.utf8.count).utf8)
            while Loopback.send(bytes, to: socket) && sent < 64 << 20 {
                sent += bytes.count
                bytes = rest
            }
            close(socket)
            #expect(sent < 64 << 20)
        }
        #expect(try board.memory.own - before < 8 << 10)
        #expect(try board.get("/").hasPrefix("HTTP/1.1 200"))
    }

    /// A connection on which a byte or two go now and then, and from which nobody reads.
    private struct SlowConnection {
        let name: String
        let socket: Int32
        let bytes: [UInt8]
        /// After how many seconds it may be closed.
        let patience: Double
        var isOpen = true
    }

    @Test func `Whoever sends or reads too slowly is cut off, while others are served`() throws {
        let room = try TestBoard()
        // A page that no buffer holds: it is news for whoever has not seen it.
        let bags = (100..<600).map { TestBoard.payload("AB000\($0)-0000-4000-8000-000000000000") }
        try room.file(bags[0], and: Array(bags[1...]))
        let full = try RunningBoard(["--store", room.folder.path("luggage.sqlite")])
        let board = try RunningBoard()
        var digest = SHA256()
        digest.update(
            try Data(contentsOf: URL(filePath: "\(RunningBoard.samples)/tag-on-belt.png"))
        )
        let large = "/picture/\(digest.finalize().hexadecimal)"
        for _ in 0..<600 {
            if try board.get(large).hasPrefix("HTTP/1.1 200") { break }
            usleep(100_000)
        }
        let before = (try board.memory.own, try full.memory.own)
        let start = "Host: a\r\nOrigin: http://a\r\nCookie: luggage=\(board.token)\r\n"
        let pictures = "Content-Type: multipart/form-data; boundary=b\r\n"
        var slow: [SlowConnection] = []
        let begin = SuspendingClock.now
        func open(_ name: String, _ request: String, _ patience: Double, at board: RunningBoard)
            throws
        {
            let socket = try board.connect()
            #expect(Loopback.send(Array(request.utf8), to: socket), "\(name)")
            // Between requests, empty lines mean nothing.
            let bytes = Array((patience == 60 ? "\r\n" : "a").utf8)
            slow.append(
                SlowConnection(name: name, socket: socket, bytes: bytes, patience: patience)
            )
        }
        try open("a header", "GET / HTTP/1.1\r\n", 20, at: board)
        let form = "POST /leave HTTP/1.1\r\n\(start)Content-Length: 999\r\n\r\n"
        try open("a form", form, 30, at: board)
        let handIn =
            "POST /hand-in HTTP/1.1\r\n\(start)\(pictures)Content-Length: 99999\r\n\r\n--b\r\n"
        try open("a picture", handIn, 30, at: board)
        for _ in 0..<200 {
            try open("reading a picture", "GET \(large) HTTP/1.1\r\n\(start)\r\n", 60, at: board)
        }
        let news = "GET /news?of=%2Fsearch%3Fmissing%3D1 HTTP/1.1\r\nHost: a\r\n"
        for _ in 0..<100 {
            try open("reading news", "\(news)Cookie: luggage=\(full.token)\r\n\r\n", 60, at: full)
        }
        defer { for connection in slow { close(connection.socket) } }
        var passed = 0.0
        while slow.contains(where: \.isOpen), passed < 300 {
            // As long as nobody has closed, nothing comes of it.
            usleep(500_000)
            passed = (SuspendingClock.now - begin) / .seconds(1)
            for index in slow.indices where slow[index].isOpen {
                let connection = slow[index]
                guard !Loopback.send(connection.bytes, to: connection.socket) else { continue }
                slow[index].isOpen = false
                #expect(passed >= connection.patience - 1, "\(connection.name)")
            }
            #expect(try board.get("/").hasPrefix("HTTP/1.1 200"))
            #expect(try full.get("/").hasPrefix("HTTP/1.1 200"))
            // Each costs a piece of the picture, and not all of it; and the news are in memory once.
            #expect(try board.memory.own - before.0 < 20 << 10)
            #expect(try full.memory.own - before.1 < 20 << 10)
        }
        #expect(slow.filter(\.isOpen).map(\.name) == [])
        // What they have cost is given back.
        for _ in 0..<600 {
            if try board.memory.own - before.0 <= 3 << 10 { break }
            _ = try board.get("/")
            usleep(50_000)
        }
        #expect(try board.memory.own - before.0 <= 3 << 10)
    }

    @Test(
        .enabled("this process may have more than 2,000 files open") {
            ServerTests.mostFiles > 2000
        }
    )
    func `More connections than there may be are told to come again, and those there are go on`()
        throws
    {
        let board = try RunningBoard()
        let most = Self.mostFiles
        var limit = rlimit(rlim_cur: most, rlim_max: most)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let wanted = min(10_000, Int(clamping: most) - 500)
        var sockets: [Int32] = []
        defer { sockets.forEach { close($0) } }
        let before = try board.memory.own
        let first = try board.connect()
        defer { close(first) }
        for _ in 0..<wanted { sockets.append(try board.connect()) }
        #expect(
            try board.answer(to: []).hasPrefix(
                "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30"
            )
        )
        _ = Loopback.send(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), to: first)
        let answered = try #require(Loopback.receive(first))
        #expect(String(decoding: answered, as: UTF8.self).hasPrefix("HTTP/1.1 401"))
        // A thousand cost 20 KiB each, and all the others nothing.
        #expect(try board.memory.own - before < 32 << 10)
        sockets.forEach { close($0) }
        sockets = []
        // The places are free again.
        var answer = ""
        for _ in 0..<100 where !answer.hasPrefix("HTTP/1.1 200") {
            answer = try board.get("/")
            usleep(50_000)
        }
        #expect(answer.hasPrefix("HTTP/1.1 200"))
    }

    /// How many files this process can have open at most.
    nonisolated static var mostFiles: UInt {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit.rlim_max
    }
}
