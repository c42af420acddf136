internal import Synchronization

/// Where a property of an object has its value in a snapshot of it, found once for many of them.
public struct SnapshotProperty<Value>: Sendable {
    // Inlined, as all of this is: a value whose type is not known takes several times as long to read.
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
    /// The value of a property; that of a missing value where the snapshot is of another entity.
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

    /// Finds the target of a relationship to one in snapshots.
    public func property<Object: ManagedObject, Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>
    ) -> SnapshotProperty<ObjectID?> {
        SnapshotProperty(column(of: keyPath)) { $0.reference }
    }

    /// Where snapshots have a property; that it has no column is a mistake in the program.
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
    /// Gives what the store holds of the objects that a request selects, batch by batch.
    ///
    /// For reports on more objects than memory is to hold: no objects are made, nothing is kept, and
    /// changes that are not saved do not count. The store answers once, from one state.
    ///
    /// - Parameters:
    ///   - request: Which objects, in which order.
    ///   - omitted: Properties whose values are not needed, so that they are not read; in the snapshots
    ///     they are missing.
    ///   - size: The greatest number in a batch, at least 1.
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
            var query = try request.query(in: model, state: &state)
            query.omittedColumns = Set(omitted.map { model.column(of: $0).slot })
            return query
        }
        try source.read { store in
            try store.forEachBatch(matching: query, size: size) { rows in
                try body(rows.map { Snapshot(id: $0.id, values: $0.values) })
            }
        }
    }

    /// What the store holds of objects, in any order; those that do not exist are left out.
    ///
    /// - Parameters:
    ///   - type: The class of the objects; those of others are left out.
    ///   - ids: Their identities.
    /// - Returns: The snapshots.
    /// - Throws: ``StoreError``.
    public func snapshots<Object: ManagedObject>(
        of type: Object.Type,
        _ ids: some Sequence<ObjectID>
    ) throws -> [Snapshot] {
        let entity = model.describedEntity(of: type)
        let keys = Set(ids.lazy.filter { $0.entity == entity.index }.map(\.key)).sorted()
        return try source.read { try $0.rows(of: entity, keys: keys) }.map {
            Snapshot(id: $0.id, values: $0.values)
        }
    }

    /// How many objects lead to each target of a relationship to one.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - request: Which objects.
    /// - Returns: The number for each target that there is; nil stands for those that lead nowhere.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func counts<Object: ManagedObject, Target: ManagedObject>(
        by keyPath: KeyPath<Object, Target?>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [ObjectID?: Int] {
        let groups = try groups(by: [keyPath], request) { _ in [.count] }
        return Dictionary(
            groups.map { ($0.key[0].reference, $0.figures[0].read() ?? 0) },
            uniquingKeysWith: +
        )
    }
}
