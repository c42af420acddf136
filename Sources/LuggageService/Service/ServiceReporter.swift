internal import FoundationEssentials
internal import Logging
internal import LuggageTags
internal import Synchronization
internal import SystemSupport

/// Reports what happens to pictures: to the log, the service manager, the metrics and the hook.
final class ServiceReporter: Sendable {
    /// How many pictures were filed, failed or passed over, and what is wrong.
    struct Counts: Sendable, Equatable {
        var processed = 0
        var duplicates = 0
        var failed = 0
        var passedOver = 0
        /// Why filing has paused; nil while it goes on.
        var pause: String?
        /// How many things are left unfiled in dropped folders.
        var left = 0
        /// What is wrong with the folders; nil while all are watched.
        var folders: String?
        /// How many alarms are open that nobody has taken note of.
        var alarms = 0
    }

    private let logger: Logger
    private let metrics: ServiceMetrics
    private let hooks: HookRunner
    private let counts = Mutex(Counts())
    private let passedOver = Mutex(PassedOver())
    private let status = StatusNews()

    init(logger: Logger, metrics: ServiceMetrics, hooks: HookRunner) {
        self.logger = logger
        self.metrics = metrics
        self.hooks = hooks
    }

    /// The counts so far.
    var total: Counts { counts.withLock { $0 } }

    /// Reports that work on a file begins.
    func tellBegin(of file: DroppedFile) {
        logger.debug("\(file.name.displayText.onOneLine) is taken up")
    }

    /// Reports what happened to a file.
    ///
    /// - Parameters:
    ///   - disposition: What happened to it.
    ///   - file: The file.
    ///   - duration: The time since the watch handed it out.
    func tell(_ disposition: Disposition, of file: DroppedFile, after duration: Duration) {
        var logger = logger
        logger[metadataKey: "picture"] = "\(file.name.displayText)"
        let name = file.name.displayText.onOneLine
        switch disposition {
        case .filed(let filed):
            tell(filed, logger, after: duration)
        case .passedOver(let why):
            tell(passedOver: .finding(why), name: name, logger)
        case .postponed(let why):
            logger.warning("\(name): \(why); it will be tried again")
        case .forbidden(let why):
            logger.warning("\(name): \(why); it will be tried again after that is changed")
        case .unfinished(let why):
            logger.info("\(name) \(why)")
        case .gone:
            logger.debug("\(name) was removed")
        case .abandoned:
            logger.debug("\(name) is left for the next start")
        case .visited(let visit, let left):
            if visit.moved > 0 {
                logger.info("\(name): \(visit.moved) of its files were moved up to be filed")
            }
            if visit.isRemoved { logger.debug("\(name) was empty, and was removed") }
            for refusal in left {
                logger.log(level: refusal.cause.isMeant ? .notice : .warning, "\(refusal.words)")
            }
        }
    }

    private func tell(_ filed: FiledPicture, _ logger: Logger, after duration: Duration) {
        if filed.isFiledElsewhere { return log(filed, logger) }
        metrics.countPicture(filed.destination.rawValue, filedIn: duration)
        // Results of earlier runs were counted then.
        for report in filed.reports where !filed.isFromRecord {
            metrics.countTag(report.outcome, at: report.point)
            if let problem = report.error { metrics.countFailure(reason: problem.reason) }
        }
        if let milliseconds = filed.reports.first?.milliseconds {
            metrics.observeReading(.milliseconds(milliseconds))
        }
        log(filed, logger)
        hooks.submit(HookFacts(filed))
        change { counts in
            switch filed.destination {
            case .processed: counts.processed += 1
            case .duplicates: counts.duplicates += 1
            case .failed: counts.failed += 1
            }
        }
    }

    private func log(_ filed: FiledPicture, _ logger: Logger) {
        var logger = logger
        logger[metadataKey: "point"] = "\(filed.point.rawValue)"
        logger[metadataKey: "station"] = "\(filed.station)"
        logger[metadataKey: "disposition"] = "\(filed.destination.rawValue)"
        let name = filed.name.displayText.onOneLine
        let place = filed.path == nil ? "; it was removed meanwhile" : ""
        let moved = filed.path == nil ? place : "; moved to \(filed.destination.rawValue)"
        if filed.reports.isEmpty { return logger.info("\(name) was filed before\(moved)") }
        let (what, whereTo) =
            filed.isFromRecord ? ("\(name) was filed before", moved) : (name, place)
        // All reports of one picture have the same.
        let time = filed.reports[0].implausibleTime.map {
            "; its file is from \($0.reportText), which is too early for a bag, so it counts as taken now"
        }
        let end = whereTo + (time ?? "")
        if let remark = filed.reports[0].unreadRemark { logger.warning("\(name): \(remark)") }
        for report in filed.reports { logger.tell(report, of: what, end: end) }
    }

    /// Waits until the hooks have caught up, so that no picture misses its run.
    func waitForHooks() async {
        await hooks.waitForRoom()
    }

    /// Reports why filing has paused, or that it goes on.
    func tell(_ trouble: FilingTrouble?) {
        logger.tell(trouble)
        metrics.setPaused(trouble != nil)
        change { $0.pause = trouble?.message }
    }

    /// Reports an error that did not keep a picture from being filed.
    func complain(_ error: any Error) {
        let isTriedAgain = (error as? FilingError)?.stuck != nil
        logger.error("\(error)\(isTriedAgain ? "; it will be tried again" : "")")
    }

    /// Reports that a stuck picture was put back, so that it can be filed.
    func tell(putBack path: [UInt8]) {
        logger.notice("\(path.displayText.onOneLine) was put back")
    }

    /// Reports what was passed over, and counts it.
    func tell(
        passedOver cause: PassedOver.Cause,
        _ count: Int = 1,
        name: String? = nil,
        _ logger: Logger? = nil
    ) {
        let words = passedOver.withLock { $0.take(cause, count, name: name) }
        if let words { (logger ?? self.logger).notice("\(words)") }
        change { $0.passedOver += count }
    }

    /// Reports what was passed over since the last line of each cause; call it every minute and at the end.
    func tellMorePassedOver() {
        for words in passedOver.withLock({ $0.endMinute() }) { logger.notice("\(words)") }
    }

    /// Reports how many files wait, including those in work.
    func tell(pending count: Int) {
        metrics.setPending(count)
    }

    /// Reports how much is left in dropped folders.
    func tell(left count: Int) {
        change { $0.left = count }
    }

    /// Reports what is wrong with the folders.
    func tell(folders: String?) {
        change { $0.folders = folders }
    }

    /// Reports how many alarms are open that nobody has taken note of.
    func tell(openAlarms count: Int) {
        if total.alarms != count { change { $0.alarms = count } }
    }

    private func change(_ body: (inout Counts) -> Void) {
        counts.withLock { body(&$0) }
        status.announce()
    }

    /// Keeps the service manager's status line up to date until the task is cancelled.
    func keepStatus(
        with notifier: ServiceNotifier,
        of layout: FolderLayout,
        by clock: any Clock<Duration>
    ) async {
        await status.keep(with: notifier, by: clock) { self.statusLine(of: layout) }
    }

    /// What the service is doing, in one line.
    func statusLine(of layout: FolderLayout) -> String {
        let counts = total
        if let pause = counts.pause { return "Paused: \(pause)" }
        let numbers =
            "\(counts.processed) filed, \(counts.failed) failed, \(counts.duplicates) duplicates"
        let left = counts.left > 0 ? "; dropped folders cannot be emptied: see luggage status" : ""
        return "Watching \(layout.path): \(numbers)" + (counts.folders.map { "; \($0)" } ?? "")
            + left + AlarmWatch.words(open: counts.alarms)
    }
}

extension FiledPicture {
    /// Whether another service has filed and moved it while this one was about to, and has reported it.
    ///
    /// What this service has put on record itself it reports, even if someone has taken the file away.
    fileprivate var isFiledElsewhere: Bool { path == nil && (reports.isEmpty || isFromRecord) }
}
