internal import Logging
internal import LuggageTags
internal import ObjectStore
internal import SQLiteStore
internal import Synchronization
package import SystemSupport

/// Files what serial hand scanners send, until it is stopped.
package final class ListenService: RunningService {
    /// How long the record may take for what waits, before the watchdog is told that nothing goes on.
    private static let patience = Duration.seconds(60)

    private let parts: ServiceParts
    private let logger: Logger
    private let store: ServiceStore
    private let notifier: ServiceNotifier
    private let reporter: ListenReporter
    private let hooks: HookRunner
    private let alarms: AlarmWatch
    private let configuration: Mutex<WatchConfiguration>
    private let filing: ScannerFiling
    private let loop: ListenLoop

    /// Opens the record; the devices are opened by ``run()``.
    ///
    /// - Throws: ``FilingError`` or `StoreError`.
    package convenience init(_ parts: ServiceParts) throws {
        try self.init(parts, observeNews: { _ in }, observe: { _, _ in })
    }

    /// Opens the record, and tells what happens.
    ///
    /// - Parameters:
    ///   - parts: What the service needs.
    ///   - observeNews: Called with what happens to scanners.
    ///   - observe: Called with what each scanner has sent, after that is on the disk.
    /// - Throws: ``FilingError`` or `StoreError`.
    init(
        _ parts: ServiceParts,
        observeNews: @escaping @Sendable (ScannerNews) -> Void,
        observe: @escaping @Sendable (ListenLoop.Arrival, [ScanReport]?) -> Void
    ) throws {
        self.parts = parts
        let logger = parts.log.makeLogger()
        self.logger = logger
        try FolderRights(besides: parts.storePath).checkRecord()
        store = try ServiceStore.waitingForLock(logger) {
            try ServiceStore(
                parts.recordPlace(logger),
                bounds: parts.configuration.bounds,
                open: parts.openStore
            )
        }
        notifier = ServiceNotifier(environment: parts.environment)
        let reporter = ListenReporter(logger: logger)
        self.reporter = reporter
        hooks = HookRunner(
            hook: parts.configuration.hook(in: parts.hookEnvironment),
            logger: logger
        )
        alarms = AlarmWatch(store: store, logger: logger, hooks: hooks, now: parts.now) {
            reporter.tell(openAlarms: $0)
        }
        let wake = WakeSignal()
        let filing = ScannerFiling(
            parts.configuration,
            RecordWriting(store) { reporter.tell($0) },
            wake: wake,
            tellNoise: { reporter.tell(noise: $0) }
        ) { arrival, reports in
            reporter.tell(arrival, reports)
            observe(arrival, reports)
        }
        self.filing = filing
        loop = ListenLoop(
            parts.configuration,
            wake: wake,
            isFull: { filing.isFull },
            tell: {
                reporter.tell($0)
                observeNews($0)
            },
            take: { filing.take($0) }
        )
        configuration = Mutex(parts.configuration)
    }

    /// How many payloads came and could not be filed before the service stopped.
    package var lostCount: Int { reporter.lostCount }

    /// Listens until it is asked to stop.
    ///
    /// After that it files what has come, as far as the record can be written.
    package func run(until stop: StopRequest) async {
        let (filing, loop) = (filing, loop)
        let recordWatch = parts.storePath.flatMap {
            SQLiteStore.watchFiles(of: $0) { filing.checkRecord() }
        }
        loop.start()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.attend() }
            async let hooksHaveRun: Void = hooks.run(
                until: stop,
                and: parts.stopPatience,
                by: parts.clock
            )
            group.addTask {
                guard await stop.wait() else { return }
                self.notifier.send(.stopping, .status("Filing what has come"))
                loop.stop()
                filing.stop()
            }
            await loop.waitUntilEnded()
            await filing.finish()
            hooks.finish()
            await hooksHaveRun
            hooks.tellLeftOut()
            group.cancelAll()
        }
        recordWatch?.cancel()
        await filing.close()
        logger.info("stopped")
    }

    /// Runs everything besides listening and filing.
    private func attend() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.loop.waitForTurn()
                if Task.isCancelled { return }
                self.notifier.send(.ready, .status(self.reporter.statusLine))
                await self.followReloads()
            }
            group.addTask {
                await self.reporter.keepStatus(with: self.notifier, by: self.parts.clock)
            }
            group.addTask { await self.filing.settleWhenIdle(by: self.parts.clock) }
            group.addTask { await self.keepUp() }
            if let interval = notifier.watchdogInterval {
                group.addTask { await self.runWatchdog(interval, by: self.parts.clock) }
            }
        }
    }

    /// Each minute reports alarms, and checks the record: the system may send no events for its folder.
    private func keepUp() async {
        let interval = Duration.seconds(60)
        repeat {
            alarms.look(within: configuration.withLock { $0.alarms }, filing.betweenBatches)
            filing.checkRecord()
        } while (try? await parts.clock.sleep(for: interval, tolerance: interval / 2)) != nil
    }

    /// Reads the settings again at each request.
    private func followReloads() async {
        guard let requests = parts.reloadRequests else { return }
        for await _ in requests {
            notifier.send(.reloading)
            let old = configuration.withLock { $0 }
            if let taken = old.reloaded(by: parts.reload, logger) {
                configuration.withLock { $0 = taken }
                hooks.hook = taken.hook(in: parts.hookEnvironment)
                parts.log.take(taken)
            }
            notifier.send(.ready, .status(reporter.statusLine))
        }
    }

    /// Tells the service manager that the service makes progress, while it does.
    private func runWatchdog(_ interval: Duration, by clock: some Clock<Duration>) async {
        let (store, reporter, filing, loop) = (store, reporter, filing, loop)
        let watchdog = Watchdog(
            interval: interval,
            checks: [
                (
                    "the scanners",
                    {
                        await loop.waitForTurn()
                        return true
                    }
                ),
                (
                    "the record",
                    {
                        let isPaused = reporter.pause != nil
                        return await WorkThreads.waiting.run { isPaused || store.isReadable() }
                    }
                ),
                (
                    "filing",
                    { reporter.pause != nil || filing.isProgressing(within: Self.patience) }
                ),
            ],
            notifier: notifier,
            logger: logger,
            clock: clock
        )
        await watchdog.run()
    }
}
