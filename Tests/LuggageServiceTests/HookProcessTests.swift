import LuggageTags
import TestFolders
import Testing
import TestProcesses

@testable import LuggageService
import Glibc

@Suite("The process of a hook")
struct HookProcessTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func run(
        _ command: String,
        timeLimit: Duration = .seconds(3600)
    ) async -> Hook.Outcome {
        let hook = Hook(
            command: "cd '\(scratch.path(""))'\n\(command)",
            timeLimit: timeLimit,
            environment: [:]
        )
        let facts = HookFacts(.processed, picture: [], name: [], point: .origin, station: "A")
        return await hook.run(facts)
    }

    @Test(
        "is reached by each signal, whatever this process ignores and its threads block",
        arguments: [SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGALRM]
    )
    func signals(signal number: Int32) async {
        let before = signal(SIGUSR1, SIG_IGN)
        defer { _ = signal(SIGUSR1, before) }
        let outcome = await run("kill -\(number) $$; echo deaf")
        #expect(outcome == Hook.Outcome(end: .killed(signal: number)))
        let caught = await run("trap 'echo caught' \(number); kill -\(number) $$; echo on")
        #expect(caught.end == .exited(0))
        #expect(caught.output.lines == ["caught", "on"])
    }

    @Test("has no descriptors but its streams, also where some are not marked to be closed")
    func descriptors() async throws {
        let unmarked = unsafe open("/dev/null", O_RDONLY)
        try #require(unmarked > 2)
        defer { close(unmarked) }
        let outcome = await run("ls /proc/self/fd")
        // The last one is the folder that is listed.
        #expect(outcome.output.lines == ["0", "1", "2", "3"])
    }

    @Test("leads a session of its own, and its end is collected")
    func session() async throws {
        let outcome = await run("echo $$; cut -d ' ' -f 5,6 /proc/$$/stat")
        let number = try #require(outcome.output.lines.first.flatMap { Int32($0) })
        #expect(outcome.output.lines == ["\(number)", "\(number) \(number)"])
        #expect(number != getsid(0))
        #expect(kill(number, 0) != 0 && errno == ESRCH)
    }

    @Test("may leave another behind that writes without end, which is heard no more")
    func endlessWriter() async throws {
        try await scratch.expectEnd {
            let outcome = await run("exec 3<>life; yes & exit 3")
            #expect(outcome.end == .exited(3))
        }
    }

    @Test("is ended at its time while it writes without end, and its beginning is kept")
    func endless() async throws {
        try await scratch.expectEnd {
            let outcome = await run("exec 3<>life; yes", timeLimit: .seconds(5))
            #expect(outcome.end == .tooSlow)
            #expect(outcome.output.lines.count == HookOutput.lineLimit + 1)
        }
    }

    @Test("that cannot be started is said to be, with the reason")
    func notRun() async {
        let outcome = await run("true #" + String(repeating: "x", count: 200_000))
        #expect(outcome == Hook.Outcome(end: .notRun("Argument list too long")))
        #expect(
            outcome.end.words(timeLimit: .seconds(1))
                == "could not be run: Argument list too long"
        )
    }

    @Test("is ended with its service, also where that was before its start")
    func cancelledBefore() async {
        let outcome = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await run(TestProcesses.endOfTests)
        }.value
        #expect(outcome == Hook.Outcome(end: .killed(signal: SIGTERM)))
    }

    @Test(
        "is killed where it is deaf to being ended with its service, with all that it has started"
    )
    func cancelledDeaf() async throws {
        let started = try ScriptPipe()
        try await scratch.expectEnd {
            let hook = Task {
                await run(
                    """
                    exec 3<>life; trap '' TERM; (\(TestProcesses.endOfTests)) &
                    echo >\(started.path); \(TestProcesses.endOfTests)
                    """
                )
            }
            await started.arrival()
            hook.cancel()
            #expect(await hook.value == Hook.Outcome(end: .killed(signal: SIGKILL)))
        }
    }
}
