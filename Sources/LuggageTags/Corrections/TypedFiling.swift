internal import Foundation
internal import ObjectStore
internal import TagReading

/// Files one typed tag in a transaction.
struct TypedFiling {
    let tag: TypedTag
    let person: Responsibility
    let context: ManagedObjectContext
    let now: Date

    func report() throws -> ScanReport {
        context.author = person.author
        if let known = try typedBefore() { return report(.repeated, known) }
        let deriving = BagDeriving(context: context)
        let (luggage, before) = try deriving.bag(tag.identifier)
        let contradicts =
            Weight.contradicts(tag.weight, before?.weight)
            || tag.owner.map { luggage.owner != nil && $0 != luggage.owner?.name } ?? false
        let correction = try Correction(.file, tag.identifier, person, at: now, in: context)
        correction.luggage = luggage
        correction.weight = tag.weight
        correction.givenName = tag.owner?.givenName
        correction.familyName = tag.owner?.familyName
        if let failed = tag.picture { correction.take(failed) }
        let scan = Scan(context: context)
        scan.identifier = correction.fact
        scan.luggage = luggage
        scan.point = tag.point
        scan.role = tag.point.roleToKeep(tag.role)
        scan.station = picture.station
        scan.author = person.author
        scan.scannedAt = tag.date
        scan.imageName = Scan.handName
        scan.payload = Data(try payload())
        scan.outcome = before == nil ? .new : .changed
        scan.reason = ""
        scan.filedAt = correction.knownAt
        try deriving.derive(luggage, before)
        if let before, !contradicts { scan.outcome = before.outcome(luggage, after: scan) }
        try context.saveTyped()
        return report(scan.outcome, luggage)
    }

    private func report(_ outcome: Outcome, _ luggage: Luggage) -> ScanReport {
        var report = ScanReport(outcome, luggage, picture, corners: [])
        report.milliseconds = nil
        return report
    }

    /// The bag, if the same tag was typed from the same picture before.
    ///
    /// So a person who was interrupted can type it again.
    private func typedBefore() throws -> Luggage? {
        guard let failed = tag.picture else { return nil }
        let typed = FetchRequest<Correction>.about(failed).where(\.kind, is: .file)
            .where(\.identifier, is: tag.identifier)
        return try context.fetch(typed).first?.luggage
    }

    /// The payload of the tag; empty if the tag gives only the identifier.
    private func payload() throws -> [UInt8] {
        if tag.weight == nil && tag.owner == nil { return [] }
        return try TagEncoder().encode(
            TagContents(identifier: tag.identifier, owner: tag.owner, weight: tag.weight)
        )
    }

    /// A picture that could have shown the tag.
    private var picture: ReadPicture {
        ReadPicture(
            name: Scan.handName,
            digest: nil,
            reading: .success(Reading(symbols: [], width: 0, height: 0, duration: .zero)),
            point: tag.point,
            role: tag.role,
            station: tag.station,
            date: tag.date
        )
    }
}
