/// A dictionary that Codable encodes as a keyed container, not as an array.
///
/// Its keys are data, so no key strategy changes them.
protocol KeyedDictionary {
    /// Whether keys are text even if they look like numbers.
    static var hasTextKeys: Bool { get }
}

extension Dictionary: KeyedDictionary where Key: CodingKeyRepresentable {
    static var hasTextKeys: Bool { Key.self == String.self }
}
