internal import Glibc
internal import ProgramSupport
internal import SystemSupport

/// The signals that end a program, for a command that has something to finish first.
enum EndingSignals {
    /// Runs work; a signal asks it to come to an end, and does not end the program.
    ///
    /// A signal that was ignored when the program started, as `nohup` does it, stays ignored; but not SIGTERM,
    /// with which managers of services ask.
    ///
    /// - Parameters:
    ///   - numbers: The signals.
    ///   - stop: Asks the work to come to an end.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    static func taken<Result>(
        _ numbers: [Int32] = [SIGHUP, SIGINT, SIGTERM],
        by stop: @escaping @Sendable () -> Void,
        during work: () async throws -> Result
    ) async throws -> Result {
        let taken = numbers.filter { $0 == SIGTERM || !InterruptedWork.isIgnored($0) }
        let signals = await AsyncStream.signals(taken)
        // Not tasks of their own, which would not run on the threads of this one.
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { stop() } }
            defer { group.cancelAll() }
            return try await work()
        }
    }
}
