internal import ObjectStore

extension PersistentContainer {
    /// Deletes the history if facts from elsewhere told of a purge: it has the values before the purge.
    func forgetHistory(after purged: ImportReport.Purged) throws {
        if purged == .init() { return }
        var (history, pace) = (HistoryPurge(), PurgePace())
        try history.finish(in: self, at: &pace)
    }
}

/// Deletes the history, with its values before every change, piece by piece, the oldest saves first.
///
/// It keeps the saves that came after it began.
struct HistoryPurge {
    /// The first save to keep; nil before the first piece.
    private var firstKept: HistoryToken?
    private(set) var isDone = false

    /// Deletes a piece.
    mutating func take(_ rows: Int, in context: ManagedObjectContext) throws {
        if firstKept == nil {
            firstKept = try context.lastHistoryToken().map { .init(rawValue: $0.rawValue + 1) }
        }
        let hasMore = try firstKept.map { try context.deleteHistory(before: $0, limit: rows) }
        isDone = hasMore != true
    }

    /// Deletes the rest, each piece in a transaction of its own.
    mutating func finish(in container: PersistentContainer, at pace: inout PurgePace) throws {
        while !isDone {
            let rows = pace.rows
            var began = ContinuousClock.now
            try container.transaction { context in
                began = .now
                try take(rows, in: context)
            }
            pace.note(rows, in: .now - began)
        }
    }
}
