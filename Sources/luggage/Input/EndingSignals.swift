internal import Glibc
internal import ProgramSupport
internal import UnixSignals

/// The signals that end a program, for a command that has something to finish first.
enum EndingSignals {
    /// Runs work; a signal asks it to come to an end, and does not end the program.
    ///
    /// A signal that was ignored when the program started, as `nohup` does it, stays ignored.
    ///
    /// - Parameters:
    ///   - stop: Asks the work to come to an end.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    static func taken<Result>(
        by stop: @escaping @Sendable () -> Void,
        during work: () async throws -> Result
    ) async throws -> Result {
        var signals: [UnixSignalsSequence] = []
        let known: [(Int32, UnixSignal)] = [
            (SIGHUP, .sighup), (SIGINT, .sigint), (SIGTERM, .sigterm),
        ]
        for (number, signal) in known where !InterruptedWork.isIgnored(number) {
            signals.append(await UnixSignalsSequence(trapping: signal))
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for signal in signals { group.addTask { for await _ in signal { stop() } } }
            defer { group.cancelAll() }
            return try await work()
        }
    }
}
