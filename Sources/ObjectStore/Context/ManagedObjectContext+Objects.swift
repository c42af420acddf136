internal import Synchronization

/// Provisional keys are unique in the process, so that objects of two contexts are never mixed up.
private let lastProvisionalKey = Atomic<Int64>(0)

extension ManagedObjectContext {
    /// Makes an object without a row, with the default values of its entity.
    func insertObject(of type: ManagedObject.Type) -> ObjectReference {
        let entity = model.describedEntity(of: type)
        let key = lastProvisionalKey.subtract(1, ordering: .relaxed).newValue
        let id = ObjectID(entity: entity.index, key: key)
        let values = entity.newValues()
        change { $0.graph.insert(id, values: values) }
        return ObjectReference(context: self, id: id)
    }

    /// The handle of an object.
    func object<Object: ManagedObject>(_ type: Object.Type, id: ObjectID) -> Object {
        let known = state.withLock { state in
            handles.withLock { $0.handle(of: state.forwarded[id] ?? id) }
        }
        if let known = known as? Object { return known }
        let made = Object(ObjectReference(context: self, id: id))
        return register(CollectionOfOne(made)).first?.handle as? Object ?? made
    }

    /// The handles of objects, in their order.
    func objects<Object: ManagedObject>(_ type: Object.Type, ids: [ObjectID]) -> [Object] {
        let known = state.withLock { state in
            handles.withLock { handles in
                handles.isEmpty ? [] : ids.map { handles.handle(of: state.forwarded[$0] ?? $0) }
            }
        }
        // Made outside the lock: the initialiser of a subclass may do anything.
        var objects: [Object] = []
        objects.reserveCapacity(ids.count)
        for (place, id) in ids.enumerated() {
            let older = known.isEmpty ? nil : known[place] as? Object
            objects.append(older ?? Object(ObjectReference(context: self, id: id)))
        }
        for (place, handle) in register(objects) {
            if let object = handle as? Object { objects[place] = object }
        }
        return objects
    }

    /// Keeps handles, so that one object always has one handle.
    ///
    /// - Returns: The handles that are held for the same objects, because another task registered them
    ///   first, with their positions.
    @discardableResult
    func register(
        _ new: some Collection<ManagedObject>
    ) -> [(place: Int, handle: ManagedObject)] {
        state.withLock { state in
            handles.withLock { handles in
                var others: [(place: Int, handle: ManagedObject)] = []
                for (place, object) in new.enumerated() {
                    if !state.forwarded.isEmpty, let id = state.forwarded[object.objectID] {
                        object.forward(to: id)
                    }
                    guard let known = handles.handle(of: object.objectID) else {
                        handles.keep(object)
                        continue
                    }
                    // Whoever calls holds the same one, so that none is released here for the last time.
                    if ObjectIdentifier(known) != ObjectIdentifier(object) {
                        others.append((place, known))
                    }
                }
                return others
            }
        }
    }

    /// Deletes an object and applies the delete rules of the relationships that lead to it.
    ///
    /// - Parameter object: An object of this context. The next save deletes its row.
    /// - Throws: ``DeleteDeniedError`` if a delete rule forbids it, or ``StoreError``. Nothing is
    ///   deleted then.
    public func delete(_ object: ManagedObject) throws {
        try whenSaved(isStep: true) { state in
            let before = state.graph
            do {
                var run = DeletionRun(in: model)
                try run.delete(object.objectID, in: &state)
            } catch {
                state.graph = before
                throw error
            }
        }
    }

    func isDeleted(_ object: ManagedObject) -> Bool {
        state.withLock { state in
            let id = object.objectID
            // Of what could not be read nobody knows.
            guard state.find(id) != nil else { return false }
            return state.graph.rows[id]?.isDeleted ?? true
        }
    }

    // MARK: Properties

    // Identities are read under the lock, because a save by another task changes them under it.

    @usableFromInline func value(
        of object: ManagedObject,
        at keyPath: AnyKeyPath
    ) -> AttributeValue {
        if probe != nil { return .null }
        return state.withLock { state in
            guard case .slot(_, let slot) = state.place(ofRead: keyPath) else { return .null }
            let version = state.graph.rowsVersion
            if let known = unsafe object.place.value(slot, at: version) { return known }
            let id = object.objectID
            let known = unsafe state.graph.value(of: id, slot: slot, &object.place)
            if let known { return known }
            state.load(id)
            return unsafe state.graph.value(of: id, slot: slot, &object.place) ?? .null
        }
    }

    @usableFromInline func assign(
        _ value: AttributeValue,
        to object: ManagedObject,
        at keyPath: AnyKeyPath
    ) {
        if probe != nil { return }
        change { $0.assign(value, to: object, at: keyPath) }
    }

    func assign(_ target: ManagedObject?, to object: ManagedObject, at keyPath: AnyKeyPath) {
        if probe != nil { return }
        change { state in
            let value = target.map { AttributeValue.reference($0.objectID) } ?? .null
            state.assign(value, to: object, at: keyPath)
        }
    }

    func members<Target: ManagedObject>(
        _ type: Target.Type,
        of object: ManagedObject,
        at keyPath: AnyKeyPath
    ) -> [Target] {
        if probe != nil { return [] }
        let ids: [ObjectID] = whenSaved { state in
            guard case .members(let entity, let slot) = state.place(of: keyPath) else { return [] }
            let place = MemberPlace(entity: entity, slot: slot)
            return state.members(of: object.objectID, place)
        }
        return objects(type, ids: ids)
    }

    func setMembers(_ members: [ManagedObject], of object: ManagedObject, at keyPath: AnyKeyPath) {
        whenSaved(isStep: true) { state in
            guard case .members(let entity, let slot) = state.place(of: keyPath) else { return }
            let place = MemberPlace(entity: entity, slot: slot)
            state.setMembers(members.map(\.objectID), of: object.objectID, place)
        }
    }
}

extension ContextState {
    /// The place of the property that a key path names.
    ///
    /// A key path without a place is a mistake in the program: a wrapped property that its entity
    /// does not declare.
    mutating func place(of keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace {
        guard let place = knownPlace(of: keyPath) else {
            // Told in a release too, which a precondition is not.
            fatalError("\(keyPath) is not declared in the model of this context")
        }
        return place
    }

    /// The same for the key path that a wrapper is read with.
    mutating func place(ofRead keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace {
        if let known = places.constant(keyPath) { return known }
        if let known = places[keyPath] {
            places = model.usedPlaces.withLock { used in
                used.setConstant(keyPath)
                return used
            }
            return known
        }
        return place(of: keyPath)
    }

    /// The same for a request, which may name anything.
    ///
    /// - Throws: ``UnsupportedPredicateError`` for what is computed of a property, and for one of a related object.
    mutating func requestedPlace(
        of keyPath: AnyKeyPath
    ) throws -> ManagedObjectModel.PropertyPlace {
        if let place = knownPlace(of: keyPath) { return place }
        throw UnsupportedPredicateError(
            expression: "\(keyPath)",
            reason: "it is no property of the class itself; a #Predicate can ask for those of a "
                + "related object"
        )
    }

    private mutating func knownPlace(of keyPath: AnyKeyPath) -> ManagedObjectModel.PropertyPlace? {
        if let known = places[keyPath] { return known }
        guard let place = model.place(of: keyPath) else { return nil }
        places = model.usedPlaces.withLock { used in
            used.note(place, of: keyPath)
            return used
        }
        return place
    }

    fileprivate mutating func assign(
        _ value: AttributeValue,
        to object: ManagedObject,
        at keyPath: AnyKeyPath
    ) {
        guard case .slot(_, let slot) = place(of: keyPath) else { return }
        let id = object.objectID
        let formed = value.formed(model.entities[id.entity].textForms[slot])
        assign(formed, to: id, slot: slot)
    }

    /// Assigns a value of an object, and notes whether it could be read for that.
    mutating func assign(_ value: AttributeValue, to id: ObjectID, slot: Int) {
        let place = LostAssignments.Place.value(id, slot: slot)
        if !graph.assign(value, to: id, slot: slot) {
            guard find(id) != nil else { return graph.lost.note(place, failure) }
            graph.assign(value, to: id, slot: slot)
        }
        graph.lost.note(place)
    }

    /// Makes the members of a relationship those that are given.
    fileprivate mutating func setMembers(
        _ members: [ObjectID],
        of owner: ObjectID,
        _ place: MemberPlace
    ) {
        let assigned = LostAssignments.Place.members(owner, place)
        guard let present = membersIfRead(of: owner, place) else {
            return graph.lost.note(assigned, failure)
        }
        let (wanted, current) = (Set(members), Set(present))
        let new = wanted.subtracting(current).sorted()
        // Nothing is assigned if one of them cannot be read.
        guard new.allSatisfy({ find($0) != nil }) else {
            return graph.lost.note(assigned, failure)
        }
        graph.lost.note(assigned)
        for id in current.subtracting(wanted).sorted() { assign(.null, to: id, slot: place.slot) }
        for id in new {
            if id.isProvisional && !graph.rows.contains(id) {
                // A property cannot throw: the next fetch or save does.
                failure = StoreError.isOfAnotherContext(model.entities[id.entity].name)
            } else {
                assign(.reference(owner), to: id, slot: place.slot)
            }
        }
    }

    /// The slot of a property with a column that a request names.
    ///
    /// - Throws: ``UnsupportedPredicateError`` for what has no column.
    mutating func slot(of keyPath: AnyKeyPath) throws -> Int {
        guard case .slot(_, let slot) = try requestedPlace(of: keyPath) else {
            throw UnsupportedPredicateError(
                expression: "\(keyPath)",
                reason: "it is a relationship to many, which has no column"
            )
        }
        return slot
    }
}
