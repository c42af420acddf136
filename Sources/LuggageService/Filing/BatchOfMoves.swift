internal import Foundation
internal import LuggageTags
internal import SystemCalls

#if canImport(Glibc)
internal import Glibc
#endif

/// Moves the pictures of one batch to where they belong, and makes that durable once for all.
struct BatchOfMoves {
    let layout: FolderLayout
    /// Which folder was watched when the batch began.
    private let watched: FileIdentity?
    /// The folders to which pictures were moved.
    private var destinations: Set<String> = []
    /// The folders from which they have gone.
    private var sources: Set<String> = []

    init(layout: FolderLayout) {
        self.layout = layout
        watched = FileIdentity(at: layout.path)
    }

    /// Moves one picture, whose record is on the disk by now.
    ///
    /// - Parameters:
    ///   - read: The picture.
    ///   - outcome: What came of it.
    ///   - earlier: What came of its tags when it was filed and could not be moved.
    /// - Returns: What has become of it.
    mutating func move(
        _ read: ReadPicture,
        _ outcome: DroppedOutcome,
        earlier: EarlierReports?
    ) -> FilingResult {
        let scan = read.picture.scan
        var filed = FiledPicture(
            name: read.file.name,
            destination: .processed,
            path: nil,
            point: scan.point,
            station: scan.station,
            digest: scan.digest,
            reports: [],
            isFromRecord: earlier?.isFromRecord ?? false,
            attempts: read.attempts
        )
        /// On record names are text; here different ones must not look alike.
        func named(_ reports: [ScanReport]) -> [ScanReport] {
            reports.map { report in
                var report = report
                report.image = read.file.name.displayText
                return report
            }
        }
        var note: FailureNote?
        switch outcome {
        case .known(let answer):
            filed.destination = answer == .duplicate ? .duplicates : .processed
            filed.reports = named(earlier?.reports ?? [])
        case .recorded(let reports):
            filed.reports = named(earlier?.reports ?? reports)
            note = FailureNote(
                image: read.file.name.displayText,
                attempts: read.attempts,
                results: filed.reports,
                at: Date()
            )
            if note != nil { filed.destination = .failed }
        }
        let folder = layout.path(of: filed.destination)
        let move = PictureMove(
            source: read.file.path,
            image: read.image,
            folder: folder
        )
        do throws(FilingError) {
            switch try run(move, to: filed.destination, note) {
            case .gone: return .filed(filed)
            case .changed: return .changed
            case .moved(let name):
                filed.path = Array("\(folder)/".utf8) + name
                destinations.insert(folder)
                sources.insert(read.file.folder.path.pathText)
                return .filed(filed)
            }
        } catch {
            return .notMoved(error)
        }
    }

    /// Moves the picture, and makes the folder for it again where somebody has removed it.
    func run(
        _ move: PictureMove,
        to destination: FolderLayout.Destination,
        _ note: FailureNote?
    ) throws(FilingError) -> PictureMove.Outcome {
        do throws(FilingError) {
            return try move.run(with: note)
        } catch {
            guard error.number == ENOENT, error.stuck == nil, try makeAgain(destination) else {
                throw error
            }
        }
        var again = move
        again.wasPutBack = true
        return try again.run(with: note)
    }

    /// Makes the folder for what is filed within the watched one, as long as that is the same: one that
    /// was renamed may come back, which another folder in its place would hinder.
    ///
    /// - Returns: Whether the folder is there; not where the watched one is not.
    /// - Throws: ``FilingError`` where it cannot be made.
    private func makeAgain(_ destination: FolderLayout.Destination) throws(FilingError) -> Bool {
        let root = unsafe open(layout.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { return false }
        defer { close(root) }
        var status = stat()
        guard watched != nil, FileIdentity(of: root) == watched, unsafe fstat(root, &status) == 0
        else { return false }
        let name = destination.rawValue
        guard unsafe mkdirat(root, name, 0o777) == 0 else {
            let number = errno
            var found = stat()
            let isFolder =
                unsafe fstatat(root, name, &found, 0) == 0 && found.st_mode & S_IFMT == S_IFDIR
            if isFolder { return true }
            throw FilingError(number, "the folder \(layout.path(of: destination)) cannot be made")
        }
        // Whoever may use the watched folder may use this one, whatever the mask of the process.
        _ = unsafe fchmodat(root, name, status.st_mode & 0o7777, 0)
        return true
    }

    /// Sees to it that the moves survive a loss of power.
    ///
    /// Where that fails nothing is lost: the pictures would be found where they were dropped, and the
    /// journal knows them. No picture is gone from there before it is where it belongs.
    ///
    /// - Returns: What has failed.
    func makeDurable() -> [FilingError] {
        let folders = destinations.sorted() + sources.subtracting(destinations).sorted()
        return folders.compactMap { folder in
            // Once more where it fails: the first call takes the error of earlier writes with it.
            Self.synchronize(folder).flatMap { _ in Self.synchronize(folder) }
        }
    }

    private static func synchronize(_ folder: String) -> FilingError? {
        let number = folder.synchronizeFolder()
        if number == 0 { return nil }
        return FilingError(number, "moves in \(folder) may not survive a loss of power")
    }
}

extension PictureMove {
    /// Moves a picture, and the note about it beside it: neither is left without the other.
    func run(with note: FailureNote?) throws(FilingError) -> Outcome {
        guard let note else { return try run() }
        var written: FileIdentity?
        return try run { name throws(FilingError) in
            written = try note.write(beside: name, in: folder)
            return written != nil
        } withdraw: { name in
            if let written { FailureNote.remove(beside: name, in: folder, written) }
        }
    }
}
