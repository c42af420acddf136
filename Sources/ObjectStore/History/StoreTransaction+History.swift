internal import Foundation

extension StoreTransaction {
    /// Writes into the history what was done to objects.
    ///
    /// - Parameters:
    ///   - changes: What was done.
    ///   - author: Who did it.
    ///   - model: The model of the objects.
    /// - Returns: The place in the history; nil where every row is as it was, or no history is kept.
    /// - Throws: ``StoreError``.
    func record(
        _ changes: [ObjectID: ObjectChange],
        by author: String?,
        in model: ManagedObjectModel
    ) throws -> HistoryToken? {
        let changes = changes.sorted { $0.key < $1.key }.compactMap { id, change in
            HistoryChange(id, change, of: model.entities[id.entity])
        }
        return changes.isEmpty ? nil : try record(changes, by: author, at: Date(), in: model)
    }
}

extension ManagedObjectContext {
    /// Writes into the history what was saved in the transaction of this context and is not there yet.
    func recordRest() throws {
        guard containerReport.hasRest else { return }
        try source.transaction { try containerReport.recordRest(in: $0) }
    }
}

extension [ObjectID: ObjectChange] {
    /// Adds what was done afterwards, as if all of it had been done at once.
    mutating func append(_ later: Self) {
        for (id, change) in later {
            guard let earlier = self[id] else {
                self[id] = change
                continue
            }
            // An object that came and went was never there.
            let isNothing = earlier.before == nil && change.after == nil
            self[id] =
                isNothing ? nil : ObjectChange(before: earlier.before, after: change.after)
        }
    }
}

extension HistoryChange {
    /// What a save did to an object, or nil where it left the row as it was.
    init?(
        _ id: ObjectID,
        _ change: ObjectChange,
        of entity: ManagedObjectModel.Entity
    ) {
        switch change.kind {
        case .unchanged: return nil
        case .inserted: self.init(id: id, kind: .inserted)
        case .updated: self.init(id: id, kind: .updated, properties: change.properties(of: entity))
        case .deleted: self.init(id: id, kind: .deleted, properties: change.properties(of: entity))
        }
    }
}

extension ObjectChange {
    fileprivate func properties(
        of entity: ManagedObjectModel.Entity
    ) -> [HistoryChange.Property] {
        entity.columns.indices.compactMap { column in
            let old = before?.values[column] ?? .null
            let new = after?.values[column] ?? .null
            if old == new { return nil }
            return HistoryChange.Property(
                name: entity.columns[column].name,
                before: old,
                after: new
            )
        }
    }
}
