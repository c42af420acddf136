extension ManagedObjectModel {
    /// The name of an identity, which means the same object in every version of the model: `Bag/17`.
    ///
    /// - Parameter id: The identity.
    /// - Returns: The name of its entity, and its key; nil if the object was never saved, or if the
    ///   entity is not of this model.
    public func name(of id: ObjectID) -> String? {
        guard entities.indices.contains(id.entity), !id.isProvisional else { return nil }
        return "\(entities[id.entity].name)/\(id.key)"
    }

    /// The identity with a name.
    ///
    /// - Parameter name: The name, from ``name(of:)`` of this model or another version of it.
    /// - Returns: The identity; nil if this model has no such entity, or if the text is no name.
    public func objectID(named name: String) -> ObjectID? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = Int64(parts[1]), key > 0, String(key) == parts[1],
            let entity = entities.first(where: { $0.name == parts[0] })
        else { return nil }
        return ObjectID(entity: entity.index, key: key)
    }
}

/// Coded by the name that ``ManagedObjectModel/name(of:)`` gives it, because the position of an entity
/// differs between versions of a model.
///
/// The coder needs the model: set `userInfo[.context]` of the encoder or decoder to a context.
extension ObjectID: Codable {
    /// Writes the name.
    ///
    /// - Throws: `EncodingError` if the encoder has no context, or if the object was never saved.
    public func encode(to encoder: any Encoder) throws {
        func refused(_ reason: String) -> EncodingError {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: reason
            )
            return .invalidValue(self, context)
        }
        guard let context = encoder.userInfo[.context] as? ManagedObjectContext else {
            throw refused(
                "set encoder.userInfo[.context] to a context, whose model names the entity"
            )
        }
        guard let name = context.model.name(of: self) else {
            throw refused("an object has a lasting identity once it is saved, in its own model")
        }
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// Reads the name.
    ///
    /// - Throws: `DecodingError` if the decoder has no context, or if its model has no such entity.
    public init(from decoder: any Decoder) throws {
        let model = try decoder.managedObjectContext().model
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let id = model.objectID(named: name) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(name)\" is no identity of the model, such as Bag/17"
            )
        }
        self = id
    }
}
