package import Logging
internal import SystemSupport

/// Tells the service manager that the service makes progress, while it does.
///
/// A service whose parts hang looks alive from outside. So the watchdog asks each part, and if one does
/// not answer, or says no, it sends nothing. The manager restarts a service from which it has heard
/// nothing for the interval that is set in the unit.
package struct Watchdog<WatchdogClock: Clock>: Sendable where WatchdogClock.Duration == Duration {
    /// A check of one part of the service.
    package typealias Check = (name: String, isAlive: @Sendable () async -> Bool)

    private let interval: Duration
    private let checks: [Check]
    private let notifier: ServiceNotifier
    private let logger: Logger
    private let clock: WatchdogClock

    /// Makes a watchdog.
    ///
    /// - Parameters:
    ///   - interval: The time without news after which the manager acts; see
    ///     ``ServiceNotifier/watchdogInterval``.
    ///   - checks: The checks. They run independently, and none is started again before it has
    ///     answered.
    ///   - notifier: Tells the manager.
    ///   - logger: Logs which part does not answer.
    ///   - clock: The clock.
    package init(
        interval: Duration,
        checks: [Check],
        notifier: ServiceNotifier,
        logger: Logger,
        clock: WatchdogClock = ContinuousClock()
    ) {
        self.interval = interval
        self.checks = checks
        self.notifier = notifier
        self.logger = logger
        self.clock = clock
    }

    private enum Event: Sendable {
        case answer(check: Int, isAlive: Bool)
        case timeIsUp(round: Int)
    }

    /// Runs the checks and tells the manager, twice in each interval, until the task is cancelled.
    ///
    /// In each round the parts have a quarter of the interval to answer. A check that hangs is left
    /// running, and counts as alive again once it has answered.
    package func run() async {
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        var iterator = events.makeAsyncIterator()
        var asked: [Int: Task<Void, Never>] = [:]
        defer {
            for task in asked.values { task.cancel() }
        }
        let executor = TaskThreads.ofCurrentTask
        var round = 0
        var silent: Set<Int> = []
        while !Task.isCancelled {
            round += 1
            let start = clock.now
            for index in checks.indices where asked[index] == nil {
                let isAlive = checks[index].isAlive
                asked[index] = Task(executorPreference: executor) {
                    sink.yield(.answer(check: index, isAlive: await isAlive()))
                }
            }
            let alarm = Task(executorPreference: executor) { [clock, interval, round] in
                let deadline = start.advanced(by: interval / 4)
                try? await clock.sleep(until: deadline, tolerance: nil)
                sink.yield(.timeIsUp(round: round))
            }
            var alive: Set<Int> = []
            var isOver = asked.isEmpty
            while !isOver, let event = await iterator.next() {
                switch event {
                case .answer(let index, let isAlive):
                    asked[index] = nil
                    if isAlive { alive.insert(index) }
                    isOver = asked.isEmpty
                case .timeIsUp(let number): isOver = number == round
                }
            }
            alarm.cancel()
            if Task.isCancelled { return }
            let missing = Set(checks.indices).subtracting(alive)
            if missing.isEmpty { notifier.send(.alive) }
            report(missing, before: silent)
            silent = missing
            try? await clock.sleep(until: start.advanced(by: interval / 2), tolerance: nil)
        }
    }

    private func report(_ missing: Set<Int>, before: Set<Int>) {
        guard missing != before else { return }
        if missing.isEmpty {
            return logger.notice("all parts of the service give signs of life again")
        }
        let names = missing.sorted().map { checks[$0].name }.joined(separator: ", ")
        logger.error(
            "no sign of life from: \(names); if that lasts, the service manager restarts the service",
            metadata: ["silent": "\(names)"]
        )
    }
}
