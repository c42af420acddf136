internal import Foundation
internal import LuggageTags
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// What the service does with a dropped file that it has examined.
enum Disposition: Sendable {
    /// It is on record and in its folder.
    case filed(FiledPicture)
    /// Someone has taken it away.
    case gone
    /// The service does not file it; the words complete "NAME …".
    case passedOver(String)
    /// It is not complete; the words complete "NAME …".
    case unfinished(String)
    /// The service may not open it, which the owner can change; the words complete "NAME: …".
    case forbidden(String)
    /// A temporary obstacle is in the way.
    case postponed(String)
    /// The service is stopping.
    case abandoned
    /// It is a folder, whose pictures were moved up to be filed; and what is newly left in it.
    case visited(FolderVisit, left: [FolderRefusal])
}

/// The steps for one picture: open it once, wait until it is complete, read it, record it, move it.
struct PicturePipeline: Sendable {
    let reader: any TagReader
    let limits: ReadLimits
    let store: ServiceStore
    let filing: FilingQueue
    /// The settings, which can change while the service runs.
    let configuration: @Sendable () -> WatchConfiguration

    /// How often a hard link is examined again before it is left until the folder is scanned.
    ///
    /// Someone may link a file into the folder and then remove the first name.
    private static let mostLooksAtLink = 3

    /// Files one picture.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - isOverdue: Whether it was incomplete for the longest allowed time.
    ///   - attempt: How often it was handed out unchanged, including this time.
    /// - Returns: What to do with it.
    func process(_ file: DroppedFile, isOverdue: Bool, attempt: Int) async -> Disposition {
        while true {
            filing.expect()
            switch await examine(file, isOverdue: isOverdue, attempt: attempt) {
            case .read(let picture):
                switch await filing.file(picture) {
                case .filed(let filed): return .filed(filed)
                case .notMoved(let error): return .postponed(error.message)
                case .changed: return .unfinished("was changed after it was read")
                case .outdated: continue
                case .abandoned: return .abandoned
                }
            case .done(let disposition):
                filing.expectNoMore()
                return disposition
            }
        }
    }

    /// What to do with an examined file.
    private enum Examined {
        /// It must be filed.
        case read(ReadPicture)
        /// It must not be filed.
        case done(Disposition)
    }

    private func examine(_ file: DroppedFile, isOverdue: Bool, attempt: Int) async -> Examined {
        let image: TagImage
        switch file.open() {
        case .opened(let opened) where file.isOfDatabase(opened.descriptor):
            return .done(
                .passedOver("is a database or a part of one; keep the record in another folder")
            )
        case .opened(let opened): image = opened
        case .gone: return .done(.gone)
        case .passedOver(let why): return .done(.passedOver(why))
        case .linked where attempt <= Self.mostLooksAtLink:
            return .done(.postponed("it is a hard link to somebody else's file"))
        case .linked:
            return .done(
                .passedOver(
                    "is a hard link to somebody else's file; copy it instead, or remove its other name"
                )
            )
        case .refused(let error):
            return .done(
                error.errorNumber == EACCES ? .forbidden(error.message) : .postponed(error.message)
            )
        }
        do throws(ReadError) {
            return try await examine(image, of: file, isOverdue: isOverdue)
        } catch {
            return .done(
                error.code == .cancelled ? .abandoned : .postponed(error.message)
            )
        }
    }

    private func examine(
        _ image: TagImage,
        of file: DroppedFile,
        isOverdue: Bool
    ) async throws(ReadError) -> Examined {
        let configuration = configuration()
        guard image.byteCount <= limits.fileBytes else {
            // The reader reports it in its own words, and checks only the length.
            let digest = try await image.digest(within: limits)
            let reading = try await RepeatedReading(of: image, by: reader)
            let content = Content.read(digest, reading)
            return .read(picture(image, file, content, configuration))
        }
        let (digest, state, known) = try await look(at: image, file, configuration)
        switch state {
        case .complete, .foreign: break
        case .unfinished where isOverdue:
            let error = ReadError(
                .incomplete,
                "the PNG is not complete: it ends after \(image.byteCount) bytes, and nothing was "
                    + "added to it for \(configuration.grace.components.seconds) s"
            )
            let content = Content.read(digest, RepeatedReading(.failure(error), attempts: 0))
            return .read(picture(image, file, content, configuration))
        case .unfinished: return .done(.unfinished("is not complete yet"))
        case .inconsistent where isOverdue: break
        case .inconsistent: return .done(.unfinished("is damaged, or not complete yet"))
        }
        if let known { return .read(picture(image, file, .known(digest, known), configuration)) }
        let reading = try await RepeatedReading(of: image, by: reader)
        do throws(ReadError) {
            try image.checkUnchanged()
        } catch {
            return .done(.unfinished("was changed while it was read"))
        }
        return .read(picture(image, file, .read(digest, reading), configuration))
    }

    /// What is known of the content of a file.
    private enum Content {
        case known(_ digest: String, KnownPicture?)
        case read(_ digest: String?, RepeatedReading)
    }

    private typealias Look = (digest: String, state: PNGCompleteness.State, known: KnownPicture?)

    /// Reads the bytes of a picture, and asks the journal about them; if that fails, filing finds out.
    private func look(
        at image: TagImage,
        _ file: DroppedFile,
        _ configuration: WatchConfiguration
    ) async throws(ReadError) -> Look {
        let result: Result<Look, ReadError> = await PictureWork.run {
            Result { () throws(ReadError) in
                let (digest, walk) = try image.digestNow(while: PNGCompleteness()) { $0.update($1) }
                // The file of a slow writer may be examined many times before it is complete.
                if walk.state == .unfinished { return (digest, walk.state, nil) }
                let read = self.picture(image, file, .known(digest, nil), configuration)
                return (digest, walk.state, self.known(read.picture))
            }
        }
        return try result.get()
    }

    /// What the journal says of a picture; nil if it does not know it.
    private func known(_ picture: DroppedPicture) -> KnownPicture? {
        // Read before the journal: the record may be reopened at any moment.
        let opening = store.openingNumber
        let answer = try? store.recorder.journalAnswer(about: picture)
        guard let answer, answer != .unknown else { return nil }
        return KnownPicture(answer: answer, opening: opening)
    }

    private func picture(
        _ image: TagImage,
        _ file: DroppedFile,
        _ content: Content,
        _ configuration: WatchConfiguration
    ) -> ReadPicture {
        let point = file.folder.point
        var scan = PictureScan(
            name: file.displayName,
            digest: nil,
            reading: .failure(.cancelled),
            point: point,
            role: file.folder.role,
            station: configuration.station(at: point),
            date: configuration.timestamp == .now
                ? Date() : Date(timeIntervalSince1970: image.modificationTime)
        )
        var known: KnownPicture?
        var attempts = 0
        switch content {
        case .known(let digest, let answer): (scan.digest, known) = (digest, answer)
        case .read(let digest, let read):
            scan.digest = digest
            (scan.reading, attempts) = (read.reading, read.attempts)
        }
        let dropped = DroppedPicture(
            scan: scan,
            fileNumber: image.journalNumber(),
            modifiedAt: image.modificationTime,
            changedAt: image.stateChangeTime,
            hasOtherNames: image.hasOtherNames
        )
        return ReadPicture(
            file: file,
            image: image,
            picture: dropped,
            known: known,
            attempts: attempts
        )
    }
}
