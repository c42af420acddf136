internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TestBoards
internal import TestFolders

/// How long it takes from `luggage scan` until a bag stands on many open pages.
struct NewsCase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "news",
        abstract: "From a run of `luggage scan` until its bag is on every open page."
    )

    @Option(help: "How many pages are open.")
    var pages = 50

    @Option(help: "How many scans, one after the other.")
    var scans = 100

    @Option(help: "The record; an empty one if none is given.")
    var store: String?

    func run() throws {
        let folder = try TemporaryFolder()
        let record = store ?? folder.path("luggage.sqlite")
        let scanner = Scanner(record: record, folder: folder)
        _ = try scanner.file(UUID())
        let board = try RunningBoard(["--store", record])
        let listeners = try (0..<pages).map { _ in try Listener(board) }
        try Listener.wait(for: listeners) { $0.contains("\n:\n") || $0.contains("event: section") }
        var (sinceStart, sinceEnd): ([Double], [Double]) = ([], [])
        for _ in 0..<scans {
            listeners.forEach { $0.forget() }
            let bag = UUID()
            let times = try scanner.file(bag)
            let name = "/bag/\(bag.uuidString)"
            for arrival in try Listener.wait(for: listeners, until: { $0.contains(name) }) {
                sinceStart.append((arrival - times.start) / .milliseconds(1))
                sinceEnd.append(max(0, (arrival - times.end) / .milliseconds(1)))
            }
        }
        print("\(pages) open pages, \(scans) scans, one after the other:")
        print("since the start of the program: \(figures(sinceStart))")
        print("since its end:                  \(figures(sinceEnd))")
        board.stop()
    }
}

/// Files bags by the program for it.
private struct Scanner {
    let record: String
    let folder: TemporaryFolder

    /// Files a bag, and tells when that began and ended.
    func file(_ bag: UUID) throws -> (start: ContinuousClock.Instant, end: ContinuousClock.Instant)
    {
        let process = Process()
        process.executableURL = RunningBoard.programs.appending(path: "luggage")
        process.arguments = [
            "scan", "--at", "origin", "--station", "MUC", "--store", record, "--payload", "-",
        ]
        let payload = #"{"id": "\#(bag.uuidString)", "owner": ["D", "ZMU"], "weight": 42}"# + "\n"
        process.standardInput = try FileHandle(
            forReadingFrom: URL(filePath: folder.write(payload, to: "payload"))
        )
        process.standardOutput = FileHandle.nullDevice
        let start = ContinuousClock.now
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ValidationError("luggage scan ended with \(process.terminationStatus)")
        }
        return (start, ContinuousClock.now)
    }
}

/// A page that waits for news.
private final class Listener {
    private let socket: Int32
    private var text = ""
    private var arrival: ContinuousClock.Instant?

    init(_ board: RunningBoard) throws {
        socket = try board.connect()
        let request =
            "GET /news?of=/ HTTP/1.1\r\nHost: a\r\nCookie: luggage=\(board.token)\r\n\r\n"
        guard Loopback.send(Array(request.utf8), to: socket) else {
            throw ValidationError("the board has closed a connection")
        }
    }

    deinit { close(socket) }

    /// Begins to wait for something new.
    func forget() { (text, arrival) = ("", nil) }

    /// Waits until each has got what is wanted, and tells when.
    @discardableResult
    static func wait(
        for listeners: [Listener],
        until isThere: (String) -> Bool
    ) throws -> [ContinuousClock.Instant] {
        while true {
            let waiting = listeners.filter { $0.arrival == nil }
            if waiting.isEmpty { return listeners.compactMap(\.arrival) }
            var events = waiting.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
            let count = unsafe poll(&events, nfds_t(events.count), 30_000)
            guard count > 0 else { throw ValidationError("news have not come in 30 s") }
            for (listener, event) in zip(waiting, events) where event.revents != 0 {
                guard let bytes = Loopback.receive(listener.socket) else {
                    throw ValidationError("the board has closed a connection")
                }
                listener.text += String(decoding: bytes, as: UTF8.self)
                if isThere(listener.text) { listener.arrival = .now }
            }
        }
    }
}
