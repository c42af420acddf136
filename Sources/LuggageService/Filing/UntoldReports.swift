internal import LuggageTags

/// What came of a picture that was filed before, and is moved only now.
struct EarlierReports {
    let reports: [ScanReport]
    /// Whether the record alone knows it, so that an earlier service may have told of it.
    let isFromRecord: Bool
}

/// What came of pictures that are on record and could not be moved yet, until they are.
///
/// Nobody was told of them so far. Filed again, a picture is known, and says no more what came of it.
struct UntoldReports {
    /// As many pictures as are remembered; the record can tell of the others.
    static let limit = 1000

    private struct Key: Hashable {
        let digest: String
        let station: String
        let point: Point
        let fileNumber: UInt64
        let modifiedAt: Double

        init?(_ picture: DroppedPicture) {
            guard let digest = picture.scan.digest else { return nil }
            self.digest = digest
            station = picture.scan.station
            point = picture.scan.point
            fileNumber = picture.fileNumber
            modifiedAt = picture.modifiedAt
        }
    }

    private var reports: [Key: EarlierReports] = [:]
    /// From the longest remembered to the latest.
    private var order: [Key] = []
    /// Whether there were more than are remembered.
    private(set) var hasForgotten = false

    /// Remembers what came of a picture.
    mutating func keep(_ new: EarlierReports, of picture: DroppedPicture) {
        guard !new.reports.isEmpty, let key = Key(picture) else { return }
        if reports.updateValue(new, forKey: key) == nil { order.append(key) }
        // Pictures may be taken away and never come again.
        if order.count > Self.limit {
            reports[order.removeFirst()] = nil
            hasForgotten = true
        }
    }

    /// What came of a picture, which is forgotten with that; nil where it is not remembered.
    mutating func take(_ picture: DroppedPicture) -> EarlierReports? {
        guard let key = Key(picture), let found = reports.removeValue(forKey: key) else {
            return nil
        }
        order.removeAll { $0 == key }
        return found
    }
}
