extension CodingUserInfoKey {
    /// The key of the ``OwnerForm`` in which an encoder writes owners.
    public static let ownerForm = key("LuggageTags.ownerForm")

    /// The key of the ``WeightForm`` in which an encoder writes weights.
    public static let weightForm = key("LuggageTags.weightForm")

    /// The key of the ``DateForm`` in which an encoder writes when a bag departed and arrived.
    ///
    /// A coder without it ignores these times, because a tag does not tell when its bag was scanned. A
    /// decoder with any form reads all forms.
    public static let dateForm = key("LuggageTags.dateForm")

    static func key(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else {
            // The initializer is failable by declaration only; it accepts every text.
            preconditionFailure("a text is always a key")
        }
        return key
    }
}
