internal import Foundation
internal import ObjectStore

/// Records that are merged with what is on record by one save, and what they meet there.
struct RecordBatch {
    /// A record that was decoded and checked.
    struct Entry {
        let place: RecordPlace
        let record: ExchangeRecord
        /// What the payload of a scan says.
        var contents: TagContents?
    }

    /// How many records are merged at a time.
    static let size = 250

    var entries: [Entry] = []

    /// The identifiers of all bags that are named.
    var bagIDs: Set<UUID> {
        Set(
            entries.compactMap { entry in
                switch entry.record {
                case .bag(let bag): bag.identifier
                case .scan(let scan): scan.bag
                case .passenger, .about, .end: nil
                }
            }
        )
    }

    /// The names of all passengers who are named.
    var passengerNames: Set<PassengerName> {
        Set(
            entries.compactMap { entry in
                switch entry.record {
                case .bag(let bag): bag.owner
                case .scan: entry.contents?.owner
                case .passenger(let name): name
                case .about, .end: nil
                }
            }
        )
    }

    /// The scans.
    var scans: [ScanRecord] {
        entries.compactMap { entry in
            if case .scan(let scan) = entry.record { scan } else { nil }
        }
    }
}

/// What a batch meets on record, fetched before anything is changed.
struct RecordsMet {
    var bags: [UUID: Luggage] = [:]
    var passengers: [PassengerName: Passenger] = [:]
    var scans: [ScanRecord.Key: [Scan]] = [:]
    /// How many scans without a digest are equal to a record.
    var copies: [ScanRecord: Int] = [:]

    init(_ batch: RecordBatch, in context: ManagedObjectContext) throws {
        let ids = Array(batch.bagIDs)
        let bags = try context.fetch(
            FetchRequest(Luggage.self, predicate: #Predicate { ids.contains($0.identifier) })
        )
        self.bags = Dictionary(bags.map { ($0.identifier, $0) }) { first, _ in first }
        for name in batch.passengerNames {
            let request = FetchRequest(Passenger.self)
                .where(\.familyName, is: name.familyName)
                .where(\.givenName, is: name.givenName)
            passengers[name] = try context.fetch(request).first
        }
        for scan in batch.scans {
            let request = FetchRequest(Scan.self)
                .where(\.imageDigest, is: scan.imageDigest)
                .where(\.station, is: scan.station)
                .where(\.point, is: scan.point)
                .where(\.reason, is: scan.reason)
            if scan.imageDigest != nil {
                let filings = try context.fetch(request)
                let purged = PurgedPayload.of(Array(scan.payload), outcome: scan.outcome)
                scans[scan.key] = filings.filter {
                    $0.payload == scan.payload || PurgedPayload.isPurged($0.payload, to: purged)
                }
            } else {
                let equal = try context.fetch(
                    request.where(\.payload, is: scan.payload)
                        .where(\.role, is: scan.role)
                        .where(\.scannedAt, is: scan.scannedAt)
                        .where(\.imageName, is: scan.imageName)
                        .where(\.outcome, is: scan.outcome)
                )
                copies[scan.single] = equal.count { $0.luggage?.identifier == scan.bag }
            }
        }
    }

    /// The scans by which the same tag of the same picture was filed, at the same place.
    func filings(of scan: ScanRecord) -> [Scan] { scans[scan.key] ?? [] }
}

extension ScanRecord {
    /// The same without its number among equal ones.
    var single: ScanRecord {
        var scan = self
        scan.copy = 1
        return scan
    }
}
