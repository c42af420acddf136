internal import Foundation

extension SaveOperation {
    /// Runs the save and writes into the history what it did, in the same transaction.
    ///
    /// - Throws: As ``run(in:)``.
    mutating func run(
        in transaction: any StoreTransaction,
        recordedAs author: String?
    ) throws -> SaveOutcome {
        var outcome = try run(in: transaction)
        let changes = outcome.changes.sorted { $0.key < $1.key }.compactMap { id, change in
            HistoryChange(id, change, of: model.entities[id.entity])
        }
        if !changes.isEmpty {
            outcome.token = try transaction.record(changes, by: author, at: Date(), in: model)
        }
        return outcome
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
