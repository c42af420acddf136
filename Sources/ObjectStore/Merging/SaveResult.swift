/// The result of a save.
public struct SaveResult: Sendable {
    /// Every object that took part, by its identity after the save.
    public let changes: [ObjectID: ObjectChange]
    /// The token of the save in the history.
    ///
    /// Nil if the save changed nothing, if the store keeps no history, or if the save is part of a
    /// transaction, which gets a token as a whole.
    public let token: HistoryToken?
    /// The author of the save, from ``ManagedObjectContext/author``.
    public let author: String?
    /// Whether another process, or another container, made the save.
    public let isForeign: Bool
    /// Whether ``changes`` is complete.
    ///
    /// False if others saved what the history no longer has, or too much to report one by one: then
    /// read everything anew that must be up to date.
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

    /// Whether there is nothing to report.
    var isEmpty: Bool { changes.isEmpty && isComplete }

    /// The change of one object, or nil if the save did not touch it.
    public func change(of object: ManagedObject) -> ObjectChange? {
        changes[object.objectID]
    }
}

/// The change that a save made to one object.
public struct ObjectChange: Sendable {
    /// The stored values before the save; nil if the object was inserted.
    public let before: Snapshot?
    /// The stored values after the save; nil if the object was deleted.
    public let after: Snapshot?

    /// The kind of a change.
    public enum Kind: Sendable {
        /// A new row.
        case inserted
        /// A row with changed values.
        case updated
        /// A deleted row.
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
    /// - Returns: The value, or nil if the snapshot is of another entity.
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
