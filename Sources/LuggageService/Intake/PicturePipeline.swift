internal import Foundation
internal import LuggageTags
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// What is to become of a dropped file that was looked at.
enum Disposition: Sendable {
    /// It is on record and where it belongs.
    case filed(FiledPicture)
    /// Somebody has taken it away.
    case gone
    /// It is none of ours to file; the words complete "NAME …".
    case passedOver(String)
    /// It is not complete; the words complete "NAME …".
    case unfinished(String)
    /// It may not be opened, which its owner can change; the words complete "NAME: …".
    case forbidden(String)
    /// Something that may pass is in the way.
    case postponed(String)
    /// The service is being stopped.
    case abandoned
}

/// The way of one picture: opened once, complete by its content, read, on record, moved.
struct PicturePipeline: Sendable {
    let reader: any TagReader
    let limits: ReadLimits
    let store: ServiceStore
    let filing: FilingQueue
    /// What can change while the service runs.
    let configuration: @Sendable () -> WatchConfiguration

    /// A picture at which a reader has failed is read this often before it is given up: what was behind
    /// the failure may have been another one's.
    private static let mostAttempts = 2

    /// A file that has another name, as of somebody who links it into the folder before removing the
    /// first one, is looked at again this often; after that, when the folder is scanned.
    private static let mostLooksAtLink = 3

    /// Files one picture.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - isOverdue: Whether it was incomplete for as long as it may be.
    ///   - attempt: How often it was handed out as it is, with this time.
    /// - Returns: What is to become of it.
    func process(_ file: DroppedFile, isOverdue: Bool, attempt: Int) async -> Disposition {
        let image: TagImage
        switch file.open() {
        case .opened(let opened): image = opened
        case .gone: return .gone
        case .passedOver(let why): return .passedOver(why)
        case .linked where attempt <= Self.mostLooksAtLink:
            return .postponed("it is a hard link to somebody else's file")
        case .linked:
            return .passedOver(
                "is a hard link to somebody else's file; copy it instead, or remove its other name"
            )
        case .refused(let error):
            return error.errorNumber == EACCES
                ? .forbidden(error.message) : .postponed(error.message)
        }
        do throws(ReadError) {
            return try await process(image, file, isOverdue: isOverdue)
        } catch {
            return error.code == .cancelled ? .abandoned : .postponed(error.message)
        }
    }

    private func process(
        _ image: TagImage,
        _ file: DroppedFile,
        isOverdue: Bool
    ) async throws(ReadError) -> Disposition {
        let configuration = configuration()
        guard image.byteCount <= limits.fileBytes else {
            // The reader says so in its own words, and looks at nothing but the length.
            let digest = try await image.digest(within: limits)
            return await self.file(image, file, .read(digest, try await read(image)), configuration)
        }
        let (digest, walk) = try await image.digest(while: PNGCompleteness()) { $0.update($1) }
        switch walk.state {
        case .complete, .foreign: break
        case .unfinished where isOverdue:
            let error = ReadError(
                .incomplete,
                "the PNG is not complete: it ends after \(image.byteCount) bytes, and nothing was "
                    + "added to it for \(configuration.grace.components.seconds) s"
            )
            return await self.file(image, file, .read(digest, (.failure(error), 0)), configuration)
        case .unfinished: return .unfinished("is not complete yet")
        case .inconsistent where isOverdue: break
        case .inconsistent: return .unfinished("is damaged, or not complete yet")
        }
        let answer = await journalAnswer(image, file, digest, configuration)
        if answer != .unknown {
            return await self.file(image, file, .known(digest, answer), configuration)
        }
        let reading = try await read(image)
        do throws(ReadError) {
            try image.checkUnchanged()
        } catch {
            return .unfinished("was changed while it was read")
        }
        return await self.file(image, file, .read(digest, reading), configuration)
    }

    private typealias Attempts = (reading: Result<Reading, ReadError>, count: Int)

    /// What is known of the content of a file.
    private enum Content {
        case known(_ digest: String, JournalAnswer)
        case read(_ digest: String?, Attempts)
    }

    /// Reads a picture, again where its reader has failed.
    ///
    /// - Throws: `ReadError` where nothing was learnt about the picture.
    private func read(_ image: TagImage) async throws(ReadError) -> Attempts {
        var count = 0
        while true {
            count += 1
            do throws(ReadError) {
                return (.success(try await reader.read(image)), count)
            } catch {
                if error.isBeforeReading { throw error }
                if error.isPermanent || count >= Self.mostAttempts {
                    return (.failure(error), count)
                }
            }
        }
    }

    /// What the journal knows of a picture; nothing where it cannot be asked, which filing finds out.
    private func journalAnswer(
        _ image: TagImage,
        _ file: DroppedFile,
        _ digest: String,
        _ configuration: WatchConfiguration
    ) async -> JournalAnswer {
        let recorder = store.recorder
        let picture = picture(image, file, .known(digest, .unknown), configuration).picture
        return await PictureWork.run {
            (try? recorder.journalAnswer(about: picture)) ?? .unknown
        }
    }

    private func file(
        _ image: TagImage,
        _ file: DroppedFile,
        _ content: Content,
        _ configuration: WatchConfiguration
    ) async -> Disposition {
        let result = await filing.file(picture(image, file, content, configuration))
        switch result {
        case .filed(let filed): return .filed(filed)
        case .notMoved(let error): return .postponed(error.message)
        case .changed: return .unfinished("was changed after it was read")
        case .abandoned: return .abandoned
        }
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
            station: configuration.station(at: point),
            date: configuration.timestamp == .now
                ? Date() : Date(timeIntervalSince1970: image.modificationTime)
        )
        var known: JournalAnswer?
        var attempts = 0
        switch content {
        case .known(let digest, let answer): (scan.digest, known) = (digest, answer)
        case .read(let digest, let read):
            scan.digest = digest
            (scan.reading, attempts) = read
        }
        let dropped = DroppedPicture(
            scan: scan,
            fileNumber: image.fileNumber,
            modifiedAt: image.modificationTime,
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
