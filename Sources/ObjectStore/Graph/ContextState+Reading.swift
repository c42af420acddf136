extension ContextState {
    /// Reads an object that is known only by a reference, together with others like it.
    ///
    /// A property cannot throw, so the context keeps a failure for the next fetch or save. Until
    /// then the object reads as one without values, as an object does whose row is gone.
    ///
    /// - Returns: Whether the object has a row here now.
    @discardableResult
    mutating func load(_ id: ObjectID) -> Bool { find(id) ?? false }

    /// The same; nil if it could not be read.
    mutating func find(_ id: ObjectID) -> Bool? {
        if graph.rows.contains(id) { return true }
        if id.isProvisional { return false }
        unread.remove(id)
        let others = unread.part(of: id.entity, provisional: false)
        let batch = [id] + others.prefix(Companions.largestBatch - 1)
        unread.subtract(batch)
        do {
            try read(batch, of: model.entities[id.entity])
        } catch {
            failure = error
            return nil
        }
        return graph.rows.contains(id)
    }

    /// Stores rows that were read and notes the objects that they refer to.
    mutating func register(_ rows: [StoredRow], of entity: ManagedObjectModel.Entity) {
        graph.register(rows)
        if !unread.isEmpty { unread.subtract(rows.map(\.id)) }
        for slot in entity.referenceSlots {
            for row in rows {
                guard let id = row.values[slot].reference, !graph.rows.contains(id) else {
                    continue
                }
                unread.insert(id)
            }
        }
    }

    /// Reads the objects that have not been read.
    mutating func read(_ ids: [ObjectID], of entity: ManagedObjectModel.Entity) throws {
        let missing = Set(ids).filter { !$0.isProvisional && !graph.rows.contains($0) }
        for batch in missing.sorted().pages(of: Companions.largestBatch) {
            let rows = try source.read { try $0.rows(of: entity, keys: batch.map(\.key)) }
            register(rows, of: entity)
            unread.subtract(batch)
            companions.add(rows.map(\.id), of: entity)
        }
    }
}
