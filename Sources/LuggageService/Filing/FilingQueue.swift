internal import LuggageTags
internal import ObjectStore
internal import Synchronization
internal import TagReading
internal import SystemSupport

/// The result of trying to file a picture.
enum FilingResult: Sendable {
    case filed(FiledPicture)
    /// It is on record, but not yet in its folder; a retry may succeed.
    case notMoved(FilingError)
    /// Someone has written to it since it was read: the service must read it again.
    case changed
    /// Another record is open than the one that knew it: the service must look at it again.
    case outdated
    /// The service is stopping: nothing of the picture is on record.
    case abandoned
}

/// Files pictures in the order in which they were read, in batches.
final class FilingQueue: Sendable {
    private typealias Batches = BatchQueue<DroppedPicture, FilingResult>
    /// A picture, and the caller that waits for its result.
    typealias Waiting = BatchQueue<DroppedPicture, FilingResult>.Waiting

    private let batches: Batches
    private let filing: BatchFiling

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - store: The record.
    ///   - layout: The folders.
    ///   - limits: What one picture may cost to read.
    ///   - gathering: Says how long a batch waits for more pictures.
    ///   - stuck: Remembers the pictures that moves leave under hidden names.
    ///   - backoff: The waits while the record cannot be written.
    ///   - prepare: Called before a batch is filed.
    ///   - report: Called with the reason when filing pauses, and with nil when it goes on.
    ///   - complain: Called with failures that did not keep a picture from being filed.
    init(
        store: ServiceStore,
        layout: FolderLayout,
        limits: ReadLimits = .default,
        gathering: BatchGathering<Waiting>,
        stuck: StuckPictures = StuckPictures(),
        backoff: Backoff = Backoff(),
        prepare: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (FilingTrouble?) -> Void,
        complain: @escaping @Sendable (FilingError) -> Void
    ) {
        let filing = BatchFiling(
            store: store,
            layout: layout,
            limits: limits,
            stuck: stuck,
            backoff: backoff,
            prepare: prepare,
            report: report,
            complain: complain
        )
        self.filing = filing
        batches = Batches(gathering) { filing.file($0) }
    }

    /// Announces a picture that is being read; ``file(_:)`` or ``expectNoMore()`` must follow.
    func expect() {
        batches.expect()
    }

    /// Says that an announced picture will not be filed.
    func expectNoMore() {
        batches.expectNoMore()
    }

    /// How many pictures wait for others to come.
    var held: Int { batches.held }

    /// Files an announced picture.
    func file(_ picture: DroppedPicture) async -> FilingResult {
        await withCheckedContinuation { continuation in
            batches.add(picture) { continuation.resume(returning: $0) }
        }
    }

    /// Runs a closure as soon as no picture is being moved.
    func betweenMoves(_ body: @escaping @Sendable () -> Void) {
        batches.betweenBatches(body)
    }

    /// Empties the record's log between batches, so that the record's file alone can be copied.
    func settle() {
        batches.betweenBatches { [filing] in filing.settle() }
    }

    /// Stops: a record that cannot be written is tried only once from now on.
    func stop() {
        filing.stop()
        batches.hurry()
    }

    /// Closes the record once nothing uses it; nothing may use it afterwards.
    func close() async {
        await withCheckedContinuation { continuation in
            batches.betweenBatches { [filing] in
                filing.close()
                continuation.resume()
            }
        }
    }

    /// Checks the record soon.
    ///
    /// If something is wrong with it, the queue reports that, and files nothing until it is mended.
    func checkRecord() {
        if filing.takeSign() { batches.betweenBatches { [filing] in filing.checkRecord() } }
    }

    /// Yields when a batch was filed.
    var filedBatches: AsyncStream<Void> { filing.filedBatches }

    /// How many batches were filed.
    var batchCount: Int { filing.batchCount }
}

/// Files batches of pictures: first in the record, then on the disk.
///
/// While the record cannot be written, everything waits, and it retries.
private final class BatchFiling: Sendable {
    private let store: ServiceStore
    private let layout: FolderLayout
    private let limits: ReadLimits
    private let stuck: StuckPictures
    private let backoff: Backoff
    private let prepare: @Sendable () -> Void
    private let report: @Sendable (FilingTrouble?) -> Void
    private let complain: @Sendable (FilingError) -> Void
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

    private let state = TimedWait(State())
    let filedBatches: AsyncStream<Void>
    private let announceBatch: AsyncStream<Void>.Continuation
    private let untold = Mutex(UntoldReports())
    private let startedAt = FileClock.now

    init(
        store: ServiceStore,
        layout: FolderLayout,
        limits: ReadLimits = .default,
        stuck: StuckPictures,
        backoff: Backoff,
        prepare: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (FilingTrouble?) -> Void,
        complain: @escaping @Sendable (FilingError) -> Void
    ) {
        self.store = store
        self.layout = layout
        self.limits = limits
        self.stuck = stuck
        self.backoff = backoff
        self.prepare = prepare
        self.report = report
        self.complain = complain
        (filedBatches, announceBatch) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var batchCount: Int { state.change { ($0.batches, .none) } }

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
        if !isClosed { _ = record([]) }
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

    /// Files a batch.
    ///
    /// - Parameter pictures: The pictures.
    /// - Returns: The result for each.
    func file(_ pictures: [DroppedPicture]) -> [FilingResult] {
        prepare()
        let unknown = pictures.filter { $0.known == nil }
        guard let recorded = record(unknown.map(\.picture)) else {
            return pictures.map { _ in .abandoned }
        }
        var moves = BatchOfMoves(layout: layout, besides: store.path, limits: limits)
        var outcomes = recorded.outcomes[...]
        var results: [FilingResult] = []
        for picture in pictures {
            guard picture.known.map({ $0.opening == recorded.opening }) ?? true else {
                results.append(.outdated)
                continue
            }
            let known = picture.known.map { DroppedOutcome.known($0.answer) }
            let isUntold = known == nil && recorded.isRepeated
            let outcome = known ?? outcomes.popFirst()
            results.append(outcome.map { move(picture, $0, isUntold, with: &moves) } ?? .abandoned)
        }
        for error in moves.makeDurable() { complain(error) }
        state.change { ($0.batches += 1, .none) }
        announceBatch.yield()
        return results
    }

    /// Moves a picture, and remembers its results until a move succeeds.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - outcome: The result of filing it.
    ///   - isUntold: Whether its results cannot have been reported, even if it is on record.
    ///   - moves: Does the moving.
    /// - Returns: What happened to it.
    private func move(
        _ picture: DroppedPicture,
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
            // An earlier service may have filed it and ended before the move. A picture that came to the
            // folder after this start, but is on record, was moved and reported once; someone put it back.
            let mayBeUntold =
                isUntold || hasForgotten || picture.image.stateChangeTime < startedAt
            if case .known = outcome, earlier == nil, mayBeUntold {
                let reports = try? store.recorder.filedReports(of: picture.picture)
                earlier = reports.map { EarlierReports(reports: $0, isFromRecord: !isUntold) }
            }
        }
        let result = moves.move(picture, outcome, earlier: earlier)
        if case .notMoved(let error) = result { stuck.add(from: error) }
        switch result {
        case .filed, .abandoned, .outdated: break
        // The change may be only a new name.
        case .notMoved, .changed:
            let reports = earlier ?? EarlierReports(reports: outcome.reports, isFromRecord: false)
            untold.withLock { $0.keep(reports, of: picture.picture) }
        }
        return result
    }

    private struct Recorded {
        /// The result for each picture.
        var outcomes: [DroppedOutcome]
        /// Whether this was a retry: an earlier try may have been saved although it reported an error.
        var isRepeated: Bool
        /// The number of the opening that has it.
        var opening: Int
    }

    /// Writes to the record at its place, and retries until that succeeds.
    ///
    /// - Returns: The results; nil if the service is stopping.
    private func record(_ pictures: [ReadPicture]) -> Recorded? {
        var failures = 0
        var telling = TroubleTelling(backoff: backoff)
        while true {
            let signs = state.change { ($0.signs, .none) }
            do {
                try store.check()
                let recorded = Recorded(
                    outcomes: pictures.isEmpty ? [] : try store.recorder.recordOnce(pictures),
                    isRepeated: failures > 0,
                    opening: store.openingNumber
                )
                // What went into files that have been removed or replaced is on no record.
                if !pictures.isEmpty { try store.confirm() }
                if failures > 0 { report(nil) }
                return recorded
            } catch {
                store.doubt(after: error)
                failures += 1
                let trouble = telling.take(error, failures)
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

extension DroppedOutcome {
    /// The result of each tag; none if it was reported before.
    fileprivate var reports: [ScanReport] {
        if case .recorded(let reports) = self { reports } else { [] }
    }

    /// Whether it is about this file, and not about another file with the same content.
    fileprivate var isOfThisFile: Bool {
        if case .known(.duplicate) = self { false } else { true }
    }
}
