internal import Synchronization

/// The position of a property in snapshots, looked up once for many of them.
public struct SnapshotProperty<Value>: Sendable {
    // Everything here is inlined: reading a value of a generic type takes several times as long.
    @usableFromInline let entity: Int
    @usableFromInline let slot: Int
    @usableFromInline let read: @Sendable (AttributeValue) -> Value

    @usableFromInline init(
        _ place: (entity: Int, slot: Int),
        _ read: @escaping @Sendable (AttributeValue) -> Value
    ) {
        (entity, slot) = place
        self.read = read
    }
}

extension Snapshot {
    /// The value of a property; its missing value if the snapshot is of another entity.
    @inlinable
    public subscript<Value>(_ property: SnapshotProperty<Value>) -> Value {
        property.read(id.entity == property.entity ? values[property.slot] : .null)
    }
}

extension ManagedObjectModel {
    /// Finds an attribute of snapshots.
    @inlinable
    public func property<Object: ManagedObject, Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>
    ) -> SnapshotProperty<Value> {
        SnapshotProperty(column(of: keyPath)) { Value(attributeValue: $0) }
    }

    /// Finds the target of a to-one relationship in snapshots.
    public func property<Object: ManagedObject, Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>
    ) -> SnapshotProperty<ObjectID?> {
        SnapshotProperty(column(of: keyPath)) { $0.reference }
    }

    /// The position of a property in snapshots; a property without a column is a mistake in the
    /// program.
    @usableFromInline func column(of keyPath: AnyKeyPath) -> (entity: Int, slot: Int) {
        guard case .slot(let entity, let slot) = place(of: keyPath) else {
            preconditionFailure(
                "\(keyPath) is not a property with a column that the model declares"
            )
        }
        return (entity, slot)
    }
}

extension ManagedObjectContext {
    /// Passes snapshots of the selected objects, as the store holds them, to a closure batch by batch.
    ///
    /// Use it for reports on more objects than fit in memory: it makes no objects, keeps nothing,
    /// and ignores unsaved changes. The store answers in one query, from one state.
    ///
    /// - Parameters:
    ///   - request: The objects, and their order.
    ///   - omitted: Properties that are not read; they are missing in the snapshots.
    ///   - size: The greatest number of snapshots in a batch, at least 1.
    ///   - body: Takes a batch, which is never empty; it may read more.
    /// - Throws: ``StoreError``, ``UnsupportedPredicateError``, or what `body` throws.
    public func forEachBatch<Object: ManagedObject>(
        ofSnapshots request: FetchRequest<Object>,
        omitting omitted: [PartialKeyPath<Object>] = [],
        size: Int = 500,
        _ body: ([Snapshot]) throws -> Void
    ) throws {
        let query = try whenSaved { state in
            try state.throwFailure()
            var query = try request.query(in: &state)
            query.omittedColumns = Set(omitted.map { model.column(of: $0).slot })
            return query
        }
        try source.read { store in
            try store.forEachBatch(matching: query, size: size) { rows in
                try body(rows.map(\.snapshot))
            }
        }
    }

    /// Snapshots of objects as the store holds them, in any order, without those that do not exist there.
    ///
    /// - Parameters:
    ///   - type: The class of the objects; objects of other classes are left out.
    ///   - ids: Their identities.
    /// - Returns: The snapshots.
    /// - Throws: ``StoreError``.
    public func snapshots<Object: ManagedObject>(
        of type: Object.Type,
        _ ids: some Sequence<ObjectID>
    ) throws -> [Snapshot] {
        let entity = model.describedEntity(of: type)
        // Others may know an object by the identity that it had before it was saved.
        let ids = Array(ids)
        let present = state.withLock { state in ids.map { state.forwarded[$0] ?? $0 } }
        let keys = Set(present.filter { $0.entity == entity.index && !$0.isProvisional }.map(\.key))
            .sorted()
        return try source.read { try $0.rows(of: entity, keys: keys) }.map(\.snapshot)
    }
}
