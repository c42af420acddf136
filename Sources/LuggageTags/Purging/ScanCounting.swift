internal import Foundation
internal import ObjectStore

/// Counts scans that are taken away.
struct ScanCounting {
    private struct Key: Hashable {
        let time: String
        let station: String
        let point: Point
        let outcome: Outcome
    }

    private var numbers: [Key: (scans: Int, typed: Int)] = [:]

    /// Counts a scan.
    mutating func count(_ scan: Scan) {
        let time = ScanCount.time(of: scan.scannedAt)
        let key = Key(time: time, station: scan.station, point: scan.point, outcome: scan.outcome)
        numbers[key, default: (0, 0)].scans += 1
        if scan.isTyped { numbers[key]?.typed += 1 }
    }

    /// Adds the numbers to those on record.
    func save(in context: ManagedObjectContext) throws {
        for (key, number) in numbers {
            let request = FetchRequest(ScanCount.self)
                .where(\.time, is: key.time)
                .where(\.station, is: key.station)
                .where(\.point, is: key.point)
                .where(\.outcome, is: key.outcome)
            let count: ScanCount
            if let known = try context.fetch(request).first {
                count = known
                count.scans += number.scans
                count.typed += number.typed
            } else {
                count = ScanCount(context: context)
                count.time = key.time
                count.station = key.station
                count.point = key.point
                count.outcome = key.outcome
                count.scans = number.scans
                count.typed = number.typed
            }
        }
        try context.save()
    }
}
