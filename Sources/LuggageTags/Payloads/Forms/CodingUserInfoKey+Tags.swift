extension CodingUserInfoKey {
    /// Where an encoder carries the ``OwnerForm`` in which it writes owners.
    public static let ownerForm = key("LuggageTags.ownerForm")

    /// Where an encoder carries the ``WeightForm`` in which it writes weights.
    public static let weightForm = key("LuggageTags.weightForm")

    /// Where an encoder carries the ``DateForm`` in which it writes when a bag departed and arrived.
    ///
    /// A coder without it passes these times over: when a bag was scanned is not for its tag to say.
    /// A decoder that carries any form reads all of them.
    public static let dateForm = key("LuggageTags.dateForm")

    static func key(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else {
            // The initializer is failable by declaration only; it accepts every text.
            preconditionFailure("a text is always a key")
        }
        return key
    }
}
