#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import FoundationEssentials
#endif

extension MessagePackEncoder {
    /// How dates are written.
    public enum DateEncodingStrategy: Sendable {
        /// As the specification's timestamp, rounded to a nanosecond.
        case timestamp
        /// As `Date` encodes itself: seconds since 2001-01-01 00:00:00 UTC.
        case deferredToDate
        /// As seconds since 1970-01-01 00:00:00 UTC, in 64 bits of floating point.
        case secondsSince1970
        /// As milliseconds since 1970-01-01 00:00:00 UTC, in 64 bits of floating point.
        case millisecondsSince1970
        /// As ISO 8601 text in UTC, in whole seconds.
        case iso8601
        /// Encoded by a function.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How data is written.
    public enum DataEncodingStrategy: Sendable {
        /// As binary data.
        case binary
        /// As `Data` encodes itself: an array of numbers.
        case deferredToData
        /// As text in Base64.
        case base64
        /// Encoded by a function.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How a `UUID` is written; the decoder reads both.
    public enum UUIDEncodingStrategy: Sendable {
        /// As its 16 bytes.
        case binary
        /// As `UUID` encodes itself: text of 36 characters.
        case text
    }

    /// How keys are written, except those of dictionaries, which are data.
    public enum KeyEncodingStrategy: Sendable {
        /// Unchanged; an integer if the coding key has one.
        case useDefaultKeys
        /// `departedAt` becomes `departed_at`.
        case convertToSnakeCase
        /// Made by a function from the coding path, whose last key is the key itself.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }
}
