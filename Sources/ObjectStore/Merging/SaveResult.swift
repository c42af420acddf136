/// What a save did.
public struct SaveResult: Sendable {
    /// Every object that took part, by its identity after the save.
    public let changes: [ObjectID: ObjectChange]
    /// Its place in the history; nil where it changed nothing, or the store keeps none, or the save is
    /// part of a transaction, which gets its place as a whole.
    public let token: HistoryToken?
    /// Who saved, as ``ManagedObjectContext/author`` had it.
    public let author: String?
    /// Whether it was saved elsewhere: by another process, or through another container.
    public let isForeign: Bool
    /// Whether ``changes`` tells everything.
    ///
    /// False where others have saved what the history no longer tells, or too much to be told one by
    /// one: read everything anew that is to be up to date.
    public let isComplete: Bool

    init(
        changes: [ObjectID: ObjectChange],
        token: HistoryToken? = nil,
        author: String? = nil,
        isForeign: Bool = false,
        isComplete: Bool = true
    ) {
        self.changes = changes
        self.token = token
        self.author = author
        self.isForeign = isForeign
        self.isComplete = isComplete
    }

    /// Whether there is nothing to tell.
    var isEmpty: Bool { changes.isEmpty && isComplete }

    /// The change of one object, or nil where the save did not touch it.
    public func change(of object: ManagedObject) -> ObjectChange? {
        changes[object.objectID]
    }
}

/// What a save did to one object.
public struct ObjectChange: Sendable {
    /// The stored values before the save; nil where the object was inserted.
    public let before: Snapshot?
    /// The stored values after the save; nil where the object was deleted.
    public let after: Snapshot?

    /// The kind of a change.
    public enum Kind: Sendable {
        /// A new row.
        case inserted
        /// A row with other values.
        case updated
        /// A row that is gone.
        case deleted
        /// A row that already had these values.
        case unchanged
    }

    /// The kind of this change.
    public var kind: Kind {
        guard let before else { return .inserted }
        guard let after else { return .deleted }
        return before.values == after.values ? .unchanged : .updated
    }
}

extension ManagedObjectModel {
    /// The value of a property in a snapshot.
    ///
    /// - Parameters:
    ///   - keyPath: A property wrapped in ``Attribute``.
    ///   - snapshot: A snapshot of an object that has the property.
    /// - Returns: The value, or nil where the snapshot is of another entity.
    public func value<Object: ManagedObject, Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        in snapshot: Snapshot
    ) -> Value? {
        slotValue(keyPath, in: snapshot).map { Value(attributeValue: $0) }
    }

    /// The target of a to-one relationship in a snapshot.
    public func target<Object: ManagedObject, Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>,
        in snapshot: Snapshot
    ) -> ObjectID? {
        slotValue(keyPath, in: snapshot)?.reference
    }

    private func slotValue(_ keyPath: AnyKeyPath, in snapshot: Snapshot) -> AttributeValue? {
        guard case .slot(snapshot.id.entity, let slot) = place(of: keyPath) else { return nil }
        return snapshot.values[slot]
    }
}
