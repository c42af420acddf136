import Foundation
import TestFolders
import TestProcesses
import Testing

@testable import TestHubs

@Suite("A hub of a test", .timeLimit(.minutes(30)))
struct TestHubTests {
    @Test("says what to install where there is no PostgreSQL")
    func missing() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: TestHubError.self) {
            try PostgresPrograms(among: [folder.path, "/nowhere"])
        }
        #expect(
            error?.description == "there is no PostgreSQL server here: apt-get install postgresql"
        )
    }

    @Test(
        "ends when the process of the tests is killed, even while it stands still",
        arguments: [false, true]
    )
    func killed(isFrozen: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("life")
        let life = try LifePipe(path: path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, isFrozen = isFrozen as Bool] in
            var options = TestHub.Options()
            options.prefix = ["sh", "-c", "exec 3<>'\(path)'; exec \"$@\"", "sh"]
            let hub = try TestHub(options)
            if isFrozen { hub.freeze() }
            kill(getpid(), SIGKILL)
        }
        #expect(life.hasEnded(), "a process is left")
    }
}
