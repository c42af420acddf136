internal import FoundationEssentials
internal import Glibc
package import HubConnection
package import Logging
package import LuggageService
package import LuggageTags
package import ObjectStore
internal import SQLiteStore
internal import Synchronization
internal import SystemSupport

/// Exchanges facts between a record and a hub until it is stopped, whatever happens to either.
///
/// It waits on a thread of its own: for news of the hub, for saves of the record, or for its next try.
package final class SyncService: Sendable {
    /// What the service needs from the program that runs it.
    package struct Parts: Sendable {
        package var address: HubAddress
        /// The record's file.
        package var recordPath: String
        package var openRecord: @Sendable () throws -> PersistentContainer
        /// Whether it publishes what it derives, for people who ask the hub.
        package var publishes: Bool
        /// After how many seconds a missing bag is overdue, for people who ask the hub; nil if that is not said.
        package var overdue: Double?
        /// The version of the program.
        package var version: String
        /// Where the log goes.
        package var logger: Logger
        /// The variables of the environment.
        package var environment: [String: String]
        /// Called after each round in which everything was exchanged.
        package var observe: @Sendable () -> Void = {}
        /// The waits between tries.
        package var backoff = Backoff()
        /// For how long the hub may hold facts of others before somebody is told.
        package var patience = Duration.seconds(20)

        /// Names the parts.
        package init(
            address: HubAddress,
            recordPath: String,
            openRecord: @escaping @Sendable () throws -> PersistentContainer,
            publishes: Bool = false,
            overdue: Double? = nil,
            version: String,
            logger: Logger,
            environment: [String: String] = [:]
        ) {
            self.address = address
            self.recordPath = recordPath
            self.openRecord = openRecord
            (self.publishes, self.overdue) = (publishes, overdue)
            self.version = version
            self.logger = logger
            self.environment = environment
        }
    }

    /// How long it is quiet before it asks all the same: news may be lost on the way.
    private static let quiet = Duration.seconds(30)

    private let parts: Parts
    private let notifier: ServiceNotifier
    private let ending = WakeSignal()
    private let news = WakeSignal()
    private let isStopped = Mutex(false)
    private let status: Mutex<HubStatus>
    private let isReady = Mutex(false)
    private let otherPublisher = Mutex("")

    /// Prepares the service.
    package init(_ parts: Parts) {
        self.parts = parts
        notifier = ServiceNotifier(environment: parts.environment)
        // When everything was last exchanged, it knows from before.
        var status = HubStatus(ofRecordAt: parts.recordPath) ?? HubStatus(.exchanging)
        (status.phase, status.since) = (.exchanging, Date())
        (status.reason, status.message) = (nil, nil)
        self.status = Mutex(status)
    }

    /// Makes ``run()`` return soon.
    package func stop() {
        isStopped.withLock { $0 = true }
        ending.raise()
    }

    /// Exchanges facts until ``stop()``; waits, so it belongs on a thread that may.
    package func run() {
        var failures = 0
        while !isStopped.withLock({ $0 }) {
            do {
                try exchangeWhileConnected { failures = 0 }
            } catch {
                if isStopped.withLock({ $0 }) { break }
                failures += 1
                tell(error, failures)
                let backoff = parts.backoff
                wait(error.needsPerson ? backoff.longDelay() : backoff.delay(after: failures))
            }
        }
        notifier.send(.stopping)
        set { status in
            status.phase = .ended
            status.since = Date()
        }
        parts.logger.info("stopped")
    }

    /// Exchanges facts once.
    ///
    /// - Returns: What the record knows about the hub then.
    /// - Throws: ``SyncError``, `HubError` or `StoreError`.
    package func runOnce() throws -> HubState {
        let container = try parts.openRecord()
        defer { (container.store as? SQLiteStore).map { try? $0.close() } }
        let connection = try HubConnection(toHub: parts.address, ending: ending)
        var exchange = try exchange(of: container, over: connection)
        while try !runRound(of: &exchange) { wait(.milliseconds(100)) }
        return exchange.state
    }

    /// Exchanges everything that there is to exchange now.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: Whether all is exchanged that was to be when the round before began, if not when this one did.
    /// - Throws: ``SyncError/held`` if the hub has held facts for too long, or what the exchange throws.
    private func runRound(of exchange: inout StationExchange) throws -> Bool {
        let before = exchange.held
        try exchange.run(publishes: parts.publishes)
        // At a busy hub something is always held, but never the same for long.
        if let held = exchange.held, before == nil || held == before {
            if held.duration >= parts.patience { throw SyncError.held }
            return false
        }
        setCurrent(exchange)
        return true
    }

    private func exchange(
        of container: PersistentContainer,
        over connection: HubConnection
    ) throws -> StationExchange {
        var exchange = try StationExchange(container, Hub(connection), version: parts.version) {
            self.tell($0)
        }
        exchange.overdue = parts.overdue
        return exchange
    }

    private func exchangeWhileConnected(_ succeed: () -> Void) throws {
        let container = try parts.openRecord()
        let sqlite = container.store as? SQLiteStore
        defer { sqlite.map { try? $0.close() } }
        let watch = container.store.watchCommits { [news] in news.raise() }
        defer { watch?.cancel() }
        let connection = try HubConnection(toHub: parts.address, ending: ending)
        try connection.listen(to: "luggage")
        var exchange = try exchange(of: container, over: connection)
        while !isStopped.withLock({ $0 }) {
            // Before the round: what is saved during it makes another one.
            news.lower()
            try sqlite?.checkFiles()
            do {
                if try runRound(of: &exchange) { parts.observe() }
            } catch let error as SyncError where error == .held {
                tell(error, 1)
            }
            succeed()
            // It asks the hub for nothing, but libpq notices the end of the connection. That what is held is given
            // now, nobody tells.
            let quiet = exchange.held.map { min(max(.seconds(1), $0.duration), Self.quiet) }
            _ = try connection.wait(until: .now + (quiet ?? Self.quiet), or: news)
        }
    }

    /// Waits, unless it is stopped.
    private func wait(_ duration: Duration) {
        let end = SuspendingClock.now + duration
        let wait = SocketWait(signals: [ending], deadline: end)
        if (try? wait.run()) == nil { usleep(100_000) }
    }

    // MARK: Telling

    private func set(_ change: (inout HubStatus) -> Void) {
        let changed = status.withLock { status -> HubStatus? in
            let before = status
            change(&status)
            return status == before ? nil : status
        }
        changed?.write(forRecordAt: parts.recordPath)
    }

    private func setCurrent(_ exchange: StationExchange) {
        let isFirst = isReady.withLock { isReady in
            defer { isReady = true }
            return !isReady
        }
        set { status in
            if status.phase != .current {
                parts.logger.info("everything is exchanged with the hub")
                notifier.send(.status("Everything is exchanged with the hub"))
                status.since = Date()
            }
            status.phase = .current
            status.reason = nil
            status.message = nil
            status.currentAt = Date()
            status.skew = (exchange.skew * 10).rounded() / 10
            status.keptApart = exchange.keptApart
            (status.member, status.pushed) = (exchange.state.member, exchange.state.pushed)
        }
        if isFirst { notifier.send(.ready) }
    }

    private func tell(_ error: any Error, _ failures: Int) {
        let message = "\(error.words)"
        let isNew = status.withLock { $0.message } != message
        // Once when it begins, and from time to time while it lasts.
        if isNew || failures.isMultiple(of: 50) {
            parts.logger.warning("\(message)", metadata: ["reason": "\(error.reasonCode)"])
        }
        notifier.send(.status(message.shortened(characters: 200, bytes: 800)))
        set { status in
            let phase: HubStatus.Phase = error.needsPerson ? .refused : .waiting
            if status.phase != phase || isNew { status.since = Date() }
            status.phase = phase
            status.reason = error.reasonCode
            status.message = message
        }
    }

    private func tell(_ event: SyncEvent) {
        let logger = parts.logger
        switch event {
        case .pushed(let count): logger.debug("sent \(count) facts")
        case .pulled(let count): logger.debug("took \(count) facts")
        case .refused(let id, let words):
            logger.error(
                """
                a fact of another station cannot be read by this version of the program, and is \
                left out until it is updated: \(id?.uuidString ?? "without an identifier"): \(words)
                """
            )
        case .keptApart(let count):
            logger.error(
                """
                the hub keeps \(count) facts of this station apart, because their times are more than \
                5 minutes ahead of its clock: other stations get them once that clock is there, and what is filed \
                until then too; correct the clock of this machine
                """
            )
        case .hubChanged:
            logger.notice("the hub was restored or has failed over; it gets again what it lacks")
        case .restored:
            logger.notice(
                "this record was restored from a backup; it gets back what the hub has of it"
            )
        case .compared(let days, let differing):
            let words = days == 1 ? "day" : "days"
            logger.info("compared \(days) \(words) with the hub: \(differing) differ")
        case .publishedElsewhere(let words):
            let isNew = otherPublisher.withLock { known in
                defer { known = words }
                return known != words
            }
            if isNew { logger.notice("it publishes nothing as long as another does: \(words)") }
        case .compactionPostponed:
            logger.warning(
                """
                another program is reading the record, so its log may still hold what was purged elsewhere; \
                it is removed later
                """
            )
        }
    }
}

extension Error {
    /// Whether trying again is of little use before a person has done something.
    var needsPerson: Bool {
        switch self {
        case let error as SyncError: error != .held
        case let error as HubError:
            switch error.refusal {
            // Who asks again learns more, or the other may have ended.
            case .otherRecord, .otherPublisher, nil:
                [.address, .refused, .undefined, .forbidden].contains(error.kind)
            default: true
            }
        default: false
        }
    }

    /// What is wrong and what to do about it.
    package var words: String {
        switch self {
        case let error as SyncError: error.description
        case let error as HubError: error.description
        case let error as StoreError: error.message
        default: "\(self)"
        }
    }

    /// The stable code of what is wrong.
    package var reasonCode: String {
        switch self {
        case let error as SyncError: error.code
        case let error as HubError: "hub-\(error.kind)"
        case is StoreError: "record"
        default: "unexpected"
        }
    }
}
