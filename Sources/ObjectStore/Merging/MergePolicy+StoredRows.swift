extension MergePolicy {
    /// What becomes of two stored rows that are to be one, since they have the same unique values.
    ///
    /// The later one takes part as an object that is inserted, every value of which was assigned but
    /// for the absent ones.
    ///
    /// - Parameters:
    ///   - later: The row that goes.
    ///   - older: The row that stays.
    ///   - constraint: The constraint, as the positions of its columns.
    ///   - entity: The entity of both.
    ///   - model: The model.
    /// - Returns: The values of the row that stays, or nil where the policy does not settle it.
    package func merge(
        _ later: StoredRow,
        into older: StoredRow,
        over constraint: [Int],
        of entity: ManagedObjectModel.Entity,
        in model: ManagedObjectModel
    ) -> [AttributeValue]? {
        var row = ObjectRow(inserting: later.values, order: 0)
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
        let merged = merge(inserted: row, into: older, of: entity)
        return merged.flatMap { settle(conflict, $0, in: model) }
    }
}

extension HistoryChange {
    /// What was done to a row of an entity, or nil where it is as it was.
    ///
    /// - Parameters:
    ///   - before: The row before; nil where there was none.
    ///   - after: The row after; nil where it is gone.
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
