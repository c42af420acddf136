internal import HashTreeCollections
internal import Synchronization

extension ManagedObjectContext {
    /// Finds objects in the store and among the changes that are not saved.
    ///
    /// - Parameter request: Which objects, in which order.
    /// - Returns: The objects; the same handles as ever for objects that the context knows.
    /// - Throws: ``StoreError``.
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        try fetchIDs(request).map { object(Object.self, id: $0) }
    }

    /// Finds the identities of objects; these may go to other tasks.
    ///
    /// - Parameter request: Which objects, in which order.
    /// - Returns: The identities.
    /// - Throws: ``StoreError``.
    public func fetchIDs<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws -> [ObjectID] {
        try state.withLock { state in
            try state.throwFailure()
            return try state.ids(
                matching: request.query(in: model, state: &state),
                source: source
            )
        }
    }

    /// Counts objects in the store and among the changes that are not saved.
    ///
    /// - Parameter request: Which objects.
    /// - Returns: Their number.
    /// - Throws: ``StoreError``.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        try state.withLock { state in
            try state.throwFailure()
            let query = request.query(in: model, state: &state)
            if state.graph.hasChanges(ofEntity: query.entity.index) {
                return try state.ids(matching: query, source: source).count
            }
            return try source.read { try $0.count(matching: query) }
        }
    }

    /// The object with an identity, from whichever context that is.
    ///
    /// A provisional identity leads to the same object after this context has saved it.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - id: The identity.
    /// - Returns: The object, or nil where it is of another class or does not exist.
    /// - Throws: ``StoreError``.
    public func existingObject<Object: ManagedObject>(
        _ type: Object.Type,
        id: ObjectID
    ) throws -> Object? {
        guard model.entity(of: type)?.index == id.entity else { return nil }
        let exists = try state.withLock { state in
            let id = state.forwarded[id] ?? id
            state.load(id, model: model, source: source)
            try state.throwFailure()
            return state.graph.rows[id].map { !$0.isDeleted } ?? false
        }
        return exists ? object(type, id: id) : nil
    }
}

extension ContextState {
    /// The objects that a query selects, changes that are not saved included.
    mutating func ids(matching query: StoreQuery, source: any RowSource) throws -> [ObjectID] {
        let hasChanges = graph.hasChanges(ofEntity: query.entity.index)
        var wide = query
        if hasChanges { wide.limit = nil }
        let rows = try source.read { try $0.rows(matching: wide) }
        register(rows)
        guard hasChanges else { return rows.map(\.id) }
        let untouched = rows.filter { !graph.changed.contains($0.id) }
        return query.arrange(untouched + graph.changes(matching: query)).map(\.id)
    }
}

extension ObjectGraph {
    fileprivate func hasChanges(ofEntity entity: Int) -> Bool {
        changed.contains { $0.entity == entity }
    }

    /// The changed objects that a query selects, as rows with their present values.
    fileprivate func changes(matching query: StoreQuery) -> [StoredRow] {
        changed.compactMap { id in
            guard id.entity == query.entity.index, let row = rows[id], !row.isDeleted,
                query.filter?.matches(row.values) ?? true
            else { return nil }
            return StoredRow(id: id, version: row.stored?.version ?? 0, values: row.values)
        }
    }
}
