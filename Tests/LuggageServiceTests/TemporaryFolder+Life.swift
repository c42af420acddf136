import TestFolders
import TestProcesses
import Testing

extension TemporaryFolder {
    /// Makes a pipe, `life`, that everything a command starts holds open, and waits until nothing is
    /// left of it.
    func expectEnd(of body: () async throws -> Void) async throws {
        let life = try LifePipe(path: path("life"))
        try await body()
        #expect(life.hasEnded(), "a process is left")
    }
}
