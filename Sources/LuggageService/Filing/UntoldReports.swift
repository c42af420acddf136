internal import LuggageTags

/// The results of a picture that was filed before, and is only now moved.
struct EarlierReports {
    let reports: [ScanReport]
    /// Whether only the record knows them, so that an earlier service may have reported them.
    let isFromRecord: Bool
}

/// The results of pictures that are on record and could not be moved yet, until they are moved.
///
/// They have not been reported so far. If such a picture is filed again, the record knows it and does not
/// return its results again.
struct UntoldReports {
    /// The most pictures that are remembered; the record has the results of the others.
    static let limit = 1000

    private struct Key: Hashable {
        let digest: String
        let station: String
        let point: Point
        let fileNumber: UInt64
        let modifiedAt: Double

        init?(_ picture: ReadPicture) {
            guard let digest = picture.digest, let file = picture.file else { return nil }
            self.digest = digest
            station = picture.station
            point = picture.point
            fileNumber = file.number
            modifiedAt = file.modifiedAt
        }
    }

    private var reports: [Key: EarlierReports] = [:]
    /// From the one remembered longest to the latest.
    private var order: [Key] = []
    /// Whether there were more than are remembered.
    private(set) var hasForgotten = false

    /// Remembers the results of a picture.
    mutating func keep(_ new: EarlierReports, of picture: ReadPicture) {
        guard !new.reports.isEmpty, let key = Key(picture) else { return }
        if reports.updateValue(new, forKey: key) == nil { order.append(key) }
        // Someone may take pictures away for good.
        if order.count > Self.limit {
            reports[order.removeFirst()] = nil
            hasForgotten = true
        }
    }

    /// Returns the results of a picture and forgets them; nil if they are not remembered.
    mutating func take(_ picture: ReadPicture) -> EarlierReports? {
        guard let key = Key(picture), let found = reports.removeValue(forKey: key) else {
            return nil
        }
        order.removeAll { $0 == key }
        return found
    }
}
