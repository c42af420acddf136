internal import FoundationEssentials
internal import Glibc
internal import LuggageTags
internal import TagReading

/// The steps for one picture: open it once, wait until it is complete, read it, record it, move it.
struct PicturePipeline: Sendable {
    let intake: PictureIntake
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
        case read(DroppedPicture)
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
        var picture = picture(image, file, configuration)
        var known: KnownPicture?
        let arrival = try await intake.take(
            image,
            after: isOverdue ? configuration.grace : nil,
            unless: { [picture] digest in
                var picture = picture
                picture.digest = digest
                return self.known(picture)
            }
        )
        switch arrival {
        case .unfinished(let why): return .done(.unfinished(why))
        case .known(let digest, let answer): (picture.digest, known) = (digest, answer)
        case .read(let content):
            picture.digest = content.digest
            picture.reading = content.reading
            picture.attempts = content.attempts
        }
        return .read(DroppedPicture(file: file, image: image, picture: picture, known: known))
    }

    /// What the journal says of a picture; nil if it does not know it or fails, as filing asks again.
    private func known(_ picture: ReadPicture) -> KnownPicture? {
        // Read before the journal: the record may be reopened at any moment.
        let opening = store.openingNumber
        let answer = try? store.recorder.journalAnswer(about: picture)
        guard let answer, answer != .unknown else { return nil }
        return KnownPicture(answer: answer, opening: opening)
    }

    /// A dropped picture before it is read.
    private func picture(
        _ image: TagImage,
        _ file: DroppedFile,
        _ configuration: WatchConfiguration
    ) -> ReadPicture {
        let point = file.folder.point
        var picture = ReadPicture(
            name: file.displayName,
            digest: nil,
            reading: .failure(.cancelled),
            point: point,
            role: file.folder.role,
            station: configuration.station(at: point),
            date: configuration.timestamp == .now
                ? Date() : Date(timeIntervalSince1970: image.modificationTime)
        )
        picture.place = configuration.place
        picture.file = DroppedFileFacts(
            number: image.journalNumber(),
            modifiedAt: image.modificationTime,
            changedAt: image.stateChangeTime,
            hasOtherNames: image.hasOtherNames
        )
        return picture
    }
}
