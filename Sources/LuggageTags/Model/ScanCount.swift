internal import FoundationEssentials
public import ObjectStore

/// The number of purged scans in a quarter of an hour, at one station and point, with one outcome.
///
/// It tells nothing about any bag or person, so it stays when they are purged. Every time zone of today
/// is ahead of UTC or behind it by quarters of an hour, so a report can count the days of each zone.
public final class ScanCount: ManagedObject {
    /// When the quarter of an hour begins in UTC, as `2026-07-01T09:15`.
    ///
    /// Older versions of the program counted whole days: `2026-07-01`.
    @Attribute public var time: String

    /// The name of the station.
    @Attribute public var station: String

    /// The point at which the bags were.
    @Attribute public var point: Point

    /// The outcome of the scans.
    @Attribute public var outcome: Outcome

    /// The number of scans.
    @Attribute public var scans: Int

    /// How many of the scans were of typed tags.
    @Attribute public var typed = 0

    /// The length of the interval counted together, in seconds.
    private static let quarter: TimeInterval = 900

    /// The quarter of an hour that contains a moment.
    static func time(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let beginning = Date(timeIntervalSince1970: (seconds / quarter).rounded(.down) * quarter)
        return String(beginning.reportText.dropLast(":00.000Z".count))
    }

    /// The counts whose scans were all in a period.
    static func request(in period: Period) -> FetchRequest<ScanCount> {
        var request = FetchRequest(ScanCount.self)
        // A text for a whole day sorts before its quarters; the day begins with the first of them.
        if let since = period.since {
            let first = time(of: since + (quarter - 1e-6))
            request = request.where(
                \.time,
                isAtLeast: first.hasSuffix("T00:00") ? day(of: first) : first
            )
        }
        if let until = period.until {
            let end = time(of: until)
            request = request.where(\.time, isLessThan: end)
                .whereEither(
                    { $0.where(\.time, isLessThan: day(of: end)) },
                    { $0.where(\.time, isGreaterThan: day(of: end)) }
                )
        }
        return request
    }

    private static func day(of time: String) -> String {
        String(time.prefix { $0 != "T" })
    }

    /// The entity in the model.
    static let entity = EntityDescription(
        ScanCount.self,
        name: "ScanCount",
        properties: [
            .attribute(\.time, named: "day"),
            .attribute(\.scans, .minimum(0)),
            .attribute(\.typed, .minimum(0)),
        ],
        uniquenessConstraints: [[\.time, \.station, \.point, \.outcome]]
    )
}
