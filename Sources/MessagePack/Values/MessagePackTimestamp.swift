#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import FoundationEssentials
#endif

/// A time as in the specification's timestamps: extension type -1.
///
/// `Date` is a `Double`, which near the present resolves 0.12 microseconds. A timestamp resolves
/// nanoseconds over 584 billion years.
public struct MessagePackTimestamp: Hashable, Sendable, Codable {
    /// Whole seconds since 1970-01-01 00:00:00 UTC; negative before.
    public var seconds: Int64

    /// Nanoseconds after that second, always forward: 0 to 999,999,999.
    public let nanoseconds: UInt32

    /// The extension type of timestamps.
    public static let extensionType: Int8 = -1

    /// Makes a timestamp; nil if the nanoseconds are a second or more.
    ///
    /// - Parameters:
    ///   - seconds: Whole seconds since 1970-01-01 00:00:00 UTC.
    ///   - nanoseconds: Nanoseconds after that second.
    public init?(seconds: Int64, nanoseconds: UInt32) {
        guard nanoseconds < 1_000_000_000 else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The nanosecond nearest to a date; nil if there is none.
    ///
    /// That is so if the date is not finite, or outside the range of timestamps.
    ///
    /// - Parameter date: Any date.
    public init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let wholeSeconds = Int64(exactly: whole) else { return nil }
        let fraction = ((interval - whole) * 1e9).rounded()
        let carry: Int64 = fraction < 1e9 ? 0 : 1
        let (seconds, overflow) = wholeSeconds.addingReportingOverflow(
            Self.secondsToReferenceDate + carry
        )
        guard !overflow else { return nil }
        self.seconds = seconds
        nanoseconds = carry == 1 ? 0 : UInt32(fraction)
    }

    /// The seconds from 1970 to 2001, the reference date of `Date`.
    private static let secondsToReferenceDate: Int64 = 978_307_200

    /// The date nearest to the timestamp.
    public var date: Date {
        // Exact below 2^53 seconds; no date beyond has a fraction.
        let (whole, overflow) = seconds.subtractingReportingOverflow(Self.secondsToReferenceDate)
        let interval =
            overflow ? Double(seconds) - Double(Self.secondsToReferenceDate) : Double(whole)
        return Date(timeIntervalSinceReferenceDate: interval + Double(nanoseconds) / 1e9)
    }

    /// Decodes a timestamp; formats other than MessagePack have it as two numbers.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if it is missing, or its nanoseconds make a second or more.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seconds = try container.decode(Int64.self, forKey: .seconds)
        nanoseconds = try container.decode(UInt32.self, forKey: .nanoseconds)
        guard nanoseconds < 1_000_000_000 else {
            throw DecodingError.dataCorruptedError(
                forKey: .nanoseconds,
                in: container,
                debugDescription: "\(nanoseconds) nanoseconds are a second or more."
            )
        }
    }
}

extension MessagePackTimestamp {
    /// The shortest payload that holds a timestamp.
    enum Payload {
        /// 32 bits.
        case seconds(UInt32)
        /// 30 bits of nanoseconds, then 34 of seconds.
        case both(UInt64)
        /// 32 and 64 bits.
        case long(nanoseconds: UInt32, seconds: Int64)
    }

    var payload: Payload {
        if let short = UInt32(exactly: seconds), nanoseconds == 0 { return .seconds(short) }
        guard 0...0x3_FFFF_FFFF ~= seconds else {
            return .long(nanoseconds: nanoseconds, seconds: seconds)
        }
        return .both(UInt64(nanoseconds) << 34 | UInt64(seconds))
    }

    /// Reads the payload of an extension of type -1; nil if it is invalid.
    ///
    /// It is valid if it has 4, 8 or 12 bytes, and less than a second of nanoseconds.
    ///
    /// - Parameters:
    ///   - payload: Its positions.
    ///   - bytes: The bytes that contain it.
    init?(_ payload: Range<Int>, in bytes: [UInt8]) {
        let start = payload.lowerBound
        switch payload.count {
        case 4:
            self.init(seconds: Int64(bytes.bigEndian(UInt32.self, at: start)), nanoseconds: 0)
        case 8:
            let both = bytes.bigEndian(UInt64.self, at: start)
            self.init(
                seconds: Int64(both & 0x3_FFFF_FFFF),
                nanoseconds: UInt32(truncatingIfNeeded: both >> 34)
            )
        case 12:
            self.init(
                seconds: bytes.bigEndian(Int64.self, at: start + 4),
                nanoseconds: bytes.bigEndian(UInt32.self, at: start)
            )
        default:
            return nil
        }
    }
}
