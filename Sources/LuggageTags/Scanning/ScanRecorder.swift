public import Foundation
public import ObjectStore
internal import TagReading

/// Files what was read from pictures: bags, owners, and a scan for each tag, failures included.
///
/// Everything that one picture gives becomes durable together. Filing a picture again at the same
/// station and point changes nothing and is reported as repeated, so after an interruption
/// everything may be filed anew.
public struct ScanRecorder: Sendable {
    let container: PersistentContainer
    let bounds: TagBounds
    let author: String?
    let now: @Sendable () -> Date

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - container: Where to file, with the model of ``LuggageModel``.
    ///   - bounds: What can be true of bags here.
    ///   - author: Who files, and may take back the last of it without naming it; nil where nobody does, as
    ///     where a folder is watched.
    ///   - now: Gives the present moment, which no scan can be later than.
    public init(
        container: PersistentContainer,
        bounds: TagBounds = .none,
        author: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.container = container
        self.bounds = bounds
        self.author = author
        self.now = now
    }

    /// Files one picture.
    ///
    /// - Parameter picture: What was read, where and when. The present is taken in place of a time to
    ///   come, and of one before the bounds, which the reports tell.
    /// - Returns: What came of each tag, from top to bottom; never empty.
    /// - Throws: `StoreError`; nothing of the picture is filed then.
    public func record(_ picture: PictureScan) throws -> [ScanReport] {
        try record([picture])[0]
    }

    /// Files pictures, all in one transaction, so that one write to the disk serves them all.
    ///
    /// Each picture is filed as if it were the only one.
    ///
    /// - Parameter pictures: What was read, where and when.
    /// - Returns: For each picture, what came of each of its tags.
    /// - Throws: `StoreError`; nothing of any of them is filed then.
    public func record(_ pictures: [PictureScan]) throws -> [[ScanReport]] {
        try together(pictures) { try record($0, $1) }
    }

    /// Files pictures in one transaction.
    ///
    /// - Parameters:
    ///   - pictures: The pictures.
    ///   - file: Files one, given what it does not have to ask.
    /// - Returns: What came of each.
    /// - Throws: What `file` throws, or `StoreError`.
    func together<Picture, Outcome>(
        _ pictures: [Picture],
        _ file: (Picture, FilingTurn) throws -> Outcome
    ) throws -> [Outcome] {
        try container.transaction { context in
            let turn = try FilingTurn(context, at: now())
            return try pictures.map { picture in
                // What one picture has read and saved is of no use to the next.
                defer { context.reset() }
                return try file(picture, turn)
            }
        }
    }

    /// Files one picture in a transaction that has begun.
    func record(
        _ picture: PictureScan,
        _ turn: FilingTurn
    ) throws -> [ScanReport] {
        let reports = try prepare(picture, turn)
        try turn.context.save()
        return reports
    }

    /// Files one picture, but for saving what came of its last tag.
    func prepare(
        _ picture: PictureScan,
        _ turn: FilingTurn
    ) throws -> [ScanReport] {
        var picture = picture
        let now = now()
        if picture.date < bounds.earliest {
            picture.implausibleDate = picture.date
            picture.date = now
        }
        picture.date = min(picture.date, now).ofFacts
        turn.context.author = picture.station
        return try PictureFiling(
            picture: picture,
            bounds: bounds,
            author: author,
            context: turn.context,
            knownAt: max(turn.knownAt, now.ofFacts),
            deriving: turn.deriving
        ).reports()
    }
}

/// A transaction in which pictures are filed, and what is the same for all of them.
struct FilingTurn {
    let context: ManagedObjectContext
    /// Nothing on record became known later.
    let knownAt: Date
    let deriving: BagDeriving

    init(_ context: ManagedObjectContext, at now: Date) throws {
        self.context = context
        knownAt = try context.nextFactTime(now)
        deriving = try BagDeriving(filingIn: context)
    }
}

/// The filing of one picture, in its transaction.
private struct PictureFiling {
    let picture: PictureScan
    let bounds: TagBounds
    let author: String?
    let context: ManagedObjectContext
    /// When what it says becomes known here.
    let knownAt: Date
    let deriving: BagDeriving

    func reports() throws -> [ScanReport] {
        switch picture.reading {
        case .failure(let error) where error.isBeforeReading:
            // Nothing was learnt about the picture, so there is nothing to keep.
            return [ScanReport(TagError(error), picture)]
        case .failure(let error):
            return [try keepFailure(TagError(error))]
        case .success(let reading):
            let tags = Tag.tags(in: reading)
            if tags.isEmpty { return [try keepFailure(.noCode)] }
            let filed = try filedBefore()
            return try tags.map { tag in
                // What fails with one tag takes nothing of those before it along.
                try context.save()
                return try file(tag, filed)
            }
        }
    }

    private func file(_ tag: Tag, _ filed: [Scan]) throws -> ScanReport {
        if let scan = try earlierScan(of: tag, among: filed), let luggage = scan.luggage {
            let outcome = try refile(tag, scan, of: luggage)
            return ScanReport(outcome, luggage, picture, corners: tag.symbol.corners)
        }
        do {
            let (luggage, outcome) = try merge(tag, isFirst: filed.isEmpty)
            return ScanReport(outcome, luggage, picture, corners: tag.symbol.corners)
        } catch let error as TagError {
            context.rollback()
            return try keepFailure(error, of: tag)
        }
    }

    /// Files a sighting once more, where the picture is older than was said before: the earliest time
    /// counts, whichever was filed first.
    private func refile(_ tag: Tag, _ scan: Scan, of luggage: Luggage) throws -> Outcome {
        guard picture.digest != nil, picture.date < scan.scannedAt else { return .repeated }
        let before = BagDeriving.Before(luggage)
        try deriving.adopt(luggage, before)
        let filing = keepScan(tag, .updated, of: luggage)
        try deriving.derive(luggage, before)
        filing.outcome = before.outcome(luggage, after: nil)
        return filing.outcome
    }

    /// The scans by which tags of the same picture were filed before, at the same place.
    ///
    /// Nothing where the picture has no digest: all those without would be meant.
    private func filedBefore() throws -> [Scan] {
        picture.digest == nil ? [] : try context.fetch(scansHere(reason: "").notUndone)
    }

    /// The scan by which the same tag of the same picture was filed before, at the same place.
    private func earlierScan(of tag: Tag, among filed: [Scan]) throws -> Scan? {
        let payload = Data(tag.symbol.payload)
        guard picture.digest != nil else {
            let same = scansHere(reason: "").notUndone.where(\.payload, is: payload)
            return try context.fetch(same).first
        }
        let same = filed.filter { $0.payload == payload }
        if let scan = same.min(by: { $0.scannedAt < $1.scannedAt }) { return scan }
        return purgedScan(of: tag, among: filed, .repeated)
    }

    /// The scans of the same picture at the same place, with what was wrong.
    private func scansHere(reason: String) -> FetchRequest<Scan> {
        FetchRequest(Scan.self)
            .where(\.imageDigest, is: picture.digest)
            .where(\.station, is: picture.station)
            .where(\.point, is: picture.point)
            .where(\.reason, is: reason)
    }

    /// The scan of a tag from which names were taken away since.
    private func purgedScan(of tag: Tag, among scans: [Scan], _ outcome: Outcome) -> Scan? {
        if scans.isEmpty { return nil }
        let rest = PurgedPayload.of(tag.symbol.payload, outcome: outcome)
        return scans.first { PurgedPayload.isPurged($0.payload, to: rest) }
    }

    /// Merges the bag with the one on record, and lets all facts about it have the last word.
    ///
    /// - Parameters:
    ///   - tag: The tag.
    ///   - isFirst: Whether no other tag of the picture was filed before: it may be of the same bag.
    /// - Returns: The bag and what came of it.
    /// - Throws: ``TagError`` where something is wrong with the tag, or `StoreError`.
    private func merge(_ tag: Tag, isFirst: Bool) throws -> (Luggage, Outcome) {
        let luggage = try tag.decode(
            as: picture.point.role(told: picture.role),
            date: picture.date,
            bounds: bounds,
            in: context
        )
        let bags = FetchRequest(Luggage.self).where(\.identifier, is: luggage.identifier)
        guard let known = try context.fetch(bags).first(where: { $0 != luggage }) else {
            let isNew = try !deriving.adopt(luggage, nil)
            let scan = keepScan(tag, .new, of: luggage)
            if isNew {
                luggage.firstArrivedAt = luggage.arrivedAt
                luggage.derivedUpTo = scan.scannedAt
            } else {
                try deriving.derive(luggage, nil)
            }
            try context.saveTyped()
            return (luggage, .new)
        }
        let before = BagDeriving.Before(known)
        try deriving.adopt(known, before)
        let isOther = luggage.owner.map { $0.name != known.owner?.name } ?? false
        let contradicts =
            isOther && known.owner != nil || Weight.contradicts(luggage.weight, known.weight)
        let isSame =
            !isOther && known.owner?.hasKeptSpelling != false
            && (luggage.weight == nil || luggage.weight == known.weight)
        let told = BagValues(luggage)
        if isSame, isFirst, let next = before.next(by: picture) {
            // Merging says it all.
            luggage.firstArrivedAt = next.firstArrival
            luggage.derivedUpTo = picture.date
            keepScan(tag, .updated, of: luggage)
            try context.saveTyped()
            return (luggage, .updated)
        }
        // What was decoded gives way to what is derived.
        if let owner = luggage.owner { try context.delete(owner) }
        try context.delete(luggage)
        let scan = keepScan(tag, .changed, of: known)
        if isFirst {
            try deriving.derive(known, with: scan, saying: told, before)
        } else {
            try deriving.derive(known, before)
        }
        if !contradicts { scan.outcome = before.outcome(known, after: scan) }
        try context.saveTyped()
        return (known, scan.outcome)
    }

    private func keepFailure(_ error: TagError, of tag: Tag? = nil) throws -> ScanReport {
        let reason = error.code.description
        if try !isKept(tag, error.outcome, reason: reason) {
            keepScan(tag, error.outcome, reason: reason)
        }
        return ScanReport(error, picture, corners: tag?.symbol.corners ?? [])
    }

    /// Whether the failure of a picture or tag is on record, be it without the names in it.
    private func isKept(_ tag: Tag?, _ outcome: Outcome, reason: String) throws -> Bool {
        guard picture.digest != nil else { return false }
        let scans = try context.fetch(scansHere(reason: reason))
        let payload = Data(tag?.symbol.payload ?? [])
        if scans.contains(where: { $0.payload == payload }) { return true }
        return tag.map { purgedScan(of: $0, among: scans, outcome) != nil } ?? false
    }

    /// Keeps, without saving it yet, that a tag was read, or that a picture gave none.
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
    /// The last journey by a picture that comes after all that is known, and adds a time to it; nil where
    /// it takes one away.
    fileprivate func next(by picture: PictureScan) -> LastJourney? {
        let next = followed(by: Journey.Sighting(picture.point, picture.role, picture.date))
        guard let next else { return nil }
        return next.journey.arrivedAt != nil || last.journey.arrivedAt == nil ? next : nil
    }

    /// What has become of the bag by a scan that contradicts nothing.
    ///
    /// - Parameters:
    ///   - luggage: The bag.
    ///   - scan: The scan, where it is new: it tells more of the journey wherever it is of one under way.
    /// - Returns: What came of it.
    func outcome(_ luggage: Luggage, after scan: Scan?) -> Outcome {
        if let scan, scan.point.role(told: scan.role) == .underWay { return .updated }
        let isSame =
            owner == luggage.owner?.objectID && (weight == nil) == (luggage.weight == nil)
            && last.journey == Journey(departedAt: luggage.departedAt, arrivedAt: luggage.arrivedAt)
        return isSame ? .repeated : .updated
    }
}

extension FetchRequest<Scan> {
    /// Those that nobody has taken back.
    fileprivate var notUndone: FetchRequest<Scan> { self.where(\.undoneAt, isMissing: true) }
}
