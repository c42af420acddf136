internal import LuggageTags
internal import ObjectStore
internal import Synchronization
internal import TagReading
internal import System

/// Files pictures in the order in which they were read, many together.
final class FilingQueue: Sendable {
    private typealias Batches = BatchQueue<ReadPicture, FilingResult>
    /// A picture, and who waits for what becomes of it.
    typealias Waiting = BatchQueue<ReadPicture, FilingResult>.Waiting

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
    ///   - backoff: How long to wait for a record that cannot be written.
    ///   - prepare: Is called before a batch is filed.
    ///   - report: Is told why filing has paused, and nil when it goes on.
    ///   - complain: Is told of failures that have not kept a picture from being filed.
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

    /// Says that a picture is looked at; ``file(_:)`` or ``expectNoMore()`` has to follow.
    func expect() {
        batches.expect()
    }

    /// Says that a picture that was expected is not going to be filed.
    func expectNoMore() {
        batches.expectNoMore()
    }

    /// How many pictures wait for others to come.
    var held: Int { batches.held }

    /// Files a picture that was expected.
    func file(_ picture: ReadPicture) async -> FilingResult {
        await withCheckedContinuation { continuation in
            batches.add(picture) { continuation.resume(returning: $0) }
        }
    }

    /// Does something as soon as no picture is being moved.
    func betweenMoves(_ body: @escaping @Sendable () -> Void) {
        batches.betweenBatches(body)
    }

    /// Leaves the record in its file alone, which can then be copied, as soon as nothing is being filed.
    func settle() {
        batches.betweenBatches { [filing] in filing.settle() }
    }

    /// Gives up what waits for a record that cannot be written; from now on it is tried only once.
    func stop() {
        filing.stop()
        batches.hurry()
    }

    /// Closes the record, once nobody does anything with it; nothing is done with it after that.
    func close() async {
        await withCheckedContinuation { continuation in
            batches.betweenBatches { [filing] in
                filing.close()
                continuation.resume()
            }
        }
    }

    /// Looks at the record soon, and where something is wrong with it, says so, and files nothing until
    /// that is mended.
    func checkRecord() {
        if filing.takeSign() { batches.betweenBatches { [filing] in filing.checkRecord() } }
    }

    /// Tells that a batch was filed.
    var filedBatches: AsyncStream<Void> { filing.filedBatches }

    /// How many batches were filed.
    var batchCount: Int { filing.batchCount }
}

/// Files batches of pictures: the record first, then the moves.
///
/// While the record cannot be written, everything waits, and the record is tried again.
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
        /// Whether the record is to be looked at.
        var isToBeChecked = false
        /// Counts the signs that something has happened to it.
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
    /// - Returns: Whether ``checkRecord()`` is called for, as no other call is to come.
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

    /// Leaves the record in its file alone, which can then be copied.
    func settle() {
        if !state.change({ ($0.isClosed, .none) }) { store.settle() }
    }

    /// Closes the record; what somebody does to its files is of no account then.
    func close() {
        state.change { ($0.isClosed = true, .none) }
        store.close()
    }

    /// Tries a record that cannot be written only once from now on.
    func stop() {
        state.change { ($0.isStopped = true, .toTell) }
        store.stopWaiting()
    }

    /// Files a batch.
    ///
    /// - Parameter pictures: The pictures.
    /// - Returns: What has become of each.
    func file(_ pictures: [ReadPicture]) -> [FilingResult] {
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
        if case .notMoved(let error) = result { stuck.add(from: error) }
        switch result {
        case .filed, .abandoned, .outdated: break
        // What has changed may be no more than the picture's name.
        case .notMoved, .changed:
            let reports = earlier ?? EarlierReports(reports: outcome.reports, isFromRecord: false)
            untold.withLock { $0.keep(reports, of: picture.picture) }
        }
        return result
    }

    private struct Recorded {
        /// What came of each picture.
        var outcomes: [DroppedOutcome]
        /// Whether it was not the first try: that may have succeeded without telling.
        var isRepeated: Bool
        /// Which opening of the record has it.
        var opening: Int
    }

    /// Writes to the record that is at its place, until that has succeeded.
    ///
    /// - Returns: What came of it; nil where the service is being stopped.
    private func record(_ pictures: [DroppedPicture]) -> Recorded? {
        var failures = 0
        var telling = TroubleTelling(backoff: backoff)
        while true {
            let signs = state.change { ($0.signs, .none) }
            do {
                try store.check()
                let recorded = Recorded(
                    outcomes: pictures.isEmpty ? [] : try store.recorder.record(pictures),
                    isRepeated: failures > 0,
                    opening: store.openingNumber
                )
                // What went into files that nobody finds any more is on no record.
                if !pictures.isEmpty { try store.confirm() }
                if failures > 0 { report(nil) }
                return recorded
            } catch {
                store.doubt(after: error)
                failures += 1
                let trouble = telling.take(error, failures)
                if telling.isDue { report(trouble) }
                let isEarly = trouble.isToSettle ? nil : signs
                if isStopped(within: trouble.wait, orSignsAfter: isEarly) { return nil }
            }
        }
    }

    /// Waits for a while, but not once the service is being stopped, or something has happened to the
    /// record.
    ///
    /// - Parameters:
    ///   - wait: How long.
    ///   - signs: How many signs of that there were; nil where they do not matter.
    /// - Returns: Whether the service is being stopped.
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
    /// What came of each tag; none where that was told before.
    fileprivate var reports: [ScanReport] {
        if case .recorded(let reports) = self { reports } else { [] }
    }

    /// Whether it tells of this file, and not of another one with the same content.
    fileprivate var isOfThisFile: Bool {
        if case .known(.duplicate) = self { false } else { true }
    }
}
