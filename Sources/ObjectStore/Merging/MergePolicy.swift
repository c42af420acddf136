/// How a save settles conflicts between its changes and the store.
///
/// There are two kinds of conflict. In a *version conflict*, the stored row has changed since the
/// context read it. In a *constraint conflict*, another object, in the store or in the same save,
/// has the same unique values.
///
/// The policies that merge by property consider only assigned properties: an object that never set
/// a property does not clear it. Assigning nil does.
///
/// Two objects that both have a row are never merged: if an edit gives one the unique values of the
/// other, the save throws ``MergeConflictError`` under every policy.
public enum MergePolicy: Sendable {
    /// The save throws ``MergeConflictError`` and changes nothing.
    case error
    /// If both sides have a value, the stored one stays; missing stored values are filled in, but not those that
    /// others have cleared since the context read them.
    case mergeByPropertyStoreTrump
    /// If both sides have a value, the assigned one wins; everything else stays as stored.
    case mergeByPropertyObjectTrump
    /// The object is written whole, with its unassigned properties; each ``AttributeCombination``
    /// is ignored.
    case overwrite
    /// The stored values stay and the object's changes are dropped; each ``AttributeCombination``
    /// is ignored.
    case rollback
    /// A closure settles each conflict, starting from the result of ``mergeByPropertyObjectTrump``.
    ///
    /// If the row or the object was deleted, there are no two sides to choose from, and the
    /// conflict is settled as by ``mergeByPropertyObjectTrump``.
    ///
    /// The closure is called while the context and the store are locked: it must decide from its
    /// arguments alone and use neither of them. Undoing what was saved does not call it again.
    case custom(@Sendable (MergeConflict, inout MergeResolution) -> Void)
}

/// The result of a conflict, which a closure may change.
public struct MergeResolution: Sendable {
    /// The values to store, in the order of the entity's columns.
    public internal(set) var values: [AttributeValue]

    /// Whether the save fails with this conflict.
    public var isRefused = false

    let model: ManagedObjectModel
    let entity: Int

    /// The value of an attribute; reading one of another entity gives the missing value.
    public subscript<Object: ManagedObject, Value: AttributeConvertible>(
        keyPath: KeyPath<Object, Value>
    ) -> Value {
        get { Value(attributeValue: slot(of: keyPath).map { values[$0] } ?? .null) }
        set {
            guard let slot = slot(of: keyPath) else { return }
            let form = model.entities[entity].textForms[slot]
            values[slot] = newValue.attributeValue.formed(form)
        }
    }

    /// Takes every value from one of the sides; a snapshot of another entity or model changes nothing.
    public mutating func take(_ snapshot: Snapshot) {
        guard snapshot.id.entity == entity, snapshot.values.count == values.count else { return }
        values = Array(snapshot.values)
    }

    private func slot(of keyPath: AnyKeyPath) -> Int? {
        guard case .slot(entity, let slot) = model.place(of: keyPath) else { return nil }
        return slot
    }
}

/// The two sides of one conflict.
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
    /// The object as the context last read it, if it did.
    public let cached: Snapshot?
    /// The stored row, or the other pending object; nil if the row was deleted.
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

/// The error of a save with conflicts that its policy does not settle; the save stored nothing.
public struct MergeConflictError: Error, Sendable, CustomStringConvertible {
    /// All conflicts.
    public let conflicts: [MergeConflict]

    /// The conflicts, one per line: the first 20, and how many there are besides.
    public var description: String { conflicts.firstLines }
}

/// The values of an object at one moment.
public struct Snapshot: Sendable, Hashable {
    /// The identity.
    public let id: ObjectID
    /// The values, in the order of the entity's columns.
    public let values: RowValues
}
