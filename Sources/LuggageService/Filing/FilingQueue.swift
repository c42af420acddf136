internal import LuggageTags
internal import Synchronization
internal import TagReading

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
typealias FilingQueue = RecordQueue<DroppedPicture, FilingResult>

extension FilingQueue {
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
    convenience init(
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
        let writing = RecordWriting(store, backoff: backoff, report: report)
        let filing = BatchFiling(
            store: store,
            writing: writing,
            layout: layout,
            limits: limits,
            stuck: stuck,
            complain: complain
        )
        self.init(writing, gathering: gathering) { pictures in
            prepare()
            return filing.file(pictures)
        }
    }
}

/// Files batches of pictures: first in the record, then on the disk.
private final class BatchFiling: Sendable {
    private let store: ServiceStore
    private let writing: RecordWriting
    private let layout: FolderLayout
    private let limits: ReadLimits
    private let stuck: StuckPictures
    private let complain: @Sendable (FilingError) -> Void
    private let untold = Mutex(UntoldReports())
    private let startedAt = FileClock.now

    init(
        store: ServiceStore,
        writing: RecordWriting,
        layout: FolderLayout,
        limits: ReadLimits,
        stuck: StuckPictures,
        complain: @escaping @Sendable (FilingError) -> Void
    ) {
        self.store = store
        self.writing = writing
        self.layout = layout
        self.limits = limits
        self.stuck = stuck
        self.complain = complain
    }

    /// Files a batch.
    ///
    /// - Parameter pictures: The pictures.
    /// - Returns: The result for each.
    func file(_ pictures: [DroppedPicture]) -> [FilingResult] {
        let unknown = pictures.filter { $0.known == nil }.map(\.picture)
        let written = writing.write(unknown.isEmpty ? nil : { try $0.recordOnce(unknown) })
        guard let recorded = written else {
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
