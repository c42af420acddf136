/// The result of a save, for the context to apply.
struct SaveOutcome {
    /// An object that the save has stored or read.
    private struct Settled {
        let id: ObjectID
        let version: Int64
        /// The stored values before; nil if it is new.
        let before: RowValues?
        /// The stored values now; nil if it is deleted.
        let after: RowValues?

        var change: ObjectChange {
            ObjectChange(
                before: before.map { Snapshot(id: id, values: $0) },
                after: after.map { Snapshot(id: id, values: $0) }
            )
        }
    }

    /// The present identities of objects that had no key, or were merged into another.
    let forwarding: ObjectMap<ObjectID>
    /// In the order of the writing, which is nearly that of the identities.
    private var settled: [Settled] = []
    /// Those of them that the save has only read.
    private var read = ObjectSet()
    /// The objects that no longer exist.
    private(set) var removed: ObjectSet
    /// What happened to each object.
    private(set) var changes: [ObjectID: ObjectChange] = [:]
    /// The token of the save in the history, if it has one.
    var token: HistoryToken?

    init(
        forwarding: ObjectMap<ObjectID>,
        removed: ObjectSet,
        changeCount: Int
    ) {
        self.forwarding = forwarding
        self.removed = removed
        settled.reserveCapacity(changeCount)
    }

    /// The rows that the context must take, as they are now stored.
    var rows: some Sequence<StoredRow> {
        settled.lazy.compactMap { object in
            object.after.map { StoredRow(id: object.id, version: object.version, values: $0) }
        }
    }

    /// What happened to the rows that changed.
    func history(in model: ManagedObjectModel) -> [HistoryChange] {
        Array(settled.lazy.map { ($0.id, $0.change) }, in: model)
    }

    /// Whether the save has settled an object.
    func concerns(_ id: ObjectID) -> Bool {
        changes[id] != nil || removed.contains(id) || read.contains(id)
    }

    mutating func record(_ row: StoredRow, before: RowValues?) {
        settled.append(
            Settled(id: row.id, version: row.version, before: before, after: row.values)
        )
    }

    /// Records a row that has the values already.
    mutating func recordSameRow(_ row: StoredRow) { record(row, before: row.values) }

    mutating func recordDeletion(of row: StoredRow) {
        removed.insert(row.id)
        settled.append(Settled(id: row.id, version: row.version, before: row.values, after: nil))
    }

    /// Ends the writing.
    mutating func end() {
        changes = Dictionary(settled.lazy.map { ($0.id, $0.change) }, uniquingKeysWith: { $1 })
    }

    /// Records a row that was only read, after the writing.
    mutating func recordReading(of row: StoredRow) {
        // Another object may have been merged into it.
        guard changes[row.id] == nil else { return }
        read.insert(row.id)
        recordSameRow(row)
    }
}

extension StoredRow {
    /// The values at this moment.
    var snapshot: Snapshot { Snapshot(id: id, values: values) }
}

extension ObjectMap<ObjectID> {
    /// The final identity of an object: it may have been merged into one that was itself merged.
    func final(_ id: ObjectID) -> ObjectID {
        var id = id
        while let next = self[id] { id = next }
        return id
    }
}
