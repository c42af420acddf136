import Foundation
import Subprocess
import SystemPackage
import TestFolders
import TestProcesses
import Testing

@Suite("What a test starts", .timeLimit(.minutes(30)))
struct TestProcessesTests {
    @Test(
        "ends when the process of the tests is killed, deaf as it may be, with what it has started",
        arguments: [
            "echo started; \(Self.deaf)",
            "(\(Self.deaf)) & echo started; exec 1>&-; wait",
            "(\(Self.deaf)) & echo started",
        ]
    )
    func killed(script: String) async throws {
        let folder = try TemporaryFolder()
        let life = try LifePipe(path: folder.path("life"))
        let command = "exec 3<>'\(folder.path("life"))'; trap '' HUP INT TERM; \(script)"
        await #expect(processExitsWith: .signal(SIGKILL)) { [command = command as String] in
            _ = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", command],
                platformOptions: .endingWithTests,
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                for try await _ in execution.standardOutput.strings() { kill(getpid(), SIGKILL) }
            }
        }
        #expect(life.hasEnded(), "a process is left")
    }

    private static let deaf = "while true; do sleep 1; done"

    @Test(
        "that leads a group of its own can wait for the end of the tests, and never waits after it"
    )
    func endOfTests() async throws {
        let folder = try TemporaryFolder()
        let life = try LifePipe(path: folder.path("life"))
        let path = folder.path("life")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            // Started before and after the end of this process.
            let script = """
                exec 3<>'\(path)'; \(TestProcesses.endOfTests) & echo started
                \(TestProcesses.endOfTests); \(TestProcesses.endOfTests)
                """
            var options = PlatformOptions()
            options.createSession = true
            _ = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", script],
                platformOptions: options,
                input: .none,
                output: .sequence,
                error: .discarded
            ) { execution in
                for try await _ in execution.standardOutput.strings() { kill(getpid(), SIGKILL) }
            }
        }
        #expect(life.hasEnded(), "a process is left")
    }
}
