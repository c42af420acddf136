import Foundation
import TestProcesses
import Testing

@Suite("luggage watch at rest", .timeLimit(.minutes(30)))
struct RestTests {
    @Test("is not woken any more when its pictures are filed, on a new record and on an old one")
    func rest() async throws {
        let workplace = try Workplace()
        let origin = try workplace.makeFolder("inbox/origin")
        for sample in ["tag-f432-dzmu.png", "two-tags.png"] {
            try await workplace.watching("--readers", "1", workplace.path("inbox")) { service in
                try await service.line(containing: "watching ")
                try FileManager.default.copyItem(
                    atPath: Workplace.sample(sample),
                    toPath: "\(origin)/\(sample)"
                )
                try await service.line(containing: "\(sample): new")
                let least = try await leastWakeUps(of: service.identifier, in: .seconds(3))
                #expect(least == 0)
            }
        }
    }

    @Test("is not woken any more either when a hook has run, which leaves no thread that wakes")
    func restAfterHook() async throws {
        let workplace = try Workplace()
        let origin = try workplace.makeFolder("inbox/origin")
        let arguments = [
            "--readers", "1", "--log-level", "debug", "--hook", "echo it is $LUGGAGE_EVENT",
            workplace.path("inbox"),
        ]
        try await workplace.watching(arguments) { service in
            try await service.line(containing: "watching ")
            for sample in ["tag-f432-dzmu.png", "two-tags.png"] {
                try FileManager.default.copyItem(
                    atPath: Workplace.sample(sample),
                    toPath: "\(origin)/\(sample)"
                )
                try await service.line(containing: "hook: it is processed")
                try await service.line(containing: "the hook was run for \(sample)")
                // So libdispatch calls the threads of which one looks after the others.
                let names = try threadNames(of: service.identifier)
                #expect(!names.isEmpty)
                #expect(names.filter { $0.hasSuffix("-qos\n") } == [])
            }
            let least = try await leastWakeUps(of: service.identifier, in: .seconds(3))
            #expect(least == 0)
        }
    }

    /// How often threads of a process were woken in the quietest of several times, one after the other.
    ///
    /// What wakes a thread once a second does so in each of them, however slow the machine is. What
    /// goes to rest does it sooner or later.
    private func leastWakeUps(of process: pid_t, in time: Duration) async throws -> Int {
        var least = Int.max
        for _ in 0..<Int(TestProcesses.patience / time) where least > 0 {
            let before = try wakeUps(of: process)
            try await Task.sleep(for: time)
            let after = try wakeUps(of: process)
            least = min(
                least,
                after.reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
            )
        }
        return least
    }

    /// How often each thread of a process has gone to sleep of itself, and so been woken.
    private func wakeUps(of process: pid_t) throws -> [String: Int] {
        let threads = "/proc/\(process)/task"
        var counts: [String: Int] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: threads) {
            // A thread that has ended meanwhile is woken no more.
            let status = try? String(
                contentsOfFile: "\(threads)/\(thread)/status",
                encoding: .utf8
            )
            let line = status?.split(separator: "\n").first {
                $0.hasPrefix("voluntary_ctxt_switches:")
            }
            counts[thread] = line?.split(separator: "\t").last.flatMap { Int($0) }
        }
        return counts
    }

    private func threadNames(of process: pid_t) throws -> [String] {
        let threads = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).compactMap { thread in
            try? String(contentsOfFile: "\(threads)/\(thread)/comm", encoding: .utf8)
        }
    }
}
