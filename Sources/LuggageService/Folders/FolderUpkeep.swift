internal import Synchronization

/// Keeps the watched folders in order: their locks, and pictures left under hidden names.
final class FolderUpkeep: Sendable {
    private let locks: FolderLocks
    private let stuck: StuckPictures
    private let reporter: ServiceReporter
    /// The folders that were locked since the last time that pictures were put back there.
    private let lockedAnew = Mutex<[String]>([])

    init(locks: FolderLocks, stuck: StuckPictures, reporter: ServiceReporter) {
        self.locks = locks
        self.stuck = stuck
        self.reporter = reporter
    }

    /// Takes missing locks, and reports problems with that.
    func renewLocks() {
        let news = locks.renew()
        for trouble in news.troubles { reporter.complain(trouble) }
        if !news.folders.isEmpty { lockedAnew.withLock { $0 += news.folders } }
    }

    /// Tells readers of the lock files why filing has paused, or that it goes on.
    func tell(_ trouble: FilingTrouble?) {
        locks.tell(trouble)
    }

    /// Tells readers of the lock files what is left unfiled in dropped folders.
    func tell(left words: [String]) {
        locks.tell(left: words)
    }

    /// Whether ``putBack()`` has something to do.
    var hasToPutBack: Bool { !stuck.isEmpty || !lockedAnew.withLock { $0.isEmpty } }

    /// Puts back what it can, while no picture is being moved: a moved one has a hidden name too.
    func putBack() {
        putBackLeft()
        for path in stuck.putBack() { reporter.tell(putBack: path) }
    }

    /// Puts back what the last owner of a lock was moving, while no picture is being moved.
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
