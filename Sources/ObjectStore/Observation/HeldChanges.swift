internal import Synchronization
internal import SystemSupport

/// Holds back the saves of a transaction until they are durable, and combines an author's
/// consecutive saves into one entry of the history.
///
/// A reader of the history sees the effect of a transaction, not its single saves. An entry is
/// written when the transaction ends. It is written earlier if another author saves, because the
/// old and new values of the two would no longer match; if the history is read or deleted; and if
/// the entry is too large to hold.
final class HeldChanges: SaveReporting {
    /// The most objects whose changes are reported: a transaction may be larger than memory.
    private static let limit = 50_000
    /// The most objects in an entry, which is written and read as a whole.
    private static let entryLimit = 10_000

    /// The consecutive saves of one author.
    private struct Entry {
        let author: String?
        var changes: [ObjectID: ObjectChange]
    }

    private struct State {
        /// The changes that are not yet in the history.
        var entry: Entry?
        var expected: [HistoryToken] = []
        var results: [SaveResult] = []
        var objects = 0
    }

    private let report: StoreChanges
    private let model: ManagedObjectModel
    private let state = Mutex(State())

    var waiters: WorkThreads { report.waiters }

    init(for report: StoreChanges, _ model: ManagedObjectModel) {
        self.report = report
        self.model = model
    }

    // MARK: History

    func record(
        _ outcome: SaveOutcome,
        by author: String?,
        in transaction: any StoreTransaction
    ) throws -> HistoryToken? {
        let changes = outcome.changes
        let isAnother = state.withLock { state in
            guard let entry = state.entry else { return false }
            return entry.author != author
                || entry.changes.count + changes.count > Self.entryLimit
        }
        if isAnother { try recordRest(in: transaction) }
        state.withLock { state in
            if state.entry == nil {
                state.entry = Entry(author: author, changes: changes)
            } else {
                state.entry?.changes.append(changes)
            }
        }
        return nil
    }

    var hasRest: Bool { state.withLock { $0.entry != nil } }

    func recordRest(in transaction: any StoreTransaction) throws {
        guard let entry = state.withLock({ $0.entry.take() }) else { return }
        let token = try transaction.record(
            Array(entry.changes, in: model),
            by: entry.author,
            in: model,
            report.keeping
        )
        if let token { expect(token) }
        state.withLock { state in
            state.objects += entry.changes.count
            if state.objects <= Self.limit {
                state.results.append(
                    SaveResult(changes: entry.changes, token: token, author: entry.author)
                )
            } else {
                state.results = []
            }
        }
    }

    // MARK: Telling

    func expect(_ token: HistoryToken) {
        state.withLock { $0.expected.append(token) }
        report.expect(token)
    }

    func abandon(_ token: HistoryToken) {
        report.abandon(token)
    }

    /// Does nothing: the entries of the history report the saves.
    func send(_ result: SaveResult) {}

    func stream() -> AsyncStream<SaveResult> { report.stream() }

    /// Sends the held saves, or reports that there were too many to send one by one.
    func release() {
        let (results, isTooMuch) = state.withLock { ($0.results, $0.objects > Self.limit) }
        for result in results { report.send(result) }
        guard isTooMuch else { return }
        // The last of them stands for all.
        let tokens = state.withLock { $0.expected }
        for token in tokens.dropLast() { report.send(SaveResult(changes: [:], token: token)) }
        report.send(SaveResult(changes: [:], token: tokens.last, isComplete: false))
    }

    /// Reports that nothing was stored.
    func abandon() {
        for token in state.withLock({ $0.expected }) { report.abandon(token) }
    }
}
