#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
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
        /// As a function decodes it.
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
        /// As a function decodes it.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// How keys are read, except those of dictionaries, which are data.
    public enum KeyDecodingStrategy: Sendable {
        /// As they are.
        case useDefaultKeys
        /// `departed_at` as `departedAt`.
        case convertFromSnakeCase
        /// As a function makes them of the coding path, the message's key last.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// What numbers of 64 bits a `Float` takes; those of other types must always be exact.
    public enum FloatNarrowing: Sendable {
        /// Only those that a `Float` holds exactly: 42.5, but not 42.3.
        case exact
        /// Those that are finite as a `Float`, rounded to the nearest; `nan` and infinity too.
        ///
        /// For peers that have no numbers of 32 bits, such as Python.
        case nearest
    }

    /// What becomes of a map that has a key twice.
    public enum DuplicateKeys: Sendable {
        /// The message is refused.
        case refuse
        /// The first pair counts.
        case useFirst
        /// The last pair counts.
        case useLast
    }

    /// What becomes of text that is not UTF-8.
    public enum InvalidText: Sendable {
        /// The message is refused.
        case refuse
        /// What is not UTF-8 is replaced by U+FFFD.
        case repair
    }

    /// What becomes of bytes after the message.
    public enum TrailingBytes: Sendable {
        /// The message is refused.
        case refuse
        /// They are not looked at.
        case ignore
    }
}
