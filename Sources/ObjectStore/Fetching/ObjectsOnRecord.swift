/// Which changed objects are on record, as far as they were looked up in the present state of a store.
///
/// Others may delete rows at any time. So what is known of one state is forgotten in the next, and nothing
/// is kept of a store that cannot tell its states.
struct ObjectsOnRecord: Sendable {
    private var state: StoreState?
    private var soughtIDs = ObjectSet()
    /// Those of them that were not found.
    private var missingIDs = ObjectSet()
    /// The last answer.
    private var last: (presence: UInt64, entity: Int, surplus: Int)?

    /// How many more objects of an entity there are with the changes than on record.
    ///
    /// - Parameters:
    ///   - query: A query of the entity.
    ///   - graph: The changes.
    ///   - store: What is on record.
    /// - Returns: The number; negative if there are fewer.
    /// - Throws: ``StoreError``.
    mutating func surplus(
        for query: StoreQuery,
        _ graph: ObjectGraph,
        _ store: any StoreReading
    ) throws -> Int {
        let entity = query.entity.index
        let present = (store as? any StateReading)?.state
        if present == nil || present != state { self = ObjectsOnRecord() }
        state = present
        if let last, last.presence == graph.presence, last.entity == entity { return last.surplus }
        let changed = graph.changed.stored(of: entity)
        try seek(changed.filter { !soughtIDs.contains($0) }, for: query, store)
        // A new object that is deleted is no change any more.
        var surplus = graph.changed.new(of: entity).count
        for id in changed {
            let isDeleted = graph.rows.withValue(of: id) { $0.isDeleted } ?? true
            if isDeleted { surplus -= 1 }
            if missingIDs.contains(id) { surplus += 1 }
        }
        last = (graph.presence, entity, surplus)
        return surplus
    }

    private mutating func seek(
        _ ids: [ObjectID],
        for query: StoreQuery,
        _ store: any StoreReading
    ) throws {
        if ids.isEmpty { return }
        let filter = StoreExpression.isOneOf(.key, Set(ids.map { .reference($0) }))
        let found = Set(
            try store.keys(
                matching: StoreQuery(model: query.model, entity: query.entity, filter: filter)
            )
        )
        soughtIDs.formUnion(ids)
        missingIDs.formUnion(ids.filter { !found.contains($0.key) })
    }
}
