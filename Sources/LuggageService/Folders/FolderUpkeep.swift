internal import Synchronization

/// Keeps the watched folders in order: their locks, and the pictures in them that have a hidden name
/// and are not being moved.
final class FolderUpkeep: Sendable {
    private let locks: FolderLocks
    private let stuck: StuckPictures
    private let reporter: ServiceReporter
    /// The folders that were locked since pictures were last put back there.
    private let lockedAnew = Mutex<[String]>([])

    init(locks: FolderLocks, stuck: StuckPictures, reporter: ServiceReporter) {
        self.locks = locks
        self.stuck = stuck
        self.reporter = reporter
    }

    /// Takes the locks that are missing, and tells what is wrong with that.
    func renewLocks() {
        let news = locks.renew()
        for trouble in news.troubles { reporter.complain(trouble) }
        if !news.folders.isEmpty { lockedAnew.withLock { $0 += news.folders } }
    }

    /// Has whoever asks in the folders know why filing has paused, or that it goes on.
    func tell(_ trouble: FilingTrouble?) {
        locks.tell(trouble)
    }

    /// Has whoever asks in the folders know what is left in dropped ones, and is not filed.
    func tell(left words: [String]) {
        locks.tell(left: words)
    }

    /// Whether ``putBack()`` has something to do.
    var hasToPutBack: Bool { !stuck.isEmpty || !lockedAnew.withLock { $0.isEmpty } }

    /// Puts back what can be put back, while no picture is being moved: that has a hidden name too.
    func putBack() {
        putBackLeft()
        for path in stuck.putBack() { reporter.tell(putBack: path) }
    }

    /// Puts back what was being moved by the last service that had a lock, while no picture is being
    /// moved.
    func putBackLeft() {
        let folders = lockedAnew.withLock { folders in
            defer { folders = [] }
            return folders
        }
        for error in folders.flatMap(ClaimedPicture.putBackAll) {
            stuck.add(from: error)
            reporter.complain(error)
        }
    }
}
