/// One value of a message: its kind and position.
///
/// The entries are in the order of the message's bytes: a container comes right before its items,
/// and a key right before its value. Positions take 4 bytes each, which limits the length of
/// messages.
struct TapeEntry {
    let kind: ValueKind
    let marker: UInt8

    /// The properties of a map's keys.
    var keys = KeyTraits()

    /// The start of the payload; for a container, that of its first item.
    let start: UInt32

    /// The number of payload bytes, of array items or of map pairs.
    let count: UInt32

    /// The index of the entry after this one and its contents.
    var end: UInt32

    /// A nil without a position.
    static let missing = TapeEntry(kind: .null, marker: Marker.null, start: 0, count: 0, end: 0)

    /// The position of the value's first byte.
    var headerStart: Int { Int(start) - (ValueHeader(marker)?.lengthSize ?? 0) - 1 }

    /// The positions of the payload.
    var payload: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// The properties of a map's keys that decide how they are looked up.
struct KeyTraits: OptionSet {
    let rawValue: UInt8

    /// Some keys are not text.
    static let notAllText = KeyTraits(rawValue: 1)

    /// Some key is repeated, which was allowed.
    static let repeated = KeyTraits(rawValue: 2)
}
