internal import ArgumentParser
internal import Foundation
internal import TestBoards
internal import TestFolders

/// How long each page of a large record takes.
struct PagesCase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages",
        abstract: "How long each page takes, the first time and afterwards, and its size."
    )

    @Option(help: "The record.")
    var store: String

    @Option(help: "How often each page is fetched.")
    var times = 20

    @Option(help: "What is searched for.")
    var search: [String] = ["F4", "D/ZMU", "MUC", "zzzz", "4C493E"]

    func run() throws {
        let inbox = try TemporaryFolder()
        for name in ["origin", "destination", "processed", "duplicates", "failed"] {
            try FileManager.default.createDirectory(
                atPath: inbox.path(name),
                withIntermediateDirectories: false
            )
        }
        let board = try RunningBoard(["--store", store, "--folder", inbox.path])
        var targets = ["/", "/failed", "/hand-in", "/report"]
        targets += search.map { "/search?for=\($0.replacing("/", with: "%2F"))" }
        let first = try board.get("/")
        if let bag = first.firstMatch(of: /\/bag\/[0-9A-F-]{36}/) {
            targets += ["\(bag.0)", "\(bag.0)/changes"]
        }
        for target in targets {
            var (passed, size): ([Double], Int) = ([], 0)
            for _ in 0..<times {
                let start = ContinuousClock.now
                let page = try board.get(target)
                passed.append(milliseconds(since: start))
                guard page.hasPrefix("HTTP/1.1 200") else {
                    throw ValidationError("\(target): \(page.prefix(80))")
                }
                size = page.utf8.count
            }
            let begin = String(format: "first %.1f ms", passed[0])
            print("\(target)  \(size) bytes  \(begin)  \(figures(Array(passed.dropFirst())))")
        }
        board.stop()
    }
}
