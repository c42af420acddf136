internal import Synchronization

extension ManagedObjectContext {
    /// Fetches objects from the store and from the unsaved changes.
    ///
    /// - Parameter request: The objects, and their order.
    /// - Returns: The objects, with the same handles as before if the context knows them.
    /// - Throws: ``StoreError``.
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        objects(Object.self, ids: try fetchIDs(request))
    }

    /// Fetches the identities of objects, which may go to other tasks.
    ///
    /// - Parameter request: The objects, and their order.
    /// - Returns: The identities.
    /// - Throws: ``StoreError``.
    public func fetchIDs<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws -> [ObjectID] {
        try whenSaved { state in
            try state.throwFailure()
            let query = try request.query(in: &state)
            let ids =
                request.isFaulting
                ? try state.faults(matching: query)
                : try state.ids(matching: query)
            state.note(ids, of: query.entity)
            for path in request.prefetched {
                try state.prefetch(ids, path.keyPath)
            }
            return ids
        }
    }

    /// The store query of a request.
    func query<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> StoreQuery {
        try state.withLock { try request.query(in: &$0) }
    }

    /// Counts objects in the store and among the unsaved changes.
    ///
    /// - Parameter request: The objects.
    /// - Returns: Their number.
    /// - Throws: ``StoreError``.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        try whenSaved { state in
            try state.throwFailure()
            let query = try request.query(in: &state)
            return try state.count(matching: query)
        }
    }

    /// The object with an identity, which may come from any context.
    ///
    /// A provisional identity leads to the same object after this context has saved it.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - id: The identity.
    /// - Returns: The object, or nil if it is of another class or does not exist.
    /// - Throws: ``StoreError``.
    public func existingObject<Object: ManagedObject>(
        _ type: Object.Type,
        id: ObjectID
    ) throws -> Object? {
        guard model.entity(of: type)?.index == id.entity else { return nil }
        let exists = try whenSaved { state in
            let id = state.forwarded[id] ?? id
            state.load(id)
            try state.throwFailure()
            return state.graph.rows[id].map { !$0.isDeleted } ?? false
        }
        return exists ? object(type, id: id) : nil
    }
}

extension ContextState {
    /// The objects that a query selects, unsaved changes included.
    mutating func ids(matching query: StoreQuery) throws -> [ObjectID] {
        try rows(matching: query).map(\.id)
    }

    /// The same, without reading the values of those that have no changes.
    fileprivate mutating func faults(matching query: StoreQuery) throws -> [ObjectID] {
        var ids: [ObjectID] = []
        if graph.hasChanges(concerning: query) {
            ids = try pending(query) { try $0.ids() }
        } else {
            ids = try source.read { try $0.keys(matching: query) }.map {
                ObjectID(entity: query.entity.index, key: $0)
            }
        }
        for id in ids where !graph.rows.contains(id) { unread.insert(id) }
        return ids
    }

    /// The number of objects that a query selects, unsaved changes included.
    mutating func count(matching query: StoreQuery) throws -> Int {
        if graph.hasChanges(concerning: query) {
            var known = onRecord
            defer { onRecord = known }
            return try pending(query) { try $0.count(knowing: &known) }
        }
        return try source.read { try $0.count(matching: query) }
    }

    /// The objects with their present values.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - isKept: Whether the context keeps what it reads, for later requests.
    /// - Returns: The objects in the order of the query.
    /// - Throws: ``StoreError``.
    mutating func rows(matching query: StoreQuery, isKept: Bool = true) throws -> [StoredRow] {
        guard graph.hasChanges(concerning: query) else {
            let rows = try source.read { try $0.rows(matching: query) }
            if isKept { register(rows, of: query.entity) }
            return rows
        }
        let rows = try pending(query) { try $0.rows() }
        // Changed rows are here already.
        if isKept { register(rows.filter { !graph.changed.contains($0.id) }, of: query.entity) }
        return rows
    }

    /// Answers a query from the store and the unsaved changes.
    private mutating func pending<Answer>(
        _ query: StoreQuery,
        _ answer: (PendingQuery) throws -> Answer
    ) throws -> Answer {
        graph.follow(query)
        let graph = graph
        return try source.read { try answer(PendingQuery(query, graph, $0)) }
    }
}

extension ManagedObjectContext {
    /// Passes all objects of a request to a closure, page by page, so that memory need not hold all.
    ///
    /// The context forgets the objects of a page before it reads the next.
    package func forEachPage<Object: ManagedObject>(
        of request: FetchRequest<Object>,
        size: Int,
        _ body: ([Object]) throws -> Void
    ) throws {
        for page in try fetchIDs(request.asFaults()).pages(of: size) {
            try body(fetch(FetchRequest(Object.self).whereObject(isOneOf: page)))
            reset()
        }
    }
}

extension Array {
    /// Slices of a size; the last may be shorter.
    package func pages(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
