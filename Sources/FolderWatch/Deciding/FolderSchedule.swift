/// How one folder is watched, and when to look at it.
///
/// It decides, and does nothing: whoever keeps it checks, arms and scans when told to, and says what
/// came of it.
package struct FolderSchedule {
    /// How often to look.
    package struct Intervals: Sendable {
        /// Between scans where events tell of every change.
        package var reconcile: Duration
        /// Between checks whether the path leads to the same folder, where nothing tells of it.
        package var identity: Duration
        /// Between scans where they do not.
        package var poll: Duration

        /// Puts them together.
        package init(reconcile: Duration, identity: Duration, poll: Duration) {
            // An interval of nothing would keep a processor busy.
            self.reconcile = max(reconcile, .milliseconds(1))
            self.identity = max(identity, .milliseconds(1))
            self.poll = max(poll, .milliseconds(1))
        }

        /// What is due within this time is done at once, so that one wake-up serves for several.
        var slack: Duration { min(.milliseconds(100), min(reconcile, min(identity, poll)) / 10) }
    }

    /// What to do after a check.
    package enum Step: Hashable, Sendable {
        /// The folder is watched as it should be.
        case keep
        /// It must be watched, instead of what was watched before.
        case arm
        /// There is nothing to watch.
        case disarm
    }

    private let intervals: Intervals
    private var identity: FolderIdentity?
    private var hasWatch = false
    /// Whether there would be a sign if the path came to lead elsewhere.
    private var isTold = false
    private var checkDue: Moment
    private var scanDue: Moment
    private var watching = WatchStatus.Condition.starting
    private var scanFailure: WatchStatus.Condition?
    private var wasArmed = false
    /// The folder to which the path has led last, also where there is none now.
    private var lastFound: FolderIdentity?
    /// Whether that one was removed since, or its file system unmounted.
    private var hasEnded = false

    /// How often the path has come to lead to another folder.
    package private(set) var replacements = WatchStatus.Replacements()

    /// Whether it was scanned since it was first there.
    package private(set) var wasScanned = false

    /// A schedule by which everything is due.
    package init(intervals: Intervals, now: Moment) {
        self.intervals = intervals
        checkDue = now
        scanDue = now
    }

    /// How the folder is watched.
    package var condition: WatchStatus.Condition {
        switch watching {
        case .absent: watching
        default: scanFailure ?? watching
        }
    }

    /// Whether a scan would find a folder.
    private var isPresent: Bool { identity != nil }

    /// Whether the folder may be scanned for names before a scan for changes is due.
    package var mayScanForNames: Bool { isPresent && scanFailure == nil }

    /// When there is something to do next.
    package var nextDue: Moment { isPresent ? min(checkDue, scanDue) : checkDue }

    /// Whether the path is to be checked now.
    package func mustCheck(at now: Moment) -> Bool { checkDue <= now + intervals.slack }

    /// Whether the folder is to be scanned for changes now.
    package func mustScan(at now: Moment) -> Bool {
        isPresent && scanDue <= now + intervals.slack
    }

    /// Makes a check due: something has happened to the folder itself.
    package mutating func checkSoon(now: Moment) {
        checkDue = min(checkDue, now)
    }

    /// Makes a scan due: something may have happened in it without an event.
    package mutating func scanSoon(now: Moment) {
        scanDue = min(scanDue, now)
    }

    /// Takes to account that the kernel has given up watching.
    package mutating func watchEnded(now: Moment) {
        hasWatch = false
        hasEnded = true
        checkSoon(now: now)
    }

    /// Takes to account which folder the path leads to.
    ///
    /// - Parameters:
    ///   - result: The folder.
    ///   - isTold: Whether there will be a sign if the path comes to lead elsewhere.
    ///   - now: The time.
    /// - Returns: What to do.
    package mutating func checked(
        _ result: Result<FolderIdentity, SystemError>,
        isTold: Bool = false,
        now: Moment
    ) -> Step {
        self.isTold = isTold
        defer { setCheckDue(now: now) }
        switch result {
        case .failure(let error):
            identity = nil
            hasWatch = false
            watching = .absent(.folderError(error))
            return .disarm
        case .success(let found):
            countReplacement(by: found)
            if found == identity, hasWatch { return .keep }
            if found != identity {
                identity = found
                hasWatch = false
                scanSoon(now: now)
            }
            return .arm
        }
    }

    /// A new folder may have the number of one that was removed.
    private mutating func countReplacement(by found: FolderIdentity) {
        defer { (lastFound, hasEnded) = (found, false) }
        guard let lastFound, found != lastFound || hasEnded else { return }
        if found.device == lastFound.device && found.mount == lastFound.mount {
            replacements.folders += 1
        } else {
            replacements.mounts += 1
        }
    }

    /// Signs are hints too, and need not come from a server: then, and while there is no folder or no
    /// watch, it is looked at more often.
    private mutating func setCheckDue(now: Moment) {
        let isQuiet = isTold && hasWatch && watching == .events
        checkDue = now + (isQuiet ? intervals.reconcile : intervals.identity)
    }

    /// What came of arming.
    package enum Arming: Hashable, Sendable {
        /// Events come from the folder that the path led to just before and just after.
        case done(FolderIdentity, FileSystemKind)
        /// They cannot be had.
        case failed(SystemError)
    }

    /// Takes to account what came of arming.
    ///
    /// - Returns: Whether the folder is watched instead of another one, or after it was absent.
    package mutating func armed(_ result: Arming, now: Moment) -> Bool {
        switch result {
        case .failed(let error) where error.isExhaustion || error.isUnsupported:
            watching = .polling(.eventError(error))
            scanDue = min(scanDue, now + intervals.poll)
            return false
        case .failed(let error):
            identity = nil
            watching = .absent(.folderError(error))
            return false
        case .done(let found, let kind):
            guard found == identity else {
                // It was replaced meanwhile; the path is to be checked once more.
                identity = nil
                checkSoon(now: now)
                return false
            }
            hasWatch = true
            watching = kind.tellsEverything ? .events : .polling(.silent(kind))
            setCheckDue(now: now)
            // What has happened since the last scan gave no event.
            scanSoon(now: now)
            defer { wasArmed = true }
            return wasArmed
        }
    }

    /// Takes to account that a scan has ended.
    ///
    /// - Parameters:
    ///   - error: Why it has not come to the end of the folder, where that was not wanted.
    ///   - depth: What it was for.
    ///   - began: When it began.
    ///   - now: The time.
    package mutating func scanned(
        _ error: SystemError?,
        depth: ScanDepth,
        began: Moment,
        now: Moment
    ) {
        // Scans of a folder that is large, or far away, take a tenth of the time at most.
        let rest = (now - began) * 9
        if let error {
            scanFailure =
                error.isExhaustion ? .polling(.eventError(error)) : .absent(.folderError(error))
            scanDue = now + max(intervals.poll, rest)
            checkSoon(now: now + intervals.identity)
        } else if depth == .changes {
            wasScanned = true
            scanFailure = nil
            let interval = watching == .events ? intervals.reconcile : intervals.poll
            scanDue = now + max(interval, rest)
        }
    }
}

extension WatchStatus.Reason {
    static func silent(_ kind: FileSystemKind) -> Self {
        Self(
            code: .silentFileSystem,
            errorNumber: 0,
            description: "\(kind.name) does not tell of every change"
        )
    }

    static func eventError(_ error: SystemError) -> Self {
        Self(
            code: error.isExhaustion ? .exhausted : .systemError,
            errorNumber: error.number,
            description: "no events can be had: \(error)"
        )
    }

    static func folderError(_ error: SystemError) -> Self {
        let code: Code =
            if error.isMissing {
                .missing
            } else if error == .notFolder {
                .notFolder
            } else if error.isRefusal {
                .noAccess
            } else {
                .systemError
            }
        return Self(code: code, errorNumber: error.number, description: "\(error)")
    }
}
