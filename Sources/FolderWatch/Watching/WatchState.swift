/// The state of a watch, and the tasks that wait for something.
struct WatchState {
    /// Work to do after unlocking.
    typealias Effect = @Sendable () -> Void

    struct Waiter<Value> {
        let number: UInt64
        let continuation: CheckedContinuation<Value, Never>
    }

    /// The tasks that wait for the same event.
    typealias WaitingLine = any WritableKeyPath<WatchState, [Waiter<Void>]> & Sendable

    let paths: [[UInt8]]
    var ledger: FileLedger
    var schedules: [FolderSchedule]
    var overflows = 0
    var rearms = 0
    var skipped = WatchStatus.Skipped()

    var isStopped = false
    var hasEnded = false
    /// Whether waiting tasks get no files, because events are being read.
    var isTakingEvents = false
    /// The time until which the thread sleeps unless woken; nil while it is awake.
    var sleepsUntil: Moment?

    /// The inner folders whose events are to be requested.
    private var innerFolders: [InnerFolder] = []
    /// The most of them that are kept until the thread takes them.
    private let mostInnerFolders: Int

    var fileWaiters: [Waiter<FileLedger.Taken?>] = []
    var readinessWaiters: [Waiter<Void>] = []
    var idlenessWaiters: [Waiter<Void>] = []
    var endWaiters: [CheckedContinuation<Void, Never>] = []
    var probes: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var observers: [UInt64: StatusObserver<WatchStatus>] = [:]
    /// Whether observers must be notified.
    var hasNewStatus = false

    private var effects: [Effect] = []
    private var lastNumber: UInt64 = 0

    init(paths: [[UInt8]], options: FolderWatch.Options, now: Moment) {
        self.paths = paths
        ledger = FileLedger(
            folderCount: paths.count,
            grace: options.grace,
            mostPending: options.mostPending,
            lookAgain: max(options.pollInterval, .milliseconds(1)),
            handsOutFolders: options.handsOutFolders
        )
        mostInnerFolders = max(1, options.mostInnerWatches)
        let intervals = FolderSchedule.Intervals(
            reconcile: options.reconcileInterval,
            identity: options.identityInterval,
            poll: options.pollInterval
        )
        schedules = paths.map { _ in FolderSchedule(intervals: intervals, now: now) }
    }

    /// Whether all folders are watched or polled, and were scanned.
    var isWatching: Bool {
        schedules.allSatisfy { schedule in
            switch schedule.condition {
            case .events, .polling: schedule.wasScanned
            case .starting, .absent: false
            }
        }
    }

    /// When the next work is due; nil if it is due at once.
    mutating func nextDue() -> Moment? {
        if !innerFolders.isEmpty { return nil }
        var next = ledger.nextDue()
        for (folder, schedule) in schedules.enumerated() {
            if schedule.mayScanForNames, ledger.wantsNames(of: folder) { return nil }
            next = next.map { min($0, schedule.nextDue) } ?? schedule.nextDue
        }
        return next ?? .farthest
    }

    /// Asks the thread to follow the events of inner folders.
    mutating func ask(for folders: [InnerFolder]) {
        innerFolders = (innerFolders + folders).suffix(mostInnerFolders)
    }

    /// Returns and clears the inner folders whose events are to be requested.
    mutating func takeInnerFolders() -> [InnerFolder] {
        defer { innerFolders = [] }
        return innerFolders
    }

    /// Makes a unique number.
    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Adds work to do after unlocking.
    mutating func afterwards(_ effect: @escaping Effect) {
        effects.append(effect)
    }

    /// Serves the waiting tasks, as far as that is possible now.
    mutating func serve() {
        while !fileWaiters.isEmpty, isStopped || !isTakingEvents {
            let taken = isStopped ? nil : ledger.take()
            guard isStopped || taken != nil else { break }
            let waiter = fileWaiters.removeFirst()
            afterwards { waiter.continuation.resume(returning: taken) }
        }
        if !readinessWaiters.isEmpty, isStopped || isWatching {
            letGo(\.readinessWaiters)
        }
        if !idlenessWaiters.isEmpty, isStopped || (isWatching && ledger.isIdle) {
            letGo(\.idlenessWaiters)
        }
        if hasNewStatus {
            hasNewStatus = false
            if !observers.isEmpty {
                let (status, number) = (status, makeNumber())
                for observer in observers.values {
                    afterwards { observer.tell(status, number) }
                }
            }
        }
        if hasEnded {
            for waiter in endWaiters { afterwards { waiter.resume() } }
            endWaiters = []
            for observer in observers.values { afterwards { observer.continuation.finish() } }
            observers = [:]
            answerProbes(false)
        }
    }

    private mutating func letGo(_ line: WaitingLine) {
        for waiter in self[keyPath: line] { afterwards { waiter.continuation.resume() } }
        self[keyPath: line] = []
    }

    /// Answers all probes whether the thread is alive.
    mutating func answerProbes(_ answer: Bool) {
        guard !probes.isEmpty else { return }
        for probe in probes.values {
            afterwards { probe.resume(returning: answer) }
        }
        probes = [:]
    }

    /// Returns and clears the work to do after unlocking.
    mutating func takeEffects() -> [Effect] {
        guard !effects.isEmpty else { return [] }
        defer { effects = [] }
        return effects
    }

    var status: WatchStatus {
        let tallies = paths.indices.map(ledger.tally)
        return WatchStatus(
            folders: paths.indices.map { folder in
                WatchStatus.Folder(
                    path: paths[folder],
                    condition: schedules[folder].condition,
                    pending: tallies[folder].pending,
                    hasMore: ledger.hasMore(in: folder),
                    replacements: schedules[folder].replacements
                )
            },
            pending: tallies.reduce(0) { $0 + $1.pending },
            inWork: tallies.reduce(0) { $0 + $1.inWork },
            waiting: tallies.reduce(0) { $0 + $1.waiting },
            delayed: tallies.reduce(0) { $0 + $1.delayed },
            settled: tallies.reduce(0) { $0 + $1.settled },
            skipped: skipped,
            overflows: overflows,
            rearms: rearms
        )
    }
}
