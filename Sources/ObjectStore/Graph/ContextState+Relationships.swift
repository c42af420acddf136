extension ContextState {
    /// The objects that lead to an object, unsaved changes included.
    ///
    /// A failure is kept, as in ``load(_:)``.
    mutating func members(of id: ObjectID, _ place: MemberPlace) -> [ObjectID] {
        membersIfRead(of: id, place) ?? []
    }

    /// The same; nil if they could not be read.
    mutating func membersIfRead(of id: ObjectID, _ place: MemberPlace) -> [ObjectID]? {
        graph.members.follow(place, in: graph.rows)
        // Only unsaved objects lead to an object that was never saved.
        if !id.isProvisional && !graph.members.isLoaded(id, place) {
            do {
                try loadMembers(of: batch(with: id, place), place)
            } catch {
                failure = error
                return nil
            }
        }
        return graph.members.leading(to: id, place)
    }

    /// The objects whose members are read together with those of one object.
    private mutating func batch(with id: ObjectID, _ place: MemberPlace) -> [ObjectID] {
        let graph = graph
        func isWanted(_ id: ObjectID) -> Bool {
            !id.isProvisional && !graph.members.isLoaded(id, place)
        }
        if let batch = companions.batch(with: id, where: isWanted) { return batch }
        // It may be known only by a reference: read with it the others that are known so.
        if unread.contains(id) {
            companions.add(Array(unread.part(of: id.entity, provisional: false)))
            return companions.batch(with: id, where: isWanted) ?? [id]
        }
        return [id]
    }

    /// Reads the objects that lead to some others.
    mutating func loadMembers(of owners: [ObjectID], _ place: MemberPlace) throws {
        let entity = model.entities[place.entity]
        let known = owners.flatMap { graph.members.leading(to: $0, place) }
            .filter { !$0.isProvisional && !graph.changed.contains($0) }
        let (rows, others) = try source.read { store in
            let rows = try store.rows(
                of: entity,
                where: [place.slot],
                areOneOf: owners.map { [.reference($0)] }
            )
            // Other writers made them lead elsewhere, or deleted them.
            let missing = Set(known).subtracting(rows.map(\.id)).map(\.key).sorted()
            return (rows, missing.isEmpty ? [] : try store.rows(of: entity, keys: missing))
        }
        register(rows + others, of: entity)
        for id in Set(known).subtracting((rows + others).map(\.id)) {
            graph.set(nil, for: id)
            unread.insert(id)
        }
        graph.members.setLoaded(owners, place)
        companions.add(rows.map(\.id), of: entity)
    }

    /// Reads what a relationship of many objects leads to, or the objects that lead to them through it.
    ///
    /// - Parameters:
    ///   - ids: The objects, of one entity.
    ///   - keyPath: The relationship.
    /// - Throws: ``StoreError``.
    mutating func prefetch(_ ids: [ObjectID], _ keyPath: AnyKeyPath) throws {
        switch try requestedPlace(of: keyPath) {
        case .members(let entity, let slot):
            let place = MemberPlace(entity: entity, slot: slot)
            graph.members.follow(place, in: graph.rows)
            for batch in ids.filter({ !$0.isProvisional }).pages(of: Companions.largestBatch) {
                try loadMembers(of: Array(batch), place)
            }
        case .slot(let entity, let slot):
            try read(ids, of: model.entities[entity])
            let targets = ids.compactMap { graph.value(of: $0, slot: slot)?.reference }
            guard case .reference(let target, _) = model.entities[entity].columns[slot].kind else {
                return
            }
            try read(targets, of: model.entities[target])
        }
    }

    /// Notes objects that a fetch has found.
    ///
    /// Their members are read anew at the next request, as the objects themselves were.
    mutating func note(_ ids: [ObjectID], of entity: ManagedObjectModel.Entity) {
        graph.members.setUnloaded(ids)
        companions.add(ids, of: entity)
    }
}

extension Companions {
    /// Keeps a list of objects, if others can lead to them.
    mutating func add(_ ids: [ObjectID], of entity: ManagedObjectModel.Entity) {
        if !entity.incoming.isEmpty { add(ids) }
    }
}
