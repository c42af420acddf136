internal import LuggageTags
internal import SystemSupport

/// Writes to the record at its place; while that is not possible, it waits and retries.
///
/// One thread writes; others may stop the waiting, and give signs that something has happened to the
/// record.
final class RecordWriting: Sendable {
    struct Written<Outcome> {
        /// The result for each thing that was to be written.
        var outcomes: [Outcome]
        /// Whether this was a retry: an earlier try may have been saved although it reported an error.
        var isRepeated: Bool
        /// The number of the record's opening that has it.
        var opening: Int
    }

    private struct State {
        var isStopped = false
        /// Whether the record is closed.
        var isClosed = false
        /// Whether a check of the record is due.
        var isToBeChecked = false
        /// Counts the signs that something has happened to the record.
        var signs = 0
        /// Counts the batches that were filed.
        var batches = 0
    }

    private let store: ServiceStore
    private let backoff: Backoff
    private let report: @Sendable (FilingTrouble?) -> Void
    private let state = TimedWait(State())
    /// Yields when a batch was filed.
    let filedBatches: AsyncStream<Void>
    private let announceBatch: AsyncStream<Void>.Continuation

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - store: The record.
    ///   - backoff: The waits while the record cannot be written.
    ///   - report: Called with the reason when writing pauses, and with nil when it goes on.
    init(
        _ store: ServiceStore,
        backoff: Backoff = Backoff(),
        report: @escaping @Sendable (FilingTrouble?) -> Void
    ) {
        self.store = store
        self.backoff = backoff
        self.report = report
        (filedBatches, announceBatch) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many batches were filed.
    var batchCount: Int { state.change { ($0.batches, .none) } }

    /// Counts a batch, after everything that belongs to its filing.
    func endBatch() {
        state.change { ($0.batches += 1, .none) }
        announceBatch.yield()
    }

    /// Takes a sign that something has happened to the record.
    ///
    /// - Returns: Whether to call ``checkRecord()``: no other call is due.
    func takeSign() -> Bool {
        state.change { state in
            state.signs += 1
            defer { state.isToBeChecked = true }
            return (!state.isToBeChecked, .toTell)
        }
    }

    /// Waits until nothing is wrong with the record.
    func checkRecord() {
        let isClosed = state.change { state in
            state.isToBeChecked = false
            return (state.isClosed, .none)
        }
        if !isClosed { _ = patiently { _ in } }
    }

    /// Empties the record's log, so that the record's file alone can be copied.
    func settle() {
        if !state.change({ ($0.isClosed, .none) }) { store.settle() }
    }

    /// Closes the record; changes to its files no longer matter afterwards.
    func close() {
        state.change { ($0.isClosed = true, .none) }
        store.close()
    }

    /// Stops: a record that cannot be written is tried only once from now on.
    func stop() {
        state.change { ($0.isStopped = true, .toTell) }
        store.stopWaiting()
    }

    /// Writes, and retries until that succeeds.
    ///
    /// - Parameter file: Files what is to be written; nil if there is nothing, and the record is only to be
    ///   right.
    /// - Returns: The results; nil if the service is stopping.
    func write<Outcome>(
        _ file: ((ScanRecorder) throws -> [Outcome])?
    ) -> Written<Outcome>? {
        patiently { failures in
            let outcomes = try file?(store.recorder) ?? []
            let opening = store.openingNumber
            // What went into files that have been removed or replaced is on no record.
            if file != nil { try store.confirm() }
            return Written(outcomes: outcomes, isRepeated: failures > 0, opening: opening)
        }
    }

    /// Runs a closure with a record that is right, and retries until that succeeds.
    ///
    /// - Parameter body: Gets the number of failures so far.
    /// - Returns: Its result; nil if the service is stopping.
    private func patiently<Result>(_ body: (Int) throws -> Result) -> Result? {
        var failures = 0
        var telling = TroubleTelling(backoff: backoff)
        while true {
            let signs = state.change { ($0.signs, .none) }
            do {
                try store.check()
                let result = try body(failures)
                if failures > 0 { report(nil) }
                return result
            } catch {
                store.doubt(after: error)
                failures += 1
                let trouble = telling.take(error)
                if telling.isDue { report(trouble) }
                let known = trouble.isToSettle ? nil : signs
                if isStopped(within: trouble.wait, orSignsAfter: known) { return nil }
            }
        }
    }

    /// Waits, but returns early if the service stops or something has happened to the record.
    ///
    /// - Parameters:
    ///   - wait: How long.
    ///   - signs: The number of signs so far; nil to ignore new ones.
    /// - Returns: Whether the service is stopping.
    private func isStopped(within wait: Duration, orSignsAfter signs: Int?) -> Bool {
        let limit = SuspendingClock.now + wait
        return state.wait { state in
            if state.isStopped { return .found(true) }
            let isOver = limit <= .now || signs.map { $0 != state.signs } ?? false
            return isOver ? .found(false) : .wait(until: limit)
        }
    }
}
