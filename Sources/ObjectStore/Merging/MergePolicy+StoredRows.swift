extension MergePolicy {
    /// Merges two stored rows that have the same unique values.
    ///
    /// The later row takes part as an inserted object whose present values were all assigned.
    ///
    /// - Parameters:
    ///   - later: The row that is removed.
    ///   - older: The row that stays.
    ///   - constraint: The constraint, as the positions of its columns.
    ///   - entity: The entity of both.
    ///   - model: The model.
    /// - Returns: The values of the row that stays, or nil if the policy does not settle the conflict.
    package func merge(
        _ later: StoredRow,
        into older: StoredRow,
        over constraint: [Int],
        of entity: ManagedObjectModel.Entity,
        in model: ManagedObjectModel
    ) -> RowValues? {
        var row = ObjectRow(inserting: later.values)
        for (slot, value) in later.values.enumerated() where !value.isNull {
            row.setAssignmentTime(1, of: slot)
        }
        let conflict = MergeConflict(
            kind: .constraint(constraint.map { entity.columns[$0].name }),
            entity: entity.name,
            object: later.snapshot,
            cached: nil,
            stored: older.snapshot
        )
        let isSettled = settle(&row, conflict, in: model) {
            merge(&$0, readAs: nil, into: older, of: entity)
        }
        return isSettled ? RowValues(row) : nil
    }
}

extension HistoryChange {
    /// The change of a row of an entity, or nil if the row did not change.
    ///
    /// - Parameters:
    ///   - before: The row before; nil if there was none.
    ///   - after: The row after; nil if it was deleted.
    ///   - entity: The entity of both.
    package init?(
        from before: StoredRow?,
        to after: StoredRow?,
        of entity: ManagedObjectModel.Entity
    ) {
        guard let id = (after ?? before)?.id else { return nil }
        self.init(
            id,
            ObjectChange(before: before?.snapshot, after: after?.snapshot),
            of: entity
        )
    }
}
