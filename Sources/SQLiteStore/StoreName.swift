internal import Glibc
internal import ObjectStore
internal import SystemSupport

/// The name by which a store's file is open: that in a folder, which may itself have several.
///
/// SQLite keeps the log and its index beside the name by which it opened a file. A file that is open by two names,
/// as by a hard link to it, or by one after it was moved, would have a log for each, and who writes one into the file
/// would write over what the other has (https://www.sqlite.org/howtocorrupt.html, 2.3 and 2.4).
struct StoreName: Equatable, Sendable {
    private let folder: FileIdentity?
    /// As the system has it: two names may look the same.
    private let name: [UInt8]
    private let place: String

    init(_ place: String) {
        folder = FileStatus(at: place.parentPath)?.identity
        name = Array(place.lastPathComponent.utf8)
        self.place = place
    }

    /// How long another process may be between opening a file and the index beside it.
    private static let opening = Duration.seconds(2)

    /// Opens a file by this name only in this process; ``FileHold/endUse()`` allows others again.
    ///
    /// - Throws: ``StoreError`` with the code `locked` if it is open by another name.
    func use(_ file: FileHold) throws {
        guard file.use(as: self) else { throw refusal(file, getpid()) }
    }

    /// Refuses a file with a log that another process has open by another name.
    ///
    /// Without a log readers may have it open by any name.
    ///
    /// Before it is opened, so that nothing is made beside this name; and again before anything is written to the log
    /// here, since two that begin at the same time see each other only then.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - isIndexNew: Whether this opening has made the index beside this name: who has opened the file by this
    ///     name before has none then.
    /// - Throws: ``StoreError`` with the code `locked`.
    func refuseOthers(of file: FileHold, isIndexNew: Bool = false) throws {
        let end = ContinuousClock.now + Self.opening
        while let lock = file.lockOfOthers, isElsewhere(file, in: lock.process, isIndexNew) {
            // Who keeps all others out is waited for as usual.
            if lock.isExclusive && FileStatus(at: index) != nil { return }
            if ContinuousClock.now < end {
                usleep(5000)
                continue
            }
            if lock.isExclusive { return }
            throw refusal(file, lock.process)
        }
    }

    /// The index of the log beside this name.
    var index: String { place + "-shm" }

    /// Whether nobody uses the index beside this name, and a process that uses the file cannot do that.
    private func isElsewhere(_ file: FileHold, in process: pid_t, _ isIndexNew: Bool) -> Bool {
        if FileStatus(at: index) == nil { return true }
        // Who may not read it is not told.
        guard let hold = try? FileHold(path: index, isMade: false) else { return false }
        // This process may have locks on it, too.
        file.keepOpen(hold)
        if hold.owner(ofLockAt: LogIndex.useLock) != nil { return false }
        if isIndexNew { return true }
        // Who may read the index that others have left, and not write it, locks nothing of it.
        guard let other = file.path(in: process),
            FileStatus(at: other)?.identity == file.identity
        else { return false }
        return StoreName(other) != self
    }

    private func refusal(_ file: FileHold, _ process: pid_t) -> StoreError {
        let other = file.path(in: process)
        let words =
            switch process {
            case getpid(): "this process"
            case 0: "a process elsewhere, as in another container"
            default: "process \(process)"
            }
        if other.map(StoreName.init) == self {
            return StoreError(
                .locked,
                "\(place) is open in \(words), and \(place)-shm was removed, or the file moved, since: what "
                    + "one saves the other would lose; end that process"
            )
        }
        return StoreError(
            .locked,
            "\(place) is open in \(words)\(other.map { " as \($0)" } ?? "") without \(place)-shm: what one saves the "
                + "other would lose; use one name of the file, or end that process"
        )
    }

    static func == (a: StoreName, b: StoreName) -> Bool { a.folder == b.folder && a.name == b.name }
}
