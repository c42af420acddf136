internal import Foundation
public import ObjectStore
internal import TagReading

/// Files what was read from pictures: bags, owners, and a scan for each tag, failures included.
///
/// Everything that one picture gives becomes durable together. Filing a picture again changes
/// nothing and is reported as repeated, so after an interruption everything may be filed anew.
public struct ScanRecorder: Sendable {
    private let container: PersistentContainer

    /// Makes a recorder.
    ///
    /// - Parameter container: Where to file, with the model of ``LuggageModel``.
    public init(container: PersistentContainer) {
        self.container = container
    }

    /// Files one picture.
    ///
    /// - Parameter picture: What was read, where and when.
    /// - Returns: What came of each tag, from top to bottom; never empty.
    /// - Throws: `StoreError`; nothing of the picture is filed then.
    public func record(_ picture: PictureScan) throws -> [ScanReport] {
        try container.transaction { context in try record(picture, in: context) }
    }

    /// Tells what filing pictures would come to, and files nothing.
    ///
    /// - Parameter pictures: What was read, in the order in which it would be filed.
    /// - Returns: What would come of each tag of each picture.
    /// - Throws: `StoreError`.
    public func rehearse(_ pictures: [PictureScan]) throws -> [[ScanReport]] {
        struct Rehearsed: Error { let reports: [[ScanReport]] }
        do {
            return try container.transaction { context in
                // Throwing is what undoes the transaction.
                throw Rehearsed(reports: try pictures.map { try record($0, in: context) })
            }
        } catch let rehearsed as Rehearsed {
            return rehearsed.reports
        }
    }

    private func record(
        _ picture: PictureScan,
        in context: ManagedObjectContext
    ) throws -> [ScanReport] {
        switch picture.reading {
        case .failure(let error) where !error.isPermanent:
            // The picture is not at fault and can be tried again, so there is nothing to keep.
            return [ScanReport(TagError(error), picture)]
        case .failure(let error):
            return [try record(TagError(error), of: picture, in: context)]
        case .success(let reading):
            let tags = Tag.tags(in: reading)
            if tags.isEmpty { return [try record(.noCode, of: picture, in: context)] }
            return try tags.map { try record($0, of: picture, in: context) }
        }
    }

    private func record(
        _ error: TagError,
        of picture: PictureScan,
        in context: ManagedObjectContext
    ) throws -> ScanReport {
        try keepScan(of: picture, payload: Data(), error.outcome, reason: error.reason, in: context)
        return ScanReport(error, picture)
    }

    private func record(
        _ tag: Tag,
        of picture: PictureScan,
        in context: ManagedObjectContext
    ) throws -> ScanReport {
        let payload = Data(tag.symbol.payload)
        if let scan = try earlierScan(of: picture, payload: payload, in: context),
            let luggage = scan.luggage
        {
            return ScanReport(.repeated, luggage, picture, corners: tag.symbol.corners)
        }
        let result: Result<Luggage, TagError> = Result { () throws(TagError) in
            try tag.decode(at: picture.point, date: picture.date, in: context)
        }
        let error: TagError
        do {
            let luggage = try result.get()
            let outcome = try merge(luggage, picture, in: context)
            try keepScan(of: picture, payload: payload, outcome, luggage, in: context)
            return ScanReport(outcome, luggage, picture, corners: tag.symbol.corners)
        } catch let tagError as TagError {
            error = tagError
        } catch let validation as ValidationError {
            error = TagError(validation)
        } catch let conflict as MergeConflictError {
            error = TagError(conflict)
        }
        context.rollback()
        try keepScan(
            of: picture,
            payload: payload,
            error.outcome,
            reason: error.reason,
            in: context
        )
        return ScanReport(error, picture, corners: tag.symbol.corners)
    }

    /// The scan by which the same tag of the same picture was filed before, at the same place.
    private func earlierScan(
        of picture: PictureScan,
        payload: Data,
        in context: ManagedObjectContext
    ) throws -> Scan? {
        try context.fetch(
            FetchRequest(Scan.self)
                .where(\.imageDigest, is: picture.digest)
                .where(\.station, is: picture.station)
                .where(\.point, is: picture.point)
                .where(\.payload, is: payload)
        ).first
    }

    /// Merges a bag with the one on record and tells what came of it.
    private func merge(
        _ luggage: Luggage,
        _ picture: PictureScan,
        in context: ManagedObjectContext
    ) throws -> Outcome {
        let result = try context.save()
        guard let change = result.change(of: luggage), let before = change.before else {
            return .new
        }
        let record = RecordedLuggage(before, context.model)
        guard record.isContradicted(by: luggage) else {
            return change.kind == .unchanged ? .repeated : .updated
        }
        if record.isNewer(than: picture.date) {
            // Pictures may be filed out of order: what the later scan says stays on record.
            try record.restore(to: luggage, in: context)
            try context.save()
        }
        return .changed
    }

    /// Keeps that a tag was read, or that a picture gave none; once, however often it is filed.
    private func keepScan(
        of picture: PictureScan,
        payload: Data,
        _ outcome: Outcome,
        _ luggage: Luggage? = nil,
        reason: String? = nil,
        in context: ManagedObjectContext
    ) throws {
        let scan = Scan(context: context)
        scan.luggage = luggage
        scan.point = picture.point
        scan.station = picture.station
        scan.scannedAt = picture.date
        scan.image = picture.fileName
        scan.imageDigest = picture.digest
        scan.payload = payload
        scan.outcome = outcome
        scan.reason = reason
        try context.save()
    }
}
