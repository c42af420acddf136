internal import FoundationEssentials

extension StoreTransaction {
    /// Records changes of objects in the history.
    ///
    /// - Returns: The token of the save; nil if there are no changes, or if the store keeps no history.
    func record(
        _ changes: [HistoryChange],
        by author: String?,
        in model: ManagedObjectModel,
        _ keeping: HistoryKeeping
    ) throws -> HistoryToken? {
        if changes.isEmpty { return nil }
        let kept = keeping == .none ? [] : changes
        let token = try record(kept, by: author, at: Date(), in: model)
        if let token { try keeping.shorten(self, after: token) }
        return token
    }
}

extension [ObjectID: ObjectChange] {
    /// Adds later changes, as if all had been made at once.
    mutating func append(_ later: Self) {
        for (id, change) in later {
            guard let earlier = self[id] else {
                self[id] = change
                continue
            }
            // An object that was inserted and deleted never existed for others.
            let isNothing = earlier.before == nil && change.after == nil
            self[id] =
                isNothing ? nil : ObjectChange(before: earlier.before, after: change.after)
        }
    }
}

extension [HistoryChange] {
    /// The changes of the rows that changed, in the order of their identities.
    init(
        _ changes: some Sequence<(key: ObjectID, value: ObjectChange)>,
        in model: ManagedObjectModel
    ) {
        self = []
        reserveCapacity(changes.underestimatedCount)
        for (id, change) in changes {
            let change = HistoryChange(id, change, of: model.entities[id.entity])
            if let change { append(change) }
        }
        let isInOrder = zip(self, dropFirst()).allSatisfy { $0.id < $1.id }
        if !isInOrder { sort { $0.id < $1.id } }
    }
}

extension HistoryChange {
    /// The change that a save made to an object, or nil if the row did not change.
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
