internal import Foundation
internal import ObjectStore
internal import TagReading

/// A picture from a watched folder that was read, with the facts that tell its file from copies.
package struct DroppedPicture: Sendable {
    /// What was read.
    package var scan: PictureScan
    /// The number of the file in its file system.
    package var fileNumber: UInt64
    /// When the file was last modified, in seconds since 1970.
    package var modifiedAt: Double
    /// When the file was moved here or otherwise changed, in seconds since 1970; nil if unknown.
    package var changedAt: Double?
    /// Whether the file has more than one name.
    package var hasOtherNames: Bool

    /// Describes a picture.
    package init(
        scan: PictureScan,
        fileNumber: UInt64,
        modifiedAt: Double,
        changedAt: Double? = nil,
        hasOtherNames: Bool = false
    ) {
        self.scan = scan
        self.fileNumber = fileNumber
        self.modifiedAt = modifiedAt
        self.changedAt = changedAt
        self.hasOtherNames = hasOtherNames
    }
}

/// What the journal knows of a picture.
package enum JournalAnswer: Hashable, Sendable {
    /// The content was not filed yet.
    case unknown
    /// This very file was filed; it only has to be moved.
    case filed
    /// Another file with the same content was filed, or the same file under another of its names; or a
    /// person has typed its tag or dismissed it.
    case duplicate
}

/// The result of filing a picture from a watched folder.
package enum DroppedOutcome: Sendable {
    /// A report for each tag in it.
    case recorded([ScanReport])
    /// Its content was filed before.
    case known(JournalAnswer)
}

extension ScanRecorder {
    /// Looks a picture up before it is read.
    ///
    /// - Parameter picture: The picture; the reading in its scan is not used.
    /// - Returns: What the journal knows of it; `unknown` if it has no digest.
    /// - Throws: `StoreError`.
    package func journalAnswer(about picture: DroppedPicture) throws -> JournalAnswer {
        guard let digest = picture.scan.digest else { return .unknown }
        return try container.read { context in
            try Journal(context: context).answer(about: picture, digest)
        }
    }

    /// The reports about a picture that was filed, from the record.
    ///
    /// - Parameter picture: The picture; its reading is not used.
    /// - Returns: A report for each tag whose bag is on record. The record does not keep the corners of
    ///   the tags and the duration of the reading.
    /// - Throws: `StoreError`.
    package func filedReports(of picture: PictureScan) throws -> [ScanReport] {
        guard let digest = picture.digest else { return [] }
        return try container.read { context in
            let scans = try context.fetch(
                FetchRequest(Scan.self)
                    .where(\.imageDigest, is: digest)
                    .where(\.station, is: picture.station)
                    .where(\.point, is: picture.point)
                    .where(\.reason, is: "")
                    .where(\.undoneAt, isMissing: true)
            )
            return scans.compactMap { scan in
                guard let luggage = scan.luggage else { return nil }
                var report = ScanReport(scan.outcome, luggage, picture, corners: [])
                report.scannedAt = scan.scannedAt
                return report
            }
        }
    }

    /// Files pictures and notes them in the journal, in one transaction.
    ///
    /// They share one write to the disk. Each picture is filed as if it were the only one.
    ///
    /// - Parameter pictures: The pictures.
    /// - Returns: The result for each picture.
    /// - Throws: `StoreError`; then nothing of any of them is filed.
    package func record(_ pictures: [DroppedPicture]) throws -> [DroppedOutcome] {
        try together(pictures) { try record($0, $1) }
    }

    private func record(
        _ picture: DroppedPicture,
        _ turn: FilingTurn
    ) throws -> DroppedOutcome {
        guard let digest = picture.scan.digest else {
            return .recorded(try record(picture.scan, turn))
        }
        let journal = Journal(context: turn.context)
        let answer = try journal.answer(about: picture, digest)
        guard answer == .unknown else { return .known(answer) }
        let reports = try prepare(picture.scan, turn)
        // If a tag could not be filed, a service may try the picture again, even a later version of it.
        if reports.allSatisfy(\.outcome.isFiled) { journal.note(picture, digest, at: now()) }
        try turn.context.save()
        return .recorded(reports)
    }
}

extension ManagedObjectContext {
    /// When a person undid the last scan of a picture; nil if one of its scans counts.
    fileprivate func lastUndoing(of picture: PictureScan, _ digest: String) throws -> Date? {
        let scans = try fetch(
            FetchRequest(Scan.self).where(\.imageDigest, is: digest)
                .where(\.station, is: picture.station).where(\.point, is: picture.point)
        )
        return scans.contains { $0.undoneAt == nil } ? nil : scans.compactMap(\.undoneAt).max()
    }
}

/// The entries about filed pictures, seen from one context.
private struct Journal {
    let context: ManagedObjectContext

    func answer(about picture: DroppedPicture, _ digest: String) throws -> JournalAnswer {
        let scan = picture.scan
        let entry = try context.fetch(
            FetchRequest(JournalEntry.self)
                .where(\.imageDigest, is: digest)
                .where(\.station, is: scan.station)
                .where(\.point, is: scan.point)
        ).first
        guard let entry else {
            // If a person has typed its tag or dismissed it, nobody tries it again until they undo that.
            let sight = FailedSight(
                imageDigest: digest,
                imageName: scan.fileName,
                station: scan.station,
                point: scan.point
            )
            return try context.progress(of: sight).isClosed ? .duplicate : .unknown
        }
        // The device is not compared: it may have another number after the next start of the machine.
        let isSame =
            entry.fileNumber == picture.fileNumber && entry.modifiedAt == picture.modifiedAt
        if let takenBack = try context.lastUndoing(of: scan, digest) {
            // A person who drops it again after that wants it filed; a file that stayed here is only moved.
            let isDropped = picture.changedAt.map { $0 > takenBack.timeIntervalSince1970 }
            if isDropped ?? !isSame { return .unknown }
        }
        guard isSame else { return .duplicate }
        guard picture.hasOtherNames else { return .filed }
        // Another name of the file counts as a copy of it.
        let namesakes = try context.count(
            FetchRequest(Scan.self)
                .where(\.imageDigest, is: digest)
                .where(\.imageName, is: scan.fileName)
        )
        return namesakes > 0 ? .filed : .duplicate
    }

    /// Notes that a picture was filed, but does not save it yet.
    func note(_ picture: DroppedPicture, _ digest: String, at date: Date) {
        let entry = JournalEntry(context: context)
        entry.imageDigest = digest
        entry.station = picture.scan.station
        entry.point = picture.scan.point
        entry.fileNumber = picture.fileNumber
        entry.modifiedAt = picture.modifiedAt
        entry.filedAt = date
    }
}
