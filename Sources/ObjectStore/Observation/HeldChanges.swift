internal import Synchronization

/// Holds back what is saved in a transaction until that is durable, and makes one entry of the history
/// of all that an author saves in a row.
///
/// Whoever follows the history finds what a transaction did, and not by how many saves it came to that.
/// An entry is written when the transaction ends; before that, where another author saves, since what
/// one has found and the other has left would not fit any more; where the history is read or deleted,
/// which is to have it; and where it has become too large to be held.
final class HeldChanges: SaveReporting {
    /// The most objects whose changes are told: a transaction may be larger than memory.
    private static let limit = 50_000
    /// The most objects of an entry, which is written and read as a whole.
    private static let entryLimit = 10_000

    /// What one author has saved in a row.
    private struct Entry {
        let author: String?
        var changes: [ObjectID: ObjectChange]
    }

    private struct State {
        /// What the history does not have yet.
        var entry: Entry?
        var expected: [HistoryToken] = []
        var results: [SaveResult] = []
        var objects = 0
    }

    private let report: any SaveReporting
    private let model: ManagedObjectModel
    private let state = Mutex(State())

    init(for report: any SaveReporting, _ model: ManagedObjectModel) {
        self.report = report
        self.model = model
    }

    // MARK: History

    func record(
        _ changes: [ObjectID: ObjectChange],
        by author: String?,
        in transaction: any StoreTransaction
    ) throws -> HistoryToken? {
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
        let token = try transaction.record(entry.changes, by: entry.author, in: model)
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

    /// Does nothing: what was saved is told by the entries of the history.
    func send(_ result: SaveResult) {}

    func stream() -> AsyncStream<SaveResult> { report.stream() }

    /// Tells what was held back, or that it was too much to be told one by one.
    func release() {
        let (results, isTooMuch) = state.withLock { ($0.results, $0.objects > Self.limit) }
        for result in results { report.send(result) }
        guard isTooMuch else { return }
        report.send(SaveResult(changes: [:], isComplete: false))
        // Those who follow the history find them there.
        abandon()
    }

    /// Says that nothing of it was stored.
    func abandon() {
        for token in state.withLock({ $0.expected }) { report.abandon(token) }
    }
}
