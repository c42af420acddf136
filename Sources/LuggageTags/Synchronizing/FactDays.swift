internal import FoundationEssentials
package import ObjectStore
internal import SystemSupport

/// Sums up the facts of a record by station and day, so that two sides can tell where they differ.
package struct FactDays {
    /// A day at a station.
    package struct Day: Codable, Hashable, Comparable, Sendable {
        /// The name of the station, in composed form; empty for facts without one.
        package var station: String
        /// The day in UTC: `2026-07-01`.
        package var date: String

        /// Names a day.
        package init(station: String, date: String) {
            self.station = station
            self.date = date
        }

        package static func < (first: Self, second: Self) -> Bool {
            (first.date, first.station) < (second.date, second.station)
        }
    }

    /// The sum of the facts of a day.
    package struct Digest: Codable, Hashable, Sendable {
        /// How many facts there are.
        package var count: Int
        /// The bits in which their identifiers differ (XOR of all), as 32 hexadecimal digits.
        package var bits: String

        /// Sums up facts.
        package init(count: Int, bits: String) {
            self.count = count
            self.bits = bits
        }
    }

    private let context: ManagedObjectContext

    /// Prepares to sum up.
    ///
    /// - Parameter context: The context of one state of a record: of `PersistentContainer.read(_:)`.
    package init(_ context: ManagedObjectContext) {
        self.context = context
    }

    /// The sums of all days with facts that other records may hear.
    ///
    /// - Returns: The sums.
    /// - Throws: `StoreError`.
    package func digests() throws -> [Day: Digest] {
        var sums: [Day: Sum] = [:]
        try forEachFact { day, fact, _ in sums[day, default: Sum()].add(fact) }
        return sums.mapValues(\.digest)
    }

    /// Gives the facts of some days, page by page.
    ///
    /// - Parameters:
    ///   - days: The days.
    ///   - body: Takes a page, which is never empty.
    /// - Throws: `StoreError`, or what `body` throws.
    package func facts(of days: Set<Day>, body: ([OutgoingFact]) throws -> Void) throws {
        if days.isEmpty { return }
        var ids: [ObjectID] = []
        try forEachFact { day, _, id in if days.contains(day) { ids.append(id) } }
        for page in ids.pages(of: 500) {
            let facts = try context.outgoingFacts(page)
            context.reset()
            if !facts.isEmpty { try body(facts) }
        }
    }

    /// Passes each fact that other records may hear to a closure.
    private func forEachFact(_ body: (Day, UUID, ObjectID) -> Void) throws {
        let model = context.model
        var days = DayNames()
        let (scan, station) = (model.property(\Scan.identifier), model.property(\Scan.station))
        let scannedAt = model.property(\Scan.scannedAt)
        try context.forEachBatch(
            ofSnapshots: FetchRequest(Scan.self),
            omitting: [\.payload, \.others, \.imageName, \.imageDigest]
        ) { rows in
            for row in rows {
                guard let fact = row[scan] else { continue }
                let age = OutgoingFact.Age(row[scannedAt], nil)
                body(days.day(of: age, row[station]), fact, row.id)
            }
        }
        let (fact, kind) = (model.property(\Correction.fact), model.property(\Correction.kind))
        let place = model.property(\Correction.station)
        let aged = AgedSnapshot.reader(model)
        try context.forEachBatch(
            ofSnapshots: FetchRequest(Correction.self),
            omitting: [\.others, \.reason, \.imageName, \.imageDigest]
        ) { rows in
            for row in rows where !Correction.Kind.local.contains(row[kind]) {
                guard let identifier = row[fact] else { continue }
                let age = aged(row).age
                let day = days.day(of: .init(age.time, age.known), row[place] ?? "")
                body(day, identifier, row.id)
            }
        }
    }
}

/// The sum of the facts of a day while it is made.
private struct Sum {
    private var count = 0
    private var bits: (UInt64, UInt64) = (0, 0)

    mutating func add(_ fact: UUID) {
        let (high, low) = fact.halves
        bits = (bits.0 ^ high, bits.1 ^ low)
        count += 1
    }

    var digest: FactDays.Digest {
        func text(_ half: UInt64) -> String {
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return .init(count: count, bits: text(bits.0) + text(bits.1))
    }
}

extension UUID {
    /// The first and the last eight bytes as numbers.
    fileprivate var halves: (UInt64, UInt64) {
        var copy = uuid
        return unsafe withUnsafeBytes(of: &copy) { bytes in
            unsafe (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

/// Names days, and remembers what it has named.
private struct DayNames {
    private var dates: [Int: String] = [:]
    private var stations: [String: String] = [:]

    mutating func day(of age: OutgoingFact.Age, _ station: String) -> FactDays.Day {
        let number = Int((age.at.timeIntervalSince1970 / 86_400).rounded(.down))
        let date = dates[number] ?? CalendarDay(number: number).description
        dates[number] = date
        let composed = stations[station] ?? station.composed
        stations[station] = composed
        return .init(station: composed, date: date)
    }
}

/// A correction in a snapshot, as far as its age needs it.
private struct AgedSnapshot: DatedCorrection {
    let kind: Correction.Kind
    let madeAt: Date
    let knownAt: Date?
    let departedAt: Date?
    let arrivedAt: Date?

    static func reader(_ model: ManagedObjectModel) -> (Snapshot) -> Self {
        let (kind, madeAt) = (model.property(\Correction.kind), model.property(\Correction.madeAt))
        let knownAt = model.property(\Correction.knownAt)
        let departedAt = model.property(\Correction.departedAt)
        let arrivedAt = model.property(\Correction.arrivedAt)
        return { row in
            Self(
                kind: row[kind],
                madeAt: row[madeAt],
                knownAt: row[knownAt],
                departedAt: row[departedAt],
                arrivedAt: row[arrivedAt]
            )
        }
    }
}
