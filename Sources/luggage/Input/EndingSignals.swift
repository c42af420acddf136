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
    ///   - taken: The signals.
    ///   - stop: Asks the work to come to an end.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    static func taken<Result>(
        _ taken: [UnixSignal] = [.sighup, .sigint, .sigterm],
        by stop: @escaping @Sendable () -> Void,
        during work: () async throws -> Result
    ) async rethrows -> Result {
        var signals: [UnixSignalsSequence] = []
        for signal in taken where !InterruptedWork.isIgnored(signal.rawValue) {
            signals.append(await UnixSignalsSequence(trapping: signal))
        }
        let waiting = signals.map { signal in Task { for await _ in signal { stop() } } }
        defer { for task in waiting { task.cancel() } }
        return try await work()
    }
}
