internal import Foundation
internal import ObjectStore

/// Counts scans that are taken away.
struct ScanCounting {
    private struct Key: Hashable {
        let day: String
        let station: String
        let point: Point
        let outcome: Outcome
    }

    private var numbers: [Key: Int] = [:]

    /// Counts a scan.
    mutating func count(_ scan: Scan) {
        let day = ScanCount.day(of: scan.scannedAt)
        let key = Key(day: day, station: scan.station, point: scan.point, outcome: scan.outcome)
        numbers[key, default: 0] += 1
    }

    /// Adds the numbers to those on record.
    func save(in context: ManagedObjectContext) throws {
        for (key, number) in numbers {
            let request = FetchRequest(ScanCount.self)
                .where(\.day, is: key.day)
                .where(\.station, is: key.station)
                .where(\.point, is: key.point)
                .where(\.outcome, is: key.outcome)
            let count: ScanCount
            if let known = try context.fetch(request).first {
                count = known
                count.scans += number
            } else {
                count = ScanCount(context: context)
                count.day = key.day
                count.station = key.station
                count.point = key.point
                count.outcome = key.outcome
                count.scans = number
            }
        }
        try context.save()
    }
}
