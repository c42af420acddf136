public import FoundationEssentials
internal import Glibc

/// A stored value, to and from which every attribute type is converted.
///
/// Two values are equal if their stored bytes are: text is compared by its UTF-8, not by Unicode
/// equivalence, so every store gives the same answer.
public enum AttributeValue: Sendable {
    /// No value.
    case null
    /// An integer; also a boolean, as 0 or 1.
    case integer(Int64)
    /// A floating-point number; also a date, in seconds since 2001 (UTC).
    case real(Double)
    /// Text; also a UUID in upper case.
    case text(String)
    /// Bytes.
    case data(Data)
    /// The target of a to-one relationship.
    case reference(ObjectID)
    /// A value that has none of these forms, with the reason: "cannot be …".
    ///
    /// A save rejects it, so no store receives it.
    case invalid(String)

    /// Whether there is no value.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The target, if this is a reference.
    var reference: ObjectID? {
        if case .reference(let id) = self { id } else { nil }
    }

    /// The value as it is compared and sorted: what no store would give back as it is counts as missing.
    var comparable: AttributeValue {
        switch self {
        case .real(let number) where number.isNaN: .null
        case .invalid: .null
        default: self
        }
    }

    /// The reason why a store could not return this value unchanged, or nil if every store can.
    ///
    /// SQLite stores a NaN as NULL and ends text at a NUL, so no store accepts them.
    var reasonNotStorable: String? {
        switch self {
        case .real(let number) where number.isNaN: "is not a number"
        case .text(let text) where text.hasNUL: "contains a NUL character"
        case .invalid(let reason): reason
        default: nil
        }
    }
}

// Not inlined, all three: whatever compares or hashes values would have all of this, some of it several times.

extension AttributeValue: Hashable {
    /// Whether both are the same value of the same kind.
    @inline(never)
    public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(let a), .text(let b)): a.hasBytes(of: b)
        case (.data(let a), .data(let b)): a.hasBytes(of: b)
        case (.reference(let a), .reference(let b)): a == b
        case (.invalid(let a), .invalid(let b)): a == b
        default: false
        }
    }

    /// Hashes the stored form, its place in the order of kinds, and the lengths of texts and bytes, so that nobody can
    /// choose lists of texts that are hashed alike.
    @inline(never)
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .null: break
        case .integer(let number): hasher.combine(number)
        case .real(let number): hasher.combine(number)
        case .text(let text): text.hashBytes(into: &hasher)
        case .data(let data):
            // All of it: `Data` itself hashes only how it begins.
            hasher.combine(data.count)
            unsafe data.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        case .reference(let id): hasher.combine(id)
        case .invalid(let reason): hasher.combine(reason)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes.
    func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        // Those of nothing may have no address.
        guard let a = baseAddress, let b = other.baseAddress else { return true }
        return unsafe memcmp(a, b, count) == 0
    }
}

extension Data {
    /// Whether both have the same bytes: `==`, whose 3 KB of code would be in each place that compares values.
    @inline(never)
    fileprivate func hasBytes(of other: Data) -> Bool { self == other }
}

extension String {
    /// Whether both have the same bytes; texts that are equal in Swift may have different bytes.
    fileprivate func hasBytes(of other: String) -> Bool {
        unsafe utf8.span.withUnsafeBytes { mine in
            unsafe other.utf8.span.withUnsafeBytes { unsafe mine.hasBytes(of: $0) }
        }
    }

    fileprivate var hasNUL: Bool {
        unsafe utf8.span.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe memchr(start, 0, bytes.count) != nil
        }
    }

    /// Hashes all bytes at once; one at a time, each would pass through the hasher's buffer.
    fileprivate func hashBytes(into hasher: inout Hasher) {
        unsafe utf8.span.withUnsafeBytes { bytes in
            hasher.combine(bytes.count)
            unsafe hasher.combine(bytes: bytes)
        }
    }
}

extension AttributeValue: Comparable {
    /// Orders values as every store sorts them: null, numbers, text by its UTF-8, bytes, references.
    @inline(never)
    public static func < (a: AttributeValue, b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.integer(let a), .real(let b)): Double(a) < b
        case (.real(let a), .integer(let b)): a < Double(b)
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
        case (.reference(let a), .reference(let b)): a < b
        default: a.rank < b.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .data: 3
        case .reference: 4
        case .invalid: 5
        }
    }
}

extension AttributeValue: CustomStringConvertible {
    /// The value for a message: text in quotes, data as its number of bytes.
    public var description: String {
        switch self {
        case .null: "nothing"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): "\"\(text)\""
        case .data(let data): "\(data.count) bytes"
        case .reference(let id): id.description
        case .invalid: "no value that can be kept"
        }
    }
}
