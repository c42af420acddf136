package import SystemSupport

/// Decides how one folder is watched, and when to examine it.
///
/// It only decides and does nothing: the caller checks, arms and scans when told to, and reports
/// the results.
package struct FolderSchedule {
    /// The intervals between examinations.
    package struct Intervals: Sendable {
        /// Between scans if events report every change.
        package var reconcile: Duration
        /// Between checks whether the path leads to the same folder, if nothing reports that.
        package var identity: Duration
        /// Between scans if events do not report every change.
        package var poll: Duration

        /// Makes the intervals from their lengths.
        package init(reconcile: Duration, identity: Duration, poll: Duration) {
            // A zero interval would keep a processor busy.
            self.reconcile = max(reconcile, .milliseconds(1))
            self.identity = max(identity, .milliseconds(1))
            self.poll = max(poll, .milliseconds(1))
        }

        /// Work due within this time is done at once, so that one wake-up serves for several tasks.
        var slack: Duration { min(.milliseconds(100), min(reconcile, min(identity, poll)) / 10) }
    }

    /// The action after a check.
    package enum Step: Hashable, Sendable {
        /// Nothing: the folder is watched as it should be.
        case keep
        /// Watch this folder, instead of the one watched before.
        case arm
        /// Stop watching: there is no folder.
        case disarm
    }

    private let intervals: Intervals
    private var identity: FolderIdentity?
    private var hasWatch = false
    /// Whether the kernel reports if the path leads to another folder.
    private var isTold = false
    private var checkDue: Moment
    private var scanDue: Moment
    private var watching = WatchStatus.Condition.starting
    private var scanFailure: WatchStatus.Condition?
    private var wasArmed = false
    /// The last folder that the path led to, even if there is none now.
    private var lastFound: FolderIdentity?
    /// Whether that folder was since removed, or its file system unmounted.
    private var hasEnded = false

    /// How often the path began to lead to another folder.
    package private(set) var replacements = WatchStatus.Replacements()

    /// Whether the folder was scanned since it first existed.
    package private(set) var wasScanned = false

    /// Makes a schedule in which everything is due.
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

    /// Whether there is a folder to scan.
    private var isPresent: Bool { identity != nil }

    /// Whether the folder may be scanned for names before the next scan for changes.
    package var mayScanForNames: Bool { isPresent && scanFailure == nil }

    /// When the next work is due.
    package var nextDue: Moment { isPresent ? min(checkDue, scanDue) : checkDue }

    /// Whether to check the path now.
    package func mustCheck(at now: Moment) -> Bool { checkDue <= now + intervals.slack }

    /// Whether to scan the folder for changes now.
    package func mustScan(at now: Moment) -> Bool {
        isPresent && scanDue <= now + intervals.slack
    }

    /// Makes a check due, because something has happened to the folder itself.
    package mutating func checkSoon(now: Moment) {
        checkDue = min(checkDue, now)
    }

    /// Makes a scan due, because something may have changed in it without an event.
    package mutating func scanSoon(now: Moment) {
        scanDue = min(scanDue, now)
    }

    /// Records that the kernel has ended the watch.
    package mutating func watchEnded(now: Moment) {
        hasWatch = false
        hasEnded = true
        checkSoon(now: now)
    }

    /// Records which folder the path leads to.
    ///
    /// - Parameters:
    ///   - result: The folder.
    ///   - isTold: Whether the kernel reports if the path leads to another folder.
    ///   - now: The time.
    /// - Returns: The action.
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

    /// A new folder may have the inode number of a removed one.
    private mutating func countReplacement(by found: FolderIdentity) {
        defer { (lastFound, hasEnded) = (found, false) }
        guard let lastFound, found != lastFound || hasEnded else { return }
        if found.device == lastFound.device && found.mount == lastFound.mount {
            replacements.folders += 1
        } else {
            replacements.mounts += 1
        }
    }

    /// Kernel reports are only hints, and for a server there may be none.
    ///
    /// In that case, and while there is no folder or no watch, checks are more frequent.
    private mutating func setCheckDue(now: Moment) {
        let isQuiet = isTold && hasWatch && watching == .events
        checkDue = now + (isQuiet ? intervals.reconcile : intervals.identity)
    }

    /// The result of arming.
    package enum Arming: Hashable, Sendable {
        /// Events come from this folder, to which the path led just before and just after.
        case done(FolderIdentity, FileSystemKind)
        /// No events are available.
        case failed(SystemError)
    }

    /// Records the result of arming.
    ///
    /// - Returns: Whether the folder replaces another watched one, or was absent before.
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
                // It was replaced meanwhile: check the path once more.
                identity = nil
                checkSoon(now: now)
                return false
            }
            hasWatch = true
            watching = kind.tellsEverything ? .events : .polling(.silent(kind))
            setCheckDue(now: now)
            // Changes since the last scan caused no event.
            scanSoon(now: now)
            defer { wasArmed = true }
            return wasArmed
        }
    }

    /// Records that a scan has ended.
    ///
    /// - Parameters:
    ///   - error: The error that ended it early, if one did.
    ///   - depth: The depth of the scan.
    ///   - began: The time at which it began.
    ///   - now: The time.
    package mutating func scanned(
        _ error: SystemError?,
        depth: ScanDepth,
        began: Moment,
        now: Moment
    ) {
        // Scans of a large or remote folder take at most a tenth of the time.
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
