internal import Glibc
internal import ProgramSupport
internal import SystemSupport

/// The signals that end a program, for a command that has something to finish first.
enum EndingSignals {
    /// Runs work; a signal asks it to come to an end, and does not end the program.
    ///
    /// A signal that was ignored when the program started, as `nohup` does it, stays ignored.
    ///
    /// - Parameters:
    ///   - taken: The signals.
    ///   - stop: Asks the work to come to an end.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    static func taken<Result>(
        _ taken: [Int32] = [SIGHUP, SIGINT, SIGTERM],
        by stop: @escaping @Sendable () -> Void,
        during work: () async throws -> Result
    ) async rethrows -> Result {
        var signals: [AsyncStream<Int32>] = []
        for number in taken where !InterruptedWork.isIgnored(number) {
            signals.append(await .signals(number))
        }
        let waiting = signals.map { signal in Task { for await _ in signal { stop() } } }
        defer { for task in waiting { task.cancel() } }
        return try await work()
    }
}
