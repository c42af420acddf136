internal import Foundation
internal import ObjectStore
internal import TagReading

/// The filing of one typed tag, in its transaction.
struct TypedFiling {
    let tag: TypedTag
    let person: Responsibility
    let context: ManagedObjectContext
    let now: Date

    func report() throws -> ScanReport {
        context.author = person.author
        if let known = try typedBefore() { return report(.repeated, known) }
        let (luggage, before) = try merge()
        let payload = try payload(luggage)
        var outcome = Outcome.new
        if let before {
            let settling = BagSettling(context: context)
            let comparison = settling.comparison(of: before, with: luggage)
            outcome = comparison.outcome
            if comparison.differs {
                try settling.settle(luggage, and: TagStatement(payload, picture))
            }
        }
        let scan = Scan(context: context)
        scan.luggage = luggage
        scan.point = tag.point
        scan.station = picture.station
        scan.scannedAt = tag.date
        scan.imageName = Scan.handName
        scan.payload = Data(payload)
        scan.outcome = outcome
        scan.reason = ""
        let correction = Correction(.file, tag.identifier, person, at: now, in: context)
        correction.luggage = luggage
        if let failed = tag.picture { correction.take(failed) }
        try context.save()
        return report(outcome, luggage)
    }

    private func report(_ outcome: Outcome, _ luggage: Luggage) -> ScanReport {
        var report = ScanReport(outcome, luggage, picture, corners: [])
        report.milliseconds = nil
        return report
    }

    /// The bag, where the same tag was typed from the same picture before: whoever was interrupted can
    /// do it again.
    private func typedBefore() throws -> Luggage? {
        guard let failed = tag.picture else { return nil }
        let typed = FetchRequest<Correction>.about(failed).where(\.kind, is: .file)
            .where(\.identifier, is: tag.identifier)
        return try context.fetch(typed).first?.luggage
    }

    /// Merges the tag with the bag on record.
    private func merge() throws -> (Luggage, before: Snapshot?) {
        let known = try context.luggage(tag.identifier)
        if known == nil && tag.weight == nil {
            throw CorrectionError(
                .invalid,
                "\(tag.identifier.uuidString) is not on record yet, and a new bag needs a weight; if it "
                    + "was filed before, check the identifier"
            )
        }
        let luggage = known ?? Luggage(context: context)
        if known == nil { luggage.identifier = tag.identifier }
        if let weight = tag.weight { luggage.weight = weight }
        if let owner = tag.owner { luggage.owner = Passenger(owner, context: context) }
        luggage[tag.point] = [luggage[tag.point], tag.date].compactMap(\.self).max()
        let change = try context.saveTyped().change(of: luggage)
        return (luggage, change?.before)
    }

    /// What the tag says, as a payload; empty where it says nothing but who it is.
    private func payload(_ luggage: Luggage) throws -> [UInt8] {
        if tag.weight == nil && tag.owner == nil { return [] }
        return try TagEncoder().encode(
            TagContents(
                identifier: tag.identifier,
                owner: tag.owner,
                weight: tag.weight ?? luggage.weight
            )
        )
    }

    /// The tag as if a picture had shown it.
    private var picture: PictureScan {
        PictureScan(
            name: Scan.handName,
            digest: nil,
            reading: .success(Reading(symbols: [], width: 0, height: 0, duration: .zero)),
            point: tag.point,
            station: tag.station,
            date: tag.date
        )
    }
}
