internal import CLinux
internal import Glibc
internal import SystemSupport

/// The folder for the lock of a watched folder: the folder itself, unless others may write to it.
///
/// A user who may make files there could make the lock file first, and keep the service from starting.
/// So if others drop pictures into a folder, its lock is in a folder within it that belongs to the
/// service, and that the sticky bit keeps in place.
enum LockFolder {
    /// The name of the service's own folder; it is hidden, so nothing looks for pictures in it.
    static let name = ".luggage-watch"

    /// Finds the folder, and makes it if it is missing.
    ///
    /// - Parameter folder: The watched folder, which exists.
    /// - Returns: The folder.
    /// - Throws: ``FilingError`` if it is not available.
    static func make(for folder: String) throws(FilingError) -> HeldFolder {
        let watched = try HeldFolder(at: folder)
        guard isShared(watched) else { return watched }
        guard geteuid() == 0 || watched.status?.owner == geteuid() else {
            let path = folder.onOneLine
            throw FilingError(
                refusing:
                    "others may write to \(path), which does not belong to the service, and could "
                    + "keep the service from starting; run 'chown "
                    + "\(FolderRights.name(of: geteuid())) \(path)', or 'chmod "
                    + "go-w \(path)' if nobody drops pictures into it"
            )
        }
        let place = FilePlace(Array(name.utf8), in: watched)
        for _ in 0..<mostTries {
            let isNew = unsafe mkdirat(watched.descriptor, place.name, 0o755) == 0
            if !isNew && errno != EEXIST {
                throw FilingError(errno, "the folder \(place.path.displayText) cannot be made")
            }
            let own = open(in: watched)
            if isNew, let own { filing_set_rights(own.descriptor, 0o755) }
            if let own, isOwn(own) { return own }
            // The owner of the watched folder may move away what others have put there.
            let away = "\(name)-\(FreeNames.present)"
            if place.replace(FilePlace(Array(away.utf8), in: watched)) != 0 { break }
        }
        let path = place.path.displayText.onOneLine
        throw FilingError(
            refusing:
                "\(path) is where the service keeps its lock, but belongs to somebody else; remove it"
        )
    }

    /// The most tries: at each, someone else may be quicker.
    private static let mostTries = 10

    /// Finds the folder.
    ///
    /// - Parameter folder: The watched folder.
    /// - Returns: The folder; nil if it is missing, or made by a user who only drops pictures.
    static func find(for folder: String) -> HeldFolder? {
        guard let watched = try? HeldFolder(at: folder) else { return nil }
        guard isShared(watched) else { return watched }
        guard let own = open(in: watched), let status = own.status,
            let owner = watched.status?.owner
        else { return nil }
        return [geteuid(), 0, owner].contains(status.owner) ? own : nil
    }

    private static func open(in watched: HeldFolder) -> HeldFolder? {
        HeldFolder(FilePlace(Array(name.utf8), in: watched))
    }

    private static func isShared(_ folder: HeldFolder) -> Bool {
        (folder.status?.permissions ?? 0) & FolderRights.writing != 0
    }

    private static func isOwn(_ folder: HeldFolder) -> Bool {
        guard let status = folder.status else { return false }
        return status.owner == geteuid() && status.permissions & FolderRights.writing == 0
    }
}
