extension CodingUserInfoKey {
    /// The key of the context into which a decoder decodes objects.
    ///
    /// ```swift
    /// let decoder = JSONDecoder()
    /// decoder.userInfo[.context] = context
    /// let luggage = try decoder.decode(Luggage.self, from: payload)
    /// ```
    public static let context: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "ObjectStore.context") else {
            // The initializer is failable by declaration only; it accepts every text.
            preconditionFailure("a text is always a key")
        }
        return key
    }()
}

extension Decoder {
    /// The context that `userInfo[.context]` carries.
    ///
    /// - Returns: The context into which to decode objects.
    /// - Throws: `DecodingError.valueNotFound` if there is none.
    public func managedObjectContext() throws -> ManagedObjectContext {
        if let context = userInfo[.context] as? ManagedObjectContext { return context }
        throw DecodingError.valueNotFound(
            ManagedObjectContext.self,
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "set decoder.userInfo[.context] to the context that the objects belong into"
            )
        )
    }
}
