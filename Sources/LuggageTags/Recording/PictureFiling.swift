internal import FoundationEssentials
internal import ObjectStore
internal import TagReading

/// A transaction that files pictures, and the values that all of them share.
struct FilingTurn {
    let context: ManagedObjectContext
    /// When new facts become known here; no fact on record became known later.
    let knownAt: Date
    let deriving: BagDeriving

    init(_ context: ManagedObjectContext, at now: Date) throws {
        self.context = context
        knownAt = try context.nextFactTime(now)
        deriving = try BagDeriving(filingIn: context)
    }
}

/// Files one picture in a transaction.
struct PictureFiling {
    let picture: ReadPicture
    let bounds: TagBounds
    let author: String?
    let context: ManagedObjectContext
    /// When the facts from the picture become known here.
    let knownAt: Date
    let deriving: BagDeriving

    func reports() throws -> [ScanReport] {
        if let fault = picture.fault { return [try report(fault)] }
        switch picture.reading {
        case .failure(let error) where error.isInconclusive:
            // Nothing was learnt about the picture, so nothing is kept.
            return [ScanReport(TagError(error), picture)]
        case .failure(let error):
            return [try keepFailure(TagError(error))]
        case .success(let reading):
            let tags = Tag.tags(in: reading, at: picture.date)
            if tags.isEmpty { return [try keepFailure(.noCode(in: reading))] }
            let filed = try filedBefore()
            return try tags.map { tag in
                // A rollback undoes what is not saved: if this tag fails, the tags before it must stay.
                // Nothing is committed before the transaction ends.
                try context.save()
                return try file(tag, filed)
            }
        }
    }

    /// Reports that no payload came from a hand scanner, and keeps that if there was one.
    private func report(_ fault: TagError) throws -> ScanReport {
        fault.code == .payloadTooLong ? try keepFailure(fault) : ScanReport(fault, picture)
    }

    private func file(_ tag: Tag, _ filed: [Scan]) throws -> ScanReport {
        if let scan = try earlierScan(of: tag, among: filed), let luggage = scan.luggage {
            let outcome = try refile(tag, scan, of: luggage)
            return ScanReport(outcome, luggage, picture, corners: tag.symbol.corners)
        }
        do {
            let (luggage, outcome) = try merge(tag, isNewPicture: filed.isEmpty)
            return ScanReport(outcome, luggage, picture, corners: tag.symbol.corners)
        } catch let error as TagError {
            context.rollback()
            return try keepFailure(error, of: tag)
        }
    }

    /// Files a sighting again if the picture is older than the filed scan says: the earliest time
    /// counts, in any order of filing.
    private func refile(_ tag: Tag, _ scan: Scan, of luggage: Luggage) throws -> Outcome {
        guard picture.digest != nil, picture.date < scan.scannedAt else { return .repeated }
        let before = BagDeriving.Before(luggage)
        try deriving.adopt(luggage, before)
        let filing = keepScan(tag, .updated, of: luggage)
        try deriving.derive(luggage, before)
        filing.outcome = before.outcome(luggage, after: nil)
        return filing.told
    }

    /// The scans that earlier filings of the same picture left at the same place.
    ///
    /// Empty if the picture has no digest: otherwise all scans without a digest would match.
    private func filedBefore() throws -> [Scan] {
        picture.digest == nil ? [] : try context.fetch(scansHere(reason: "").notUndone)
    }

    /// The scan that an earlier filing of the same tag of the same picture left at the same place.
    private func earlierScan(of tag: Tag, among filed: [Scan]) throws -> Scan? {
        let payload = Data(tag.symbol.payload)
        if picture.isReceived {
            // The outcome is the filed tag's, so that the rest that a purge leaves is known too.
            let rest = PurgedPayload.of(tag.symbol.payload, outcome: .repeated)
            return try sameReceived([payload, rest], reason: "").first { $0.undoneAt == nil }
        }
        guard picture.digest != nil else {
            let same = scansHere(reason: "").notUndone.where(\.payload, is: payload)
            return try context.fetch(same).first
        }
        let same = filed.filter { $0.payload == payload }
        if let scan = same.min(by: { $0.scannedAt < $1.scannedAt }) { return scan }
        return purgedScan(of: tag, among: filed, .repeated)
    }

    /// For how long, in seconds, the same payload at the same place is the same sighting.
    ///
    /// A hand that is not sure presses the trigger twice, and a scanner on a stand reads a tag as long as it
    /// sees it. Nobody brings a bag to the same place a second time so soon.
    private static var sameSighting: Double { 10 }

    /// The scans by hand scanners that are the same sighting as this one.
    ///
    /// The record decides, and no clock of a process: so it is the same after a restart, in another process,
    /// and for payloads that are filed again after an interruption.
    private func sameReceived(_ payloads: [Data], reason: String) throws -> [Scan] {
        let scans = try context.fetch(
            FetchRequest(Scan.self).where(\.station, is: picture.station)
                .where(\.point, is: picture.point)
                .where(\.scannedAt, isGreaterThan: picture.date - Self.sameSighting)
                .where(\.scannedAt, isLessThan: picture.date + Self.sameSighting)
                .where(\.imageName, is: Scan.scannerName)
                .where(\.reason, is: reason)
                .where(\.payload, isOneOf: payloads)
        )
        // Not in the request: the index of digests would find all scans without a picture.
        return scans.filter { $0.imageDigest == nil }
    }

    /// The scans of the same picture at the same place that have this error code.
    private func scansHere(reason: String) -> FetchRequest<Scan> {
        FetchRequest<Scan>.of(picture.digest, at: picture.station, picture.point)
            .where(\.reason, is: reason)
    }

    /// The scan of a tag from whose payload a purge has since removed the names.
    private func purgedScan(of tag: Tag, among scans: [Scan], _ outcome: Outcome) -> Scan? {
        if scans.isEmpty { return nil }
        let rest = PurgedPayload.of(tag.symbol.payload, outcome: outcome)
        return scans.first { PurgedPayload.isPurged($0.payload, to: rest) }
    }

    /// Files a tag, and merges its bag with the one on record.
    ///
    /// - Parameters:
    ///   - tag: The tag.
    ///   - isNewPicture: Whether no tag of the picture was filed here before.
    /// - Returns: The bag and the outcome.
    /// - Throws: ``TagError`` if the tag has an error, or `StoreError`.
    private func merge(_ tag: Tag, isNewPicture: Bool) throws -> (Luggage, Outcome) {
        let luggage = try tag.decode(bounds: bounds, in: context)
        let bags = FetchRequest(Luggage.self).where(\.identifier, is: luggage.identifier)
        if let known = try context.fetch(bags).first(where: { $0 != luggage }) {
            return (known, try update(known, by: luggage, of: tag, isNewPicture))
        }
        return (luggage, try insert(luggage, of: tag))
    }

    /// Keeps a bag that was not on record.
    private func insert(_ luggage: Luggage, of tag: Tag) throws -> Outcome {
        let isNew = try !deriving.adopt(luggage, nil)
        let scan = keepScan(tag, .new, of: luggage)
        if isNew {
            deriving.begin(luggage, with: scan)
        } else {
            try deriving.derive(luggage, nil)
        }
        try context.saveTag()
        return scan.told
    }

    /// Merges a decoded bag with the one on record, which it derives anew from all facts if necessary.
    private func update(
        _ known: Luggage,
        by luggage: Luggage,
        of tag: Tag,
        _ isNewPicture: Bool
    ) throws -> Outcome {
        let before = BagDeriving.Before(known)
        try deriving.adopt(known, before)
        let isOther = luggage.owner.map { $0.name != known.owner?.name } ?? false
        let contradicts =
            !before.isOfOther(at: picture.date)
            && (isOther && known.owner != nil || Weight.contradicts(luggage.weight, known.weight))
        let isSame =
            !isOther && known.owner?.hasKeptSpelling != false
            && (luggage.weight == nil || luggage.weight == known.weight)
        let (told, route) = (BagValues(luggage), luggage.route)
        if isSame, isNewPicture, route == nil, let next = before.next(by: picture) {
            // Merging the two objects gives the right state, so nothing is derived.
            luggage.see(picture.point, picture.role, picture.date)
            luggage.firstArrivedAt = next.firstArrival
            luggage.derivedUpTo = picture.date
            keepScan(tag, .updated, of: luggage)
            try context.saveTag()
            return .updated
        }
        // The derived state replaces the decoded one.
        if let owner = luggage.owner { try context.delete(owner) }
        try context.delete(luggage)
        let scan = keepScan(tag, .changed, of: known)
        if isNewPicture {
            try deriving.derive(known, with: scan, saying: told, to: route, before)
        } else {
            try deriving.derive(known, before)
        }
        if !contradicts { scan.outcome = before.outcome(known, after: scan) }
        try context.saveTag()
        return scan.told
    }

    private func keepFailure(_ error: TagError, of tag: Tag? = nil) throws -> ScanReport {
        let reason = error.code.description
        if try !isKept(tag, error.outcome, reason: reason) {
            keepScan(tag, error.outcome, reason: reason)
        }
        return ScanReport(error, picture, corners: tag?.symbol.corners ?? [])
    }

    /// Whether the failure of a picture or tag is on record, with or without the names in it.
    private func isKept(_ tag: Tag?, _ outcome: Outcome, reason: String) throws -> Bool {
        let payload = Data(tag?.symbol.payload ?? [])
        if picture.isReceived {
            return try !sameReceived([payload], reason: reason).isEmpty
        }
        guard picture.digest != nil else { return false }
        let scans = try context.fetch(scansHere(reason: reason))
        if scans.contains(where: { $0.payload == payload }) { return true }
        return tag.map { purgedScan(of: $0, among: scans, outcome) != nil } ?? false
    }

    /// Inserts a scan of a tag, or of a picture without tags, but does not save it yet.
    @discardableResult
    private func keepScan(
        _ tag: Tag?,
        _ outcome: Outcome,
        of luggage: Luggage? = nil,
        reason: String = ""
    ) -> Scan {
        let scan = Scan(context: context)
        scan.identifier = .fact(at: knownAt)
        scan.luggage = luggage
        scan.point = picture.point
        scan.role = picture.point.roleToKeep(picture.role)
        scan.station = picture.station
        scan.place = picture.place
        scan.author = author
        scan.scannedAt = picture.date
        scan.imageName = picture.fileName
        scan.imageDigest = picture.digest
        scan.payload = Data(tag?.symbol.payload ?? [])
        scan.outcome = outcome
        scan.reason = reason
        scan.filedAt = knownAt
        return scan
    }
}

extension BagDeriving.Before {
    /// The last journey after a picture that is later than all known sightings and adds a time to the
    /// journey; nil if it takes a time away.
    fileprivate func next(by picture: ReadPicture) -> LastJourney? {
        let sighting = Journey.Sighting(picture.point, picture.role, picture.date)
        guard last.journey.route == nil, let next = followed(by: sighting, to: nil) else {
            return nil
        }
        return next.journey.arrivedAt != nil || last.journey.arrivedAt == nil ? next : nil
    }

    /// The outcome of a scan that contradicts nothing.
    ///
    /// - Parameters:
    ///   - luggage: The bag.
    ///   - scan: The scan if it is new; a scan of a bag under way always adds to the journey.
    /// - Returns: The outcome.
    func outcome(_ luggage: Luggage, after scan: Scan?) -> Outcome {
        if let scan, scan.point.role(told: scan.role) == .underWay { return .updated }
        let isSame =
            owner == luggage.owner?.objectID && (weight == nil) == (luggage.weight == nil)
            && last.journey == luggage.last.journey
        return isSame ? .repeated : .updated
    }
}
