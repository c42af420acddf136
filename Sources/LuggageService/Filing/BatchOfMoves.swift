internal import FoundationEssentials
internal import Glibc
internal import LuggageTags
internal import SystemSupport
internal import TagReading

/// Moves the pictures of one batch to their folders, and makes all moves durable at once.
struct BatchOfMoves {
    let layout: FolderLayout
    private let rights: FolderRights
    /// How much of a picture its digest covers.
    private let limits: ReadLimits
    /// The folder that was watched when the batch began; nil if there was none.
    private let root: HeldFolder?
    /// The destination folders, each as it was at its first use.
    private var folders: [FolderLayout.Destination: HeldFolder] = [:]
    /// The folders to which pictures were moved.
    private var destinations: Set<FolderLayout.Destination> = []
    /// The folders from which they have gone.
    private var sources: Set<String> = []
    /// The folders from which pictures may be taken.
    private var checked: Set<[UInt8]> = []

    /// Begins a batch.
    ///
    /// - Parameters:
    ///   - layout: The folders.
    ///   - record: The file that the record is in.
    ///   - limits: What one picture may cost to read.
    init(layout: FolderLayout, besides record: String? = nil, limits: ReadLimits = .default) {
        self.layout = layout
        self.limits = limits
        rights = FolderRights(besides: record)
        root = try? HeldFolder(at: layout.path)
    }

    /// Moves one picture, whose record is on the disk by now.
    ///
    /// - Parameters:
    ///   - read: The picture.
    ///   - outcome: The result of filing it.
    ///   - earlier: The results of its tags, if it was filed before but could not be moved.
    /// - Returns: What happened to it.
    mutating func move(
        _ read: DroppedPicture,
        _ outcome: DroppedOutcome,
        earlier: EarlierReports?
    ) -> FilingResult {
        let picture = read.picture
        var filed = FiledPicture(
            name: read.file.name,
            destination: .processed,
            path: nil,
            point: picture.point,
            role: picture.role,
            station: picture.station,
            digest: picture.digest,
            reports: [],
            isFromRecord: earlier?.isFromRecord ?? false,
            attempts: picture.attempts
        )
        /// In the record names are text; here different names must not look alike.
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
                attempts: picture.attempts,
                results: filed.reports,
                at: Date()
            )
            if note != nil { filed.destination = .failed }
        }
        do throws(FilingError) {
            try check(read.file.folder)
            switch try run(read.file.path, read.image, picture.digest, to: filed.destination, note)
            {
            case .gone: return .filed(filed)
            case .changed: return .changed
            case .moved(let name):
                let folder = layout.path(of: filed.destination)
                filed.path = Array("\(folder)/".utf8) + name
                destinations.insert(filed.destination)
                sources.insert(read.file.folder.path.pathText)
                return .filed(filed)
            }
        } catch {
            return .notMoved(error)
        }
    }

    /// Moves the picture, and makes its destination folder again if someone removed it.
    ///
    /// - Parameters:
    ///   - source: Where it was dropped.
    ///   - image: The file that was read.
    ///   - digest: The digest of what was read.
    ///   - destination: The destination folder.
    ///   - note: The failure note for it.
    ///   - observe: Called with each step.
    /// - Returns: Where it went.
    /// - Throws: ``FilingError``.
    mutating func run(
        _ source: [UInt8],
        _ image: TagImage,
        _ digest: String? = nil,
        to destination: FolderLayout.Destination,
        _ note: FailureNote?,
        observe: @escaping (PictureMove.Step) -> Void = { _ in }
    ) throws(FilingError) -> PictureMove.Outcome {
        var move = PictureMove(
            source: source,
            image: image,
            folder: try folder(for: destination),
            content: digest.map { PictureMove.Content(digest: $0, limits: limits) },
            observe: observe
        )
        do throws(FilingError) {
            return try move.run(with: note)
        } catch {
            guard error.number == ENOENT, error.stuck == nil else { throw error }
            // It may have been removed since it was opened.
            folders[destination] = nil
            move.folder = try folder(for: destination)
        }
        move.wasPutBack = true
        return try move.run(with: note)
    }

    /// Returns the checked folder for a destination, and makes it if someone removed it.
    ///
    /// Makes nothing if the watched folder is now a different one: the original may have been renamed
    /// and may come back, and a new folder in its place would be in the way.
    ///
    /// - Throws: ``FilingError`` if it is not available, or must not be used.
    private mutating func folder(
        for destination: FolderLayout.Destination
    ) throws(FilingError) -> HeldFolder {
        if let folder = folders[destination] { return folder }
        guard let root, let place = root.identity, place == FileStatus(at: layout.path)?.identity
        else {
            throw FilingError(ENOENT, "the folder \(layout.path) was replaced")
        }
        _ = try rights.secure(namesIn: root, takesPictures: false)
        if try rights.open(destination, in: root) == nil {
            _ = try FolderLayout.make(destination, in: root)
        }
        guard let folder = try rights.open(destination, in: root)?.folder else {
            throw FilingError(ENOENT, "the folder \(layout.path(of: destination)) cannot be made")
        }
        folders[destination] = folder
        return folder
    }

    /// Checks that pictures may be taken from a folder: it may have been replaced since the start.
    private mutating func check(_ folder: DropFolder) throws(FilingError) {
        if checked.contains(folder.path) { return }
        guard let root else {
            throw FilingError(ENOENT, "the folder \(layout.path) cannot be opened")
        }
        _ = try rights.secure(folder, in: root)
        checked.insert(folder.path)
    }

    /// Makes the moves survive a power loss.
    ///
    /// If that fails, nothing is lost: the pictures would be found where they were dropped, and the
    /// journal knows them. No picture leaves that folder before it is in its destination.
    ///
    /// - Returns: The failures.
    func makeDurable() -> [FilingError] {
        let errors = destinations.sorted { $0.rawValue < $1.rawValue }.compactMap { destination in
            Self.synchronize(layout.path(of: destination)) {
                folders[destination]?.synchronize() ?? 0
            }
        }
        return errors
            + sources.sorted().compactMap { folder in
                Self.synchronize(folder) { folder.synchronizeFolder() }
            }
    }

    private static func synchronize(_ folder: String, _ body: () -> Int32) -> FilingError? {
        // Retries once: the first call also reports, and so clears, the error of earlier writes.
        guard body() != 0 else { return nil }
        let number = body()
        if number == 0 { return nil }
        return FilingError(number, "moves in \(folder) may not survive a loss of power")
    }
}

extension PictureMove {
    /// Moves a picture together with its note: neither is left without the other.
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
