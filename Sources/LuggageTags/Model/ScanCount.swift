internal import Foundation
public import ObjectStore

/// How many scans there were that are not kept one by one any more, of a day, station, point and outcome.
///
/// It tells nothing about any bag or person, and stays when they are purged.
public final class ScanCount: ManagedObject {
    /// The day in UTC, as `2026-07-01`.
    @Attribute public var day: String

    /// The name of the station.
    @Attribute public var station: String

    /// Where on their way the bags were.
    @Attribute public var point: Point

    /// What came of the scans.
    @Attribute public var outcome: Outcome

    /// The number of scans.
    @Attribute public var scans: Int

    /// The day in UTC of a moment.
    static func day(of date: Date) -> String {
        String(date.reportText.prefix(while: { $0 != "T" }))
    }

    /// The first day in UTC that begins at a moment or later.
    static func firstDay(from date: Date) -> String {
        day(of: date + (86_400 - 1e-6))
    }

    /// The entity in the model.
    static let entity = EntityDescription(
        ScanCount.self,
        name: "ScanCount",
        properties: [
            .attribute(\.day, "day"),
            .attribute(\.station, "station"),
            .attribute(\.point, "point"),
            .attribute(\.outcome, "outcome"),
            .attribute(\.scans, "scans", .minimum(0)),
        ],
        uniquenessConstraints: [[\.day, \.station, \.point, \.outcome]]
    )
}
