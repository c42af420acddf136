internal import Foundation
internal import ObjectStore
internal import TagReading

/// A picture from a watched folder that was read, with what tells its file from its copies.
package struct DroppedPicture: Sendable {
    /// What was read.
    package var scan: PictureScan
    /// The number of the file in its file system.
    package var fileNumber: UInt64
    /// When the file was last modified, in seconds since 1970.
    package var modifiedAt: Double
    /// When the file came to where it is, or was changed otherwise, in seconds since 1970; nil where
    /// nobody knows.
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
    /// This very file was filed; what is left to do is to move it.
    case filed
    /// Another file with the same content was filed, or this one under another of its names; or
    /// somebody has typed what it shows, or dismissed it.
    case duplicate
}

/// What came of a picture from a watched folder.
package enum DroppedOutcome: Sendable {
    /// What came of each tag in it.
    case recorded([ScanReport])
    /// Its content was filed before.
    case known(JournalAnswer)
}

extension ScanRecorder {
    /// Looks a picture up before it is read.
    ///
    /// - Parameter picture: The picture; of its scan, all but the reading is used.
    /// - Returns: What the journal knows of it; nothing where it has no digest.
    /// - Throws: `StoreError`.
    package func journalAnswer(about picture: DroppedPicture) throws -> JournalAnswer {
        guard let digest = picture.scan.digest else { return .unknown }
        return try container.read { context in
            try Journal(context: context).answer(about: picture, digest)
        }
    }

    /// What came of a picture that was filed, as the record has it.
    ///
    /// - Parameter picture: The picture; what was read of it does not matter.
    /// - Returns: What came of each tag of which a bag is on record. Where in the picture the tags are
    ///   and how long reading took is not on record.
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

    /// Files pictures and notes them in the journal, all in one transaction.
    ///
    /// One write to the disk serves them all. Each picture is filed as if it were the only one.
    ///
    /// - Parameter pictures: The pictures.
    /// - Returns: What came of each.
    /// - Throws: `StoreError`; nothing of any of them is filed then.
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
        // A picture with a tag that could not be filed may be tried again, by a later version even.
        if reports.allSatisfy(\.outcome.isFiled) { journal.note(picture, digest, at: now()) }
        try turn.context.save()
        return .recorded(reports)
    }
}

extension ManagedObjectContext {
    /// When somebody has taken back the last of what a picture has given; nil where some of it counts.
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
            // What somebody has typed or dismissed needs no other try, until that is taken back.
            let sight = FailedSight(
                imageDigest: digest,
                imageName: scan.fileName,
                station: scan.station,
                point: scan.point
            )
            return try context.progress(of: sight).isClosed ? .duplicate : .unknown
        }
        // Not the device: it may have another number after the next start of the machine.
        let isSame =
            entry.fileNumber == picture.fileNumber && entry.modifiedAt == picture.modifiedAt
        if let takenBack = try context.lastUndoing(of: scan, digest) {
            // Whoever drops it again since means it; what was only left where it was is to be moved.
            let isDropped = picture.changedAt.map { $0 > takenBack.timeIntervalSince1970 }
            if isDropped ?? !isSame { return .unknown }
        }
        guard isSame else { return .duplicate }
        guard picture.hasOtherNames else { return .filed }
        // The other names of the file are as good as copies of it.
        let namesakes = try context.count(
            FetchRequest(Scan.self)
                .where(\.imageDigest, is: digest)
                .where(\.imageName, is: scan.fileName)
        )
        return namesakes > 0 ? .filed : .duplicate
    }

    /// Notes that a picture was filed; that is not saved yet.
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
