import Foundation
import Logging
import LuggageTags
import Synchronization
import TestFolders
import Testing
import TestProcesses

@testable import LuggageService

@Suite("Hooks")
struct HookRunnerTests {
    private let scratch: TemporaryFolder
    private let log = RecordedLog()

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func hook(_ command: String) -> Hook {
        Hook(
            command: "cd '\(scratch.path(""))'\n\(command)",
            timeLimit: .seconds(3600),
            environment: [:]
        )
    }

    private func facts(_ name: String) -> HookFacts {
        HookFacts(
            .processed,
            picture: Array("/\(name)".utf8),
            name: Array(name.utf8),
            point: .origin,
            station: "origin"
        )
    }

    @Test("run for each picture, and what they say and how they fail is logged")
    func run() async throws {
        let ends = Mutex<[Bool]>([])
        let command = #"echo "$LUGGAGE_NAME"; [ "$LUGGAGE_NAME" != b ] || exit 3"#
        let runner = HookRunner(hook: hook(command), logger: log.logger(), atOnce: 1) { isSuccess in
            ends.withLock { $0.append(isSuccess) }
        }
        for name in ["a", "b", "c\nd"] { #expect(runner.submit(facts(name))) }
        runner.finish()
        await runner.run()
        #expect(
            log.messages == [
                "hook: a", "the hook was run for a", "hook: b",
                "the hook failed for b: it ended with status 3", "hook: c", "hook: d",
                #"the hook was run for c\nd"#,
            ]
        )
        #expect(log.lines.filter { $0.level >= .warning }.map(\.metadata) == [["picture": "b"]])
        #expect(ends.withLock { $0 } == [true, false, true])
    }

    @Test("run two at a time")
    func atOnce() async throws {
        // Each waits for a gate of its own, so that three overlap if three may.
        let command = """
            echo start >> log; echo > start.$LUGGAGE_NAME
            read line < gate.$LUGGAGE_NAME; echo end >> log
            """
        let names = (0..<6).map { "\($0)" }
        let starts = try names.map { try ScriptPipe(link: scratch.path("start.\($0)")) }
        let gates = try names.map { try ScriptPipe(link: scratch.path("gate.\($0)")) }
        let runner = HookRunner(hook: hook(command), logger: log.logger())
        for name in names { runner.submit(facts(name)) }
        runner.finish()
        let task = Task { await runner.run() }
        for (start, gate) in zip(starts, gates) {
            await start.arrival()
            gate.send()
        }
        await task.value
        let lines = try scratch.text(of: "log").split(separator: "\n")
        #expect(lines.count == 12)
        var running = 0
        for line in lines {
            running += line == "start" ? 1 : -1
            #expect((0...2).contains(running))
        }
    }

    @Test("never hold up the filing: pictures that find the line full are said to have none")
    func overflow() async throws {
        let runner = HookRunner(
            hook: hook("true"),
            logger: log.logger(level: .warning),
            waiting: 2
        )
        let submitted = ["a", "b", "c", "d"].map { runner.submit(facts($0)) }
        #expect(submitted == [true, true, false, false])
        #expect(
            log.messages == ["the hook is too slow: it is not run for c and those after it"]
        )
        let task = Task { await runner.run() }
        while !runner.submit(facts("e")) { await Task.yield() }
        runner.finish()
        await task.value
        #expect(log.messages.count == 2)
        let last = try #require(log.messages.last)
        #expect(last.hasPrefix("the hook was not run for "))
        #expect(!runner.submit(facts("f")))
    }

    @Test("are waited for by those who can wait, so that none is left out")
    func room() async throws {
        let runner = HookRunner(hook: hook("true"), logger: log.logger(), waiting: 4)
        let count = 40
        async let submitted = withTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var submitted = 0
                    for number in 0..<count / 2 where runner.submit(facts("\(number)")) {
                        submitted += 1
                        await runner.waitForRoom()
                    }
                    return submitted
                }
            }
            return await group.reduce(0, +)
        }
        async let running: Void = runner.run()
        #expect(await submitted == count)
        runner.finish()
        await running
        #expect(log.messages.count { $0.hasPrefix("the hook was run") } == count)
        // Whoever comes after the end need not wait.
        await runner.waitForRoom()
    }

    @Test("that are ended keep nobody waiting for room")
    func roomAtEnd() async throws {
        let runner = HookRunner(hook: hook("true"), logger: log.logger(), waiting: 1)
        #expect(runner.submit(facts("a")))
        async let room: Void = runner.waitForRoom()
        let task = Task { await runner.run() }
        task.cancel()
        await task.value
        await room
    }

    @Test("follow a new configuration, and none is no matter")
    func change() async throws {
        let runner = HookRunner(hook: nil, logger: log.logger())
        #expect(runner.submit(facts("a")))
        runner.hook = hook("echo $LUGGAGE_NAME")
        #expect(runner.submit(facts("b")))
        runner.finish()
        await runner.run()
        #expect(log.messages == ["hook: b", "the hook was run for b"])
    }

    @Test("that wait are said to have no run when the service is ended at once")
    func cancellation() async throws {
        let started = try ScriptPipe()
        let runner = HookRunner(
            hook: hook("echo >\(started.path); \(TestProcesses.endOfTests)"),
            logger: log.logger(),
            atOnce: 1
        )
        for name in ["a", "b", "c"] { runner.submit(facts(name)) }
        let task = Task { await runner.run() }
        await started.arrival()
        task.cancel()
        await task.value
        // One that is filed at the last moment finds no line any more.
        #expect(!runner.submit(facts("d")))
        for _ in 0..<2 { runner.tellLeftOut() }
        let others = log.lines.filter { $0.metadata != ["picture": "a"] }
        #expect(others.map(\.level) == [.warning])
        #expect(
            others.map(\.message) == [
                "the hook was not run for 3 pictures: the service was stopped"
            ]
        )
    }
}
