internal import FoundationEssentials
internal import ObjectStore

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
    /// - Parameter picture: The picture; its reading is not used.
    /// - Returns: What the journal knows of it; `unknown` if it has no digest or is of no file.
    /// - Throws: `StoreError`.
    package func journalAnswer(about picture: ReadPicture) throws -> JournalAnswer {
        guard let digest = picture.digest, let file = picture.file else { return .unknown }
        return try container.read { context in
            try Journal(context: context).answer(about: picture, digest, file)
        }
    }

    /// The reports about a picture that was filed, from the record.
    ///
    /// - Parameter picture: The picture; its reading is not used.
    /// - Returns: A report for each tag whose bag is on record. The record does not keep the corners of
    ///   the tags, the places that could not be read, and the duration of the reading.
    /// - Throws: `StoreError`.
    package func filedReports(of picture: ReadPicture) throws -> [ScanReport] {
        guard let digest = picture.digest else { return [] }
        return try container.read { context in
            let scans = try context.fetch(
                FetchRequest<Scan>.of(digest, at: picture.station, picture.point)
                    .where(\.reason, is: "").notUndone
            )
            return scans.compactMap { scan in
                guard let luggage = scan.luggage else { return nil }
                var report = ScanReport(scan.outcome, luggage, picture, corners: [])
                report.scannedAt = scan.scannedAt
                return report
            }
        }
    }

    /// Files pictures from watched folders and notes them in the journal, in one transaction.
    ///
    /// They share one write to the disk. Each picture is filed as if it were the only one.
    ///
    /// - Parameter pictures: The pictures; those that the journal knows are not filed again.
    /// - Returns: The result for each picture.
    /// - Throws: `StoreError`; then nothing of any of them is filed.
    package func recordOnce(_ pictures: [ReadPicture]) throws -> [DroppedOutcome] {
        try together(pictures) { try recordOnce($0, $1) }
    }

    private func recordOnce(
        _ picture: ReadPicture,
        _ turn: FilingTurn
    ) throws -> DroppedOutcome {
        guard let digest = picture.digest, let file = picture.file else {
            return .recorded(try record(picture, turn))
        }
        let journal = Journal(context: turn.context)
        let answer = try journal.answer(about: picture, digest, file)
        guard answer == .unknown else { return .known(answer) }
        let reports = try prepare(picture, turn)
        // If a tag could not be filed, a service may try the picture again, even a later version of it.
        if reports.allSatisfy(\.outcome.isFiled) { journal.note(picture, digest, file, at: now()) }
        try turn.context.save()
        return .recorded(reports)
    }
}

extension ManagedObjectContext {
    /// When a person undid the last scan of a picture; nil if one of its scans counts.
    fileprivate func lastUndoing(of picture: ReadPicture, _ digest: String) throws -> Date? {
        let scans = try fetch(FetchRequest<Scan>.of(digest, at: picture.station, picture.point))
        return scans.contains { $0.undoneAt == nil } ? nil : scans.compactMap(\.undoneAt).max()
    }
}

/// The entries about filed pictures, seen from one context.
private struct Journal {
    let context: ManagedObjectContext

    func answer(
        about picture: ReadPicture,
        _ digest: String,
        _ file: DroppedFileFacts
    ) throws -> JournalAnswer {
        let entry = try context.fetch(
            FetchRequest(JournalEntry.self)
                .where(\.imageDigest, is: digest)
                .where(\.station, is: picture.station)
                .where(\.point, is: picture.point)
        ).first
        guard let entry else {
            // If a person has typed its tag or dismissed it, nobody tries it again until they undo that.
            let sight = FailedSight(
                imageDigest: digest,
                imageName: picture.fileName,
                station: picture.station,
                point: picture.point
            )
            return try context.progress(of: sight).isClosed ? .duplicate : .unknown
        }
        // The device is not compared: it may have another number after the next start of the machine.
        let isSame =
            entry.fileNumber == file.number && entry.modifiedAt == file.modifiedAt
        if let takenBack = try context.lastUndoing(of: picture, digest) {
            // A person who drops it again after that wants it filed; a file that stayed here is only moved.
            let isDropped = file.changedAt.map {
                $0 + DroppedFileFacts.greatestLag > takenBack.timeIntervalSince1970
            }
            if isDropped ?? !isSame { return .unknown }
        }
        guard isSame else { return .duplicate }
        guard file.hasOtherNames else { return .filed }
        // Another name of the file counts as a copy of it.
        let namesakes = try context.count(
            FetchRequest(Scan.self)
                .where(\.imageDigest, is: digest)
                .where(\.imageName, is: picture.fileName)
        )
        return namesakes > 0 ? .filed : .duplicate
    }

    /// Notes that a picture was filed, but does not save it yet.
    func note(_ picture: ReadPicture, _ digest: String, _ file: DroppedFileFacts, at date: Date) {
        let entry = JournalEntry(context: context)
        entry.imageDigest = digest
        entry.station = picture.station
        entry.point = picture.point
        entry.fileNumber = file.number
        entry.modifiedAt = file.modifiedAt
        entry.filedAt = date
    }
}
