internal import ObjectStore

/// Counts scans that a purge deletes.
struct ScanCounting {
    private struct Key: Hashable {
        let time: String
        let station: String
        let point: Point
        let outcome: Outcome
    }

    private var numbers: [Key: (scans: Int, typed: Int)] = [:]

    mutating func count(_ scan: Scan) {
        let time = ScanCount.time(of: scan.scannedAt)
        let key = Key(time: time, station: scan.station, point: scan.point, outcome: scan.outcome)
        numbers[key, default: (0, 0)].scans += 1
        if scan.isTyped { numbers[key]?.typed += 1 }
    }

    /// Adds the numbers to the counts on record.
    func save(in context: ManagedObjectContext) throws {
        let times = Set(numbers.keys.map(\.time))
        let known = try context.fetch(FetchRequest(ScanCount.self).where(\.time, isOneOf: times))
        let counts = Dictionary(
            known.map {
                (Key(time: $0.time, station: $0.station, point: $0.point, outcome: $0.outcome), $0)
            },
            uniquingKeysWith: { first, _ in first }
        )
        for (key, number) in numbers {
            let count: ScanCount
            if let known = counts[key] {
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
