/// The identity of an object: its entity and a key within that entity's rows.
///
/// An object that was never saved has a provisional negative key, unique in this process; the first
/// save gives it the key of its row. Keys are never reused, so an identity always means the same
/// object.
public struct ObjectID: Hashable, Sendable {
    /// The entity, by its position in the model.
    public let entity: Int

    /// The key of the row; negative until the first save.
    public let key: Int64

    /// Makes an identity from its parts.
    public init(entity: Int, key: Int64) {
        self.entity = entity
        self.key = key
    }

    /// Whether the object was never saved.
    public var isProvisional: Bool { key < 0 }
}

extension ObjectID {
    /// Hashes both parts as one number, for speed: a save keeps what changed by identities.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(bitPattern: key) ^ UInt64(truncatingIfNeeded: entity) << 48)
    }
}

extension ObjectID: Comparable {
    /// Orders by entity, then as objects were made: those with a row by key, then unsaved ones.
    ///
    /// A save gives keys in this order, so objects do not change places with it.
    public static func < (a: ObjectID, b: ObjectID) -> Bool {
        if a.entity != b.entity { return a.entity < b.entity }
        if a.isProvisional != b.isProvisional { return b.isProvisional }
        // Provisional keys count down.
        return a.isProvisional ? a.key > b.key : a.key < b.key
    }
}

extension ObjectID: CustomStringConvertible {
    /// The position of the entity and the key, as `2/17`.
    public var description: String { "\(entity)/\(key)" }
}
