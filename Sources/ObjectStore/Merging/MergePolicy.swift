/// How a save settles conflicts between what it brings and what is stored.
///
/// There are two kinds: a *version conflict*, where the stored row has changed since the context
/// read it, and a *constraint conflict*, where another object has the same unique values, in the
/// store or in the same save.
///
/// Under the policies that merge by property, only properties that were assigned take part: an
/// object that never set a property does not clear it. Assigning nil does.
///
/// Two objects that both have a row are never merged: where an edit gives one of them the unique
/// values of the other, the save throws ``MergeConflictError`` under every policy.
public enum MergePolicy: Sendable {
    /// The save throws ``MergeConflictError`` and changes nothing.
    case error
    /// Where both sides have a value, the stored one stays; the rest is filled in.
    case mergeByPropertyStoreTrump
    /// Where both sides have a value, the assigned one wins; everything else stays as stored.
    case mergeByPropertyObjectTrump
    /// The object is written whole, its unassigned properties included, and whatever the
    /// ``AttributeCombination`` of an attribute.
    case overwrite
    /// What is stored stays, and the object's changes are dropped, whatever the
    /// ``AttributeCombination`` of an attribute.
    case rollback
    /// A closure settles each conflict, starting from what ``mergeByPropertyObjectTrump`` would do.
    ///
    /// A conflict with a row or by an object that was deleted is settled as by
    /// ``mergeByPropertyObjectTrump``, since there are no two sides to choose from.
    ///
    /// The closure is called while the context and the store are locked: it decides by what it is
    /// given, and uses neither.
    case custom(@Sendable (MergeConflict, inout MergeResolution) -> Void)
}

/// What a conflict is settled to, for a closure to change.
public struct MergeResolution: Sendable {
    /// The values to store, in the order of the entity's columns.
    public internal(set) var values: [AttributeValue]

    /// Whether the save is to fail with this conflict.
    public var isRefused = false

    let model: ManagedObjectModel
    let entity: Int

    /// The value of an attribute; reading one of another entity gives the absent value.
    public subscript<Object: ManagedObject, Value: AttributeConvertible>(
        keyPath: KeyPath<Object, Value>
    ) -> Value {
        get { Value(attributeValue: slot(of: keyPath).map { values[$0] } ?? .null) }
        set {
            if let slot = slot(of: keyPath) { values[slot] = newValue.attributeValue }
        }
    }

    /// Takes every value from one of the sides.
    public mutating func take(_ snapshot: Snapshot) {
        if snapshot.id.entity == entity { values = snapshot.values }
    }

    private func slot(of keyPath: AnyKeyPath) -> Int? {
        guard case .slot(entity, let slot) = model.place(of: keyPath) else { return nil }
        return slot
    }
}

/// What met in one conflict.
public struct MergeConflict: Sendable, CustomStringConvertible {
    /// The kind of a conflict.
    public enum Kind: Sendable {
        /// The stored row has changed since it was read.
        case version
        /// Another object in the store has the same unique values.
        case constraint([String])
        /// Another object of the same save has the same unique values.
        case pending([String])
    }

    /// The kind.
    public let kind: Kind
    /// The entity's name.
    public let entity: String
    /// The object that was being saved.
    public let object: Snapshot
    /// The object as the context had last read it, where it had.
    public let cached: Snapshot?
    /// What it met: the stored row, or the other pending object; nil where the row was deleted.
    public let stored: Snapshot?

    /// The conflict as a sentence.
    public var description: String {
        switch kind {
        case .version where stored == nil: "\(entity): the object was deleted by somebody else"
        case .version: "\(entity): the object was changed by somebody else"
        case .constraint(let names):
            "\(entity): another object on record has the same \(names.joined(separator: " and "))"
        case .pending(let names):
            "\(entity): two objects of this save have the same \(names.joined(separator: " and "))"
        }
    }
}

/// A save met conflicts that its policy does not settle, and stored nothing.
public struct MergeConflictError: Error, Sendable, CustomStringConvertible {
    /// All conflicts.
    public let conflicts: [MergeConflict]

    /// All conflicts, one a line.
    public var description: String {
        conflicts.map(\.description).joined(separator: "\n")
    }
}

/// The values of an object at one moment.
public struct Snapshot: Sendable, Hashable {
    /// The identity.
    public let id: ObjectID
    /// The values, in the order of the entity's columns.
    public let values: [AttributeValue]
}
