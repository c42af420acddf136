internal import Foundation
internal import Glibc

/// A running `luggage watch`.
final class Service {
    private let identifier: pid_t

    /// Starts it.
    init(_ inbox: Inbox, _ arguments: [String] = []) {
        let words =
            [Self.executable, "watch", "--store", inbox.store, "--log-level", "error"]
            + arguments + [inbox.folder]
        var identifier: pid_t = 0
        let pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        unsafe posix_spawn(&identifier, Self.executable, nil, nil, pointers, environ)
        unsafe pointers.forEach { unsafe free($0) }
        self.identifier = identifier
    }

    /// Runs the program to its end; what it says goes nowhere.
    static func run(_ arguments: [String]) {
        var identifier: pid_t = 0
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        let pointers = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
        unsafe posix_spawn(&identifier, executable, &actions, nil, pointers, environ)
        unsafe pointers.forEach { unsafe free($0) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        wait(for: identifier)
    }

    private static func wait(for identifier: pid_t) {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    }

    /// The program that was built with this one, beside it.
    static let executable = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "luggage")
        .path(percentEncoded: false)

    /// Ends it, and waits until it has ended.
    func end(by signal: Int32 = SIGTERM) {
        kill(identifier, signal)
        wait()
    }

    /// Waits until it has ended.
    func wait() {
        Self.wait(for: identifier)
    }

    /// A figure of the system about its memory, in KiB: `VmRSS`, `VmHWM`.
    func memory(_ key: String) -> Int {
        let text = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("\(key):") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// How often each of its threads has gone to sleep, and so been woken.
    func wakeUps() -> [String: Int] {
        let tasks = "/proc/\(identifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.reduce(into: [:]) { counts, thread in
            let text = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
            let line = text?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt") }
            counts[thread] = line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
    }
}

/// The seconds of processors that this process and those that it has waited for have taken.
func processorTime() -> Double {
    [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue].reduce(0) { sum, who in
        var usage = rusage()
        unsafe getrusage(who, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(sum) { sum, time in
            sum + Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
        }
    }
}

/// The middle, and the value that 99 of 100 do not exceed.
func figures(_ values: [Double]) -> (median: Double, high: Double) {
    let sorted = values.sorted()
    return (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 99 / 100)])
}
