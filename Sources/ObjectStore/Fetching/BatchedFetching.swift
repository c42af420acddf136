internal import Synchronization

extension ManagedObjectContext {
    /// Gives the objects that a request selects batch by batch, and forgets each batch before the next,
    /// so that a list of any length needs little memory.
    ///
    /// The store answers once, from one state, whatever is saved meanwhile. What the body reads besides
    /// is forgotten as well. A context with changes that are not saved keeps everything.
    ///
    /// - Parameters:
    ///   - request: Which objects, in which order.
    ///   - size: The greatest number of objects in a batch, at least 1.
    ///   - body: Takes a batch; objects that it keeps read their rows anew.
    /// - Throws: ``StoreError``, ``UnsupportedPredicateError``, or what `body` throws.
    public func forEachBatch<Object: ManagedObject>(
        of request: FetchRequest<Object>,
        size: Int = 500,
        _ body: ([Object]) throws -> Void
    ) throws {
        if hasChanges {
            let objects = try fetch(request)
            for start in stride(from: 0, to: objects.count, by: size) {
                try body(Array(objects[start..<min(start + size, objects.count)]))
            }
            return
        }
        let query = try whenSaved { state in
            try state.throwFailure()
            return try request.query(in: model, state: &state)
        }
        try source.read { store in
            try store.forEachBatch(matching: query, size: size) { rows in
                let ids = try state.withLock { state in
                    state.register(rows, of: query.entity)
                    let ids = rows.map(\.id)
                    state.note(ids, of: query.entity)
                    for keyPath in request.prefetched {
                        try state.prefetch(ids, keyPath, model, source)
                    }
                    return ids
                }
                try body(objects(Object.self, ids: ids))
                try checkReads()
                if !hasChanges { reset() }
            }
        }
    }
}
