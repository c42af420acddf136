/// Reconstructs saves from the history: each object whole, before and after.
///
/// The history holds only the values that each save changed. The other values come from the present
/// rows, going back from the last save to the first.
struct HistoryReplay {
    private let reading: any StoreReading
    private let model: ManagedObjectModel

    /// How many saves are read at once: some are of many objects, and what is over the limit is read in vain.
    private static let pageSize = 10

    /// Takes one state of a store, whose rows are those after the last save.
    init(_ reading: any StoreReading, _ model: ManagedObjectModel) {
        self.reading = reading
        self.model = model
    }

    /// The saves after a token of the history, in order; nil if they changed more objects than are to be in memory.
    ///
    /// A save is incomplete if another program changed its rows without the history.
    func saves(after token: HistoryToken, ofAtMost limit: Int) throws -> [SaveResult]? {
        var history: [HistoryTransaction] = []
        var count = 0
        while true {
            let after = history.last?.token ?? token
            let page = try reading.history(after: after, limit: Self.pageSize, in: model)
            history += page
            count += page.reduce(0) { $0 + $1.changes.count }
            if count > limit { return nil }
            if page.count < Self.pageSize { break }
        }
        var rows = try currentRows(of: Set(history.flatMap(\.changes).map(\.id)))
        var saves: [SaveResult] = []
        var isKnown = true
        for transaction in history.reversed() {
            var changes: [ObjectID: ObjectChange] = [:]
            // What the objects were before a save that was recorded without its changes, nobody knows.
            isKnown = isKnown && transaction.isComplete
            var isComplete = isKnown
            for change in transaction.changes {
                let after = rows[change.id]
                rows[change.id] = before(change, after, &isComplete)
                // A row exists after every change except its deletion.
                if (after == nil) == (change.kind == .deleted) {
                    changes[change.id] = ObjectChange(before: rows[change.id], after: after)
                } else {
                    isComplete = false
                }
            }
            saves.append(
                SaveResult(
                    changes: changes,
                    token: transaction.token,
                    author: transaction.author,
                    isForeign: true,
                    isComplete: isComplete
                )
            )
        }
        return saves.reversed()
    }

    private func currentRows(of ids: Set<ObjectID>) throws -> [ObjectID: Snapshot] {
        let rows = try Dictionary(grouping: ids, by: \.entity).flatMap { entity, ids in
            try reading.rows(of: model.entities[entity], keys: ids.map(\.key).sorted())
        }
        return Dictionary(
            rows.map { ($0.id, $0.snapshot) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// An object as it was before a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - after: The object after it.
    ///   - isComplete: Is false afterwards if it had a value that the object cannot have.
    /// - Returns: The object; nil if there was none.
    private func before(
        _ change: HistoryChange,
        _ after: Snapshot?,
        _ isComplete: inout Bool
    ) -> Snapshot? {
        let entity = model.entities[change.id.entity]
        var values: [AttributeValue]
        switch change.kind {
        case .inserted: return nil
        case .updated:
            guard let after else { return nil }
            values = Array(after.values)
        case .deleted: values = entity.columns.map { _ in .null }
        }
        for property in change.properties {
            // The objects do not have a property that the model no longer has.
            guard let slot = entity.slot(of: property.name) else { continue }
            if property.before.isNull || entity.columns[slot].holds(property.before) {
                values[slot] = property.before
            } else {
                isComplete = false
            }
        }
        return Snapshot(id: change.id, values: RowValues(values))
    }
}
