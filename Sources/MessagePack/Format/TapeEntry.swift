/// One value of a message: what it is, and where.
///
/// The entries of a message stand in the order of its bytes: a container comes right before its
/// items, and a key right before its value. Positions take 4 bytes each, which is why messages have
/// a greatest length.
struct TapeEntry {
    let kind: ValueKind
    let marker: UInt8

    /// What is to be known about the keys of a map.
    var keys = KeyTraits()

    /// Where the payload begins; of a container, its first item.
    let start: UInt32

    /// How many bytes of payload, items of an array or pairs of a map there are.
    let count: UInt32

    /// The entry behind this one and all that it holds.
    var end: UInt32

    /// A nil that stands nowhere.
    static let missing = TapeEntry(kind: .null, marker: Marker.null, start: 0, count: 0, end: 0)

    /// Where the value begins, with its first byte.
    var headerStart: Int { Int(start) - (ValueHeader(marker)?.lengthSize ?? 0) - 1 }

    /// The positions of the payload.
    var payload: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// What a map's keys are, as far as looking them up depends on it.
struct KeyTraits: OptionSet {
    let rawValue: UInt8

    /// Some keys are not text.
    static let notAllText = KeyTraits(rawValue: 1)

    /// Some key stands there twice, which was allowed.
    static let repeated = KeyTraits(rawValue: 2)
}
