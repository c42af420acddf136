internal import Foundation
internal import LuggageTags
internal import SystemCalls

#if canImport(Glibc)
internal import Glibc
#endif

/// Moves the pictures of one batch to where they belong, and makes that durable once for all.
struct BatchOfMoves {
    let layout: FolderLayout
    /// The folders to which pictures were moved.
    private var destinations: Set<String> = []
    /// The folders from which they have gone.
    private var sources: Set<String> = []

    init(layout: FolderLayout) {
        self.layout = layout
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
            switch try run(move, note) {
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
    private func run(
        _ move: PictureMove,
        _ note: FailureNote?
    ) throws(FilingError) -> PictureMove.Outcome {
        do throws(FilingError) {
            return try move.run(with: note)
        } catch {
            guard error.number == ENOENT else { throw error }
            try layout.make()
        }
        var again = move
        again.wasPutBack = true
        return try again.run(with: note)
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
