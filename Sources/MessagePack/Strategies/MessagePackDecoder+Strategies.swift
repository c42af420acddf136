#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import FoundationEssentials
#endif

extension MessagePackDecoder {
    /// How dates are read.
    public enum DateDecodingStrategy: Sendable {
        /// From the specification's timestamps of 32, 64 and 96 bits.
        case timestamp
        /// As `Date` decodes itself: from seconds since 2001-01-01 00:00:00 UTC.
        case deferredToDate
        /// From seconds since 1970-01-01 00:00:00 UTC.
        case secondsSince1970
        /// From milliseconds since 1970-01-01 00:00:00 UTC.
        case millisecondsSince1970
        /// From text in the form of ISO 8601, with or without fractions of a second.
        case iso8601
        /// Decoded by a function.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// How data is read.
    public enum DataDecodingStrategy: Sendable {
        /// From binary data.
        case binary
        /// As `Data` decodes itself: from an array of numbers.
        case deferredToData
        /// From text in Base64.
        case base64
        /// Decoded by a function.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// How keys are read, except those of dictionaries, which are data.
    public enum KeyDecodingStrategy: Sendable {
        /// Unchanged.
        case useDefaultKeys
        /// `departed_at` becomes `departedAt`.
        case convertFromSnakeCase
        /// Made by a function from the coding path, whose last key is the message's key.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// Which 64-bit numbers a `Float` accepts; numbers of other types must always be exact.
    public enum FloatNarrowing: Sendable {
        /// Only those that a `Float` holds exactly: 42.5, but not 42.3.
        case exact
        /// Those that are finite as a `Float`, rounded to the nearest; also NaN and infinity.
        ///
        /// For senders without 32-bit numbers, such as Python.
        case nearest
    }

    /// How a map with a repeated key is handled.
    public enum DuplicateKeys: Sendable {
        /// The message is rejected.
        case refuse
        /// The first pair counts.
        case useFirst
        /// The last pair counts.
        case useLast
    }

    /// How text that is not UTF-8 is handled.
    public enum InvalidText: Sendable {
        /// The message is rejected.
        case refuse
        /// Invalid bytes are replaced by U+FFFD.
        case repair
    }

    /// How bytes after the message are handled.
    public enum TrailingBytes: Sendable {
        /// The message is rejected.
        case refuse
        /// They are ignored.
        case ignore
    }
}
