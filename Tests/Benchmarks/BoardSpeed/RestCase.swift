internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TestBoards
internal import TestProcesses

/// What the board costs while nothing happens.
struct RestCase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rest",
        abstract: "Its memory, and how often it wakes up, after each page was looked at."
    )

    @Option(help: "The record.")
    var store: String

    @Option(help: "For how many seconds it is watched.")
    var seconds: UInt32 = 60

    func run() throws {
        let board = try RunningBoard(["--store", store])
        for target in ["/", "/failed", "/report", "/search?for=F4"] { _ = try board.get(target) }
        // Threads that were of use end after a while.
        sleep(10)
        let before = Self.wakeUps(board)
        sleep(seconds)
        let count = Self.wakeUps(board) - before
        let (own, all) = try board.memory
        print("\(own) KiB of its own, \(all) KiB with its file, \(count) wake-ups in \(seconds) s")
        board.stop()
    }

    /// How often its threads have gone to sleep, and so been woken.
    private static func wakeUps(_ board: RunningBoard) -> Int {
        let tasks = "/proc/\(board.process.identifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.reduce(0) { sum, thread in
            let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
            let line = status?.firstMatch(of: /\nvoluntary_ctxt_switches:\s+(\d+)/)
            return sum + (line.flatMap { Int($0.1) } ?? 0)
        }
    }
}
