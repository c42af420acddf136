internal import Dispatch
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import Synchronization
internal import TagReading

/// Files pictures in the order in which they were read: the record first, then the move.
///
/// While one batch is written to the disk, the pictures that come meanwhile make up the next: a
/// picture by itself waits for nobody, and a backlog costs one write for many pictures. While the
/// record cannot be written, everything waits, and the record is tried again.
final class FilingQueue: Sendable {
    /// As many pictures as share one transaction.
    static let mostTogether = 64

    private struct Waiting {
        let picture: ReadPicture
        let continuation: CheckedContinuation<FilingResult, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWorking = false
        var isStopped = false
    }

    private let store: ServiceStore
    private let layout: FolderLayout
    private let backoff: Backoff
    private let report: @Sendable (FilingTrouble?) -> Void
    private let complain: @Sendable (FilingError) -> Void
    private let state = Mutex(State())
    private let untold = Mutex(UntoldReports())
    private let startedAt = FileClock.now
    /// Work on it waits for disks.
    private let queue = DispatchQueue(label: "luggage.filing")
    private let stopped = DispatchSemaphore(value: 0)

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - store: The record.
    ///   - layout: The folders.
    ///   - backoff: How long to wait for a record that cannot be written.
    ///   - report: Is told why filing has paused, and nil when it goes on.
    ///   - complain: Is told of failures that have not kept a picture from being filed.
    init(
        store: ServiceStore,
        layout: FolderLayout,
        backoff: Backoff = Backoff(),
        report: @escaping @Sendable (FilingTrouble?) -> Void,
        complain: @escaping @Sendable (FilingError) -> Void
    ) {
        self.store = store
        self.layout = layout
        self.backoff = backoff
        self.report = report
        self.complain = complain
    }

    /// Files a picture.
    func file(_ picture: ReadPicture) async -> FilingResult {
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                state.waiting.append(Waiting(picture: picture, continuation: continuation))
                defer { state.isWorking = true }
                return !state.isWorking
            }
            if begins { queue.async { self.work() } }
        }
    }

    /// Gives up what waits for a record that cannot be written; from now on it is tried only once.
    func stop() {
        state.withLock { $0.isStopped = true }
        stopped.signal()
    }

    private func work() {
        while let batch = nextBatch() {
            let results = file(batch.map(\.picture))
            for (waiting, result) in zip(batch, results) {
                waiting.continuation.resume(returning: result)
            }
        }
    }

    private func nextBatch() -> [Waiting]? {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(Self.mostTogether))
            // A slice of the rest would keep those that are done with, and their files open.
            state.waiting.removeFirst(batch.count)
            if batch.isEmpty { state.isWorking = false }
            return batch.isEmpty ? nil : batch
        }
    }

    private func file(_ pictures: [ReadPicture]) -> [FilingResult] {
        let unknown = pictures.filter { $0.known == nil }
        guard let recorded = record(unknown.map(\.picture)) else {
            return pictures.map { _ in .abandoned }
        }
        var moves = BatchOfMoves(layout: layout)
        var outcomes = recorded.outcomes[...]
        var results: [FilingResult] = []
        for picture in pictures {
            let known = picture.known.map(DroppedOutcome.known)
            let isUntold = known == nil && recorded.isRepeated
            let outcome = known ?? outcomes.popFirst()
            results.append(outcome.map { move(picture, $0, isUntold, with: &moves) } ?? .abandoned)
        }
        for error in moves.makeDurable() { complain(error) }
        return results
    }

    /// Moves a picture, and remembers what came of it for as long as that does not succeed.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - outcome: What came of it.
    ///   - isUntold: Whether nobody can have been told of it, were it on record already.
    ///   - moves: Does the moving.
    /// - Returns: What has become of it.
    private func move(
        _ picture: ReadPicture,
        _ outcome: DroppedOutcome,
        _ isUntold: Bool,
        with moves: inout BatchOfMoves
    ) -> FilingResult {
        var earlier: EarlierReports?
        if outcome.isOfThisFile {
            let hasForgotten: Bool
            (earlier, hasForgotten) = untold.withLock {
                ($0.take(picture.picture), $0.hasForgotten)
            }
            // An earlier service may have filed it, and have ended before it was moved. What has come to
            // the folder since then was moved once, and told of; somebody has moved it back.
            let mayBeUntold =
                isUntold || hasForgotten || picture.image.stateChangeTime < startedAt
            if case .known = outcome, earlier == nil, mayBeUntold {
                let reports = try? store.recorder.filedReports(of: picture.picture.scan)
                earlier = reports.map { EarlierReports(reports: $0, isFromRecord: !isUntold) }
            }
        }
        let result = moves.move(picture, outcome, earlier: earlier)
        switch result {
        case .filed, .abandoned: break
        // What has changed may be no more than the picture's name.
        case .notMoved, .changed:
            let reports = earlier ?? EarlierReports(reports: outcome.reports, isFromRecord: false)
            untold.withLock { $0.keep(reports, of: picture.picture) }
        }
        return result
    }

    /// Writes to the record, until that has succeeded.
    ///
    /// - Returns: What came of each picture, and whether that was not the first try, which may have
    ///   succeeded without telling; nil where the service is being stopped.
    private func record(
        _ pictures: [DroppedPicture]
    ) -> (outcomes: [DroppedOutcome], isRepeated: Bool)? {
        if pictures.isEmpty { return ([], false) }
        var failures = 0
        while true {
            do {
                try store.checkPlace()
                let outcomes = try store.recorder.record(pictures)
                if failures > 0 { report(nil) }
                return (outcomes, failures > 0)
            } catch {
                failures += 1
                let wait = backoff.delay(after: failures)
                report(FilingTrouble(error, failures: failures, wait: wait))
                if state.withLock(\.isStopped) { return nil }
                let nanoseconds = Int(wait / .nanoseconds(1))
                if stopped.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success {
                    stopped.signal()
                    return nil
                }
                // Pages that were not written may still be taken for written.
                try? store.reopen()
            }
        }
    }
}

extension DroppedOutcome {
    /// What came of each tag; none where that was told before.
    fileprivate var reports: [ScanReport] {
        if case .recorded(let reports) = self { reports } else { [] }
    }

    /// Whether it tells of this file, and not of another one with the same content.
    fileprivate var isOfThisFile: Bool {
        if case .known(.duplicate) = self { false } else { true }
    }
}

/// Why filing has paused.
package struct FilingTrouble: Sendable {
    /// What happened and what to do about it, for a person.
    package let message: String
    /// The stable code of the store's error, where it is one.
    package let code: String?
    /// How often it has happened in a row.
    package let failures: Int
    /// After how long the record is tried again.
    package let wait: Duration

    init(_ error: any Error, failures: Int, wait: Duration) {
        message = (error as? StoreError)?.message ?? "\(error)"
        code = (error as? StoreError)?.code.description
        self.failures = failures
        self.wait = wait
    }
}
