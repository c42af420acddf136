internal import HashTreeCollections

extension ContextState {
    /// The objects that lead to an object, unsaved changes included.
    ///
    /// A failure is kept, as in ``load(_:model:source:)``.
    mutating func members(
        of id: ObjectID,
        _ place: MemberPlace,
        _ model: ManagedObjectModel,
        _ source: any RowSource
    ) -> [ObjectID] {
        graph.followMembers(place)
        // Only unsaved objects lead to an object that was never saved.
        if !id.isProvisional && !graph.hasMembers(of: id, place) {
            do {
                try loadMembers(of: batch(with: id, place), place, model, source)
            } catch {
                failure = error
                return []
            }
        }
        return graph.members(of: id, place)
    }

    /// The objects whose members are read together with those of one object.
    private mutating func batch(with id: ObjectID, _ place: MemberPlace) -> [ObjectID] {
        let graph = graph
        func isWanted(_ id: ObjectID) -> Bool {
            !id.isProvisional && !graph.hasMembers(of: id, place)
        }
        if let batch = companions.batch(with: id, where: isWanted) { return batch }
        // It may be known only by a reference: read with it the others that are known so.
        if let others = unread[id.entity], others.contains(id) {
            companions.add(others.sorted())
            return companions.batch(with: id, where: isWanted) ?? [id]
        }
        return [id]
    }

    private mutating func loadMembers(
        of owners: [ObjectID],
        _ place: MemberPlace,
        _ model: ManagedObjectModel,
        _ source: any RowSource
    ) throws {
        let entity = model.entities[place.entity]
        let rows = try source.read { store in
            try store.rows(
                of: entity,
                where: [place.slot],
                areOneOf: owners.map { [.reference($0)] }
            )
        }
        register(rows, of: entity)
        // Other writers deleted those that are missing, or made them lead elsewhere.
        let present = Set(rows.map(\.id))
        for owner in owners {
            for id in graph.members(of: owner, place)
            where !id.isProvisional && !present.contains(id) && !graph.changed.contains(id) {
                graph.set(nil, for: id)
                unread[id.entity, default: []].insert(id)
            }
        }
        graph.setHasMembers(owners, place)
        companions.add(rows.map(\.id), of: entity)
    }

    /// Reads what a relationship of many objects leads to, or the objects that lead to them through it.
    ///
    /// - Parameters:
    ///   - ids: The objects, of one entity.
    ///   - keyPath: The relationship.
    ///   - model: The model.
    ///   - source: Where it is read from.
    /// - Throws: ``StoreError``.
    mutating func prefetch(
        _ ids: [ObjectID],
        _ keyPath: AnyKeyPath,
        _ model: ManagedObjectModel,
        _ source: any RowSource
    ) throws {
        switch place(of: keyPath, model) {
        case .members(let entity, let slot):
            let place = MemberPlace(entity: entity, slot: slot)
            graph.followMembers(place)
            for batch in ids.filter({ !$0.isProvisional }).batches {
                try loadMembers(of: batch, place, model, source)
            }
        case .slot(let entity, let slot):
            try read(ids, of: model.entities[entity], source)
            let targets = ids.compactMap { graph.value(of: $0, slot: slot)?.reference }
            guard case .reference(let target, _) = model.entities[entity].columns[slot].kind else {
                return
            }
            try read(targets, of: model.entities[target], source)
        }
    }

    /// Reads the objects that have not been read.
    private mutating func read(
        _ ids: [ObjectID],
        of entity: ManagedObjectModel.Entity,
        _ source: any RowSource
    ) throws {
        let missing = Set(ids).filter { !$0.isProvisional && !graph.rows.keys.contains($0) }
        for batch in missing.sorted().batches {
            let rows = try source.read { try $0.rows(of: entity, keys: batch.map(\.key)) }
            register(rows, of: entity)
            unread[entity.index]?.subtract(batch)
            companions.add(rows.map(\.id), of: entity)
        }
    }

    /// Notes objects that a fetch has found.
    ///
    /// Their members are read anew at the next request, as the objects themselves were.
    mutating func note(_ ids: [ObjectID], of entity: ManagedObjectModel.Entity) {
        graph.forgetMembers(of: ids)
        companions.add(ids, of: entity)
    }
}

extension Companions {
    /// Keeps a list of objects, if others can lead to them.
    mutating func add(_ ids: [ObjectID], of entity: ManagedObjectModel.Entity) {
        if !entity.incoming.isEmpty { add(ids) }
    }
}

extension [ObjectID] {
    /// Batches of the size that is read at a time.
    fileprivate var batches: [[ObjectID]] {
        stride(from: 0, to: count, by: Companions.largestBatch).map { start in
            Array(self[start..<Swift.min(count, start + Companions.largestBatch)])
        }
    }
}
