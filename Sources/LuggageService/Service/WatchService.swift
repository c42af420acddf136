internal import FolderWatch
internal import Foundation
internal import Logging
internal import LuggageTags
public import ServiceLifecycle
internal import SQLiteStore
package import ObjectStore
internal import Synchronization
package import TagReading

/// Files the pictures that are dropped into a folder, until it is told to stop.
public final class WatchService: Service {
    /// What the service needs from the program that runs it.
    package struct Parts: Sendable {
        /// How it is to work.
        package var configuration: WatchConfiguration
        /// Puts the configuration together anew.
        package var reload: @Sendable () throws(ConfigurationError) -> WatchConfiguration
        /// The file that the record is in.
        package var storePath: String?
        /// Opens the record.
        package var openStore: @Sendable () throws -> PersistentContainer
        /// What reads pictures.
        package var reader: any TagReader
        /// What one picture may cost to read.
        package var limits = ReadLimits.default
        /// How many pictures can be read at the same time.
        package var readers = 1
        /// Starts a reader, and says how it is confined.
        package var prepareReading: @Sendable () async throws(ReadError) -> SandboxReport? = {
            () throws(ReadError) in nil
        }
        /// Gives up what is being read; after that nothing more is.
        package var endReading: @Sendable () async -> Void = {}
        /// Where the log goes.
        package var log: ServiceLog
        /// The variables of the environment.
        package var environment: [String: String]
        /// Whether to end as soon as everything is filed that is there.
        package var isOnce: Bool
        /// What the service sleeps by.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// How long pictures in work may take to be finished once the service is to stop.
        var stopPatience = Duration.seconds(10)
        /// Is told what becomes of each file.
        var observe: @Sendable (DroppedFile, Disposition) -> Void = { _, _ in }

        /// Names the parts.
        package init(
            configuration: WatchConfiguration,
            reload: @escaping @Sendable () throws(ConfigurationError) -> WatchConfiguration,
            storePath: String? = nil,
            openStore: @escaping @Sendable () throws -> PersistentContainer,
            reader: any TagReader,
            log: ServiceLog,
            environment: [String: String],
            isOnce: Bool
        ) {
            self.configuration = configuration
            self.reload = reload
            self.storePath = storePath
            self.openStore = openStore
            self.reader = reader
            self.log = log
            self.environment = environment
            self.isOnce = isOnce
            guard let pool = reader as? ReaderPool else { return }
            limits = pool.limits
            readers = pool.workers
            endReading = { await pool.shutdown() }
            prepareReading = { () throws(ReadError) in try await pool.prepare() }
        }
    }

    let parts: Parts
    let layout: FolderLayout
    private let locks: FolderLocks
    let store: ServiceStore
    let logger: Logger
    let notifier: ServiceNotifier
    let metrics = ServiceMetrics()
    let hooks: HookRunner
    let reporter: ServiceReporter
    let configuration: Mutex<WatchConfiguration>
    let isStopping = Mutex(false)
    /// How many files a run that ends has left where they were dropped.
    private let left = Mutex(0)

    /// Prepares everything that can go wrong at the start: folders, lock and record.
    ///
    /// - Throws: ``FilingError``, ``FolderInUse`` or `StoreError`.
    package init(_ parts: Parts) throws {
        self.parts = parts
        let configuration = parts.configuration
        layout = FolderLayout(path: configuration.folder, point: configuration.point)
        // Those for dropping too: another service may be told to watch one of them by itself.
        let folders = layout.dropFolders.map(\.path.pathText).filter { [layout] in
            $0 != layout.path
        }
        // Where another service is at work no folder is made.
        for folder in [layout.path] + folders {
            if let owner = FolderLock.owner(of: folder) {
                throw FolderInUse(folder: folder, owner: owner)
            }
        }
        try layout.make()
        locks = try FolderLocks(folders: [layout.path] + folders)
        store = try ServiceStore(path: parts.storePath, open: parts.openStore)
        logger = parts.log.makeLogger()
        notifier = ServiceNotifier(environment: parts.environment)
        let metrics = metrics
        hooks = HookRunner(
            hook: configuration.hook(in: parts.environment),
            logger: logger,
            onEnd: { metrics.countHook(isSuccess: $0) }
        )
        reporter = ServiceReporter(logger: logger, metrics: metrics, hooks: hooks)
        self.configuration = Mutex(configuration)
    }

    /// How many pictures have become what.
    package var counts: (processed: Int, duplicates: Int, failed: Int, left: Int) {
        let total = reporter.total
        return (total.processed, total.duplicates, total.failed, left.withLock { $0 })
    }

    /// Files pictures until the task is cancelled, a graceful shutdown is asked for, or, if that is all
    /// there is to do, everything is filed that is there.
    public func run() async throws {
        let stuck = StuckPictures()
        let upkeep = FolderUpkeep(locks: locks, stuck: stuck, reporter: reporter)
        upkeep.renewLocks()
        upkeep.putBackLeft()
        var options = FolderWatch.Options.default
        options.grace = parts.configuration.grace
        if parts.configuration.point != nil {
            // The service's own folders are where pictures are dropped.
            let own = Set(FolderLayout.Destination.allCases.map { Array($0.rawValue.utf8) })
            options.isIgnored = { own.contains($0) || IgnoredNames.contains($0) }
        }
        let watch = FolderWatch(folders: layout.dropFolders.map(\.path), options: options)
        let reporter = reporter
        let filing = FilingQueue(
            store: store,
            layout: layout,
            gathering: BatchGathering(readers: parts.readers),
            stuck: stuck,
            prepare: {
                upkeep.renewLocks()
                upkeep.putBackLeft()
            },
            report: { reporter.tell($0) },
            complain: { reporter.complain($0) }
        )
        let crew = WatchCrew(
            watch: watch,
            layout: layout,
            pipeline: PicturePipeline(
                reader: parts.reader,
                limits: parts.limits,
                store: store,
                filing: filing,
                configuration: { [self] in configuration.withLock { $0 } }
            ),
            reporter: reporter,
            observe: parts.observe
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.attend(watch, crew, filing, upkeep) }
            async let hooksHaveRun: Void = runHooks()
            await withTaskCancellationOrGracefulShutdownHandler {
                await self.work(crew, filing)
            } onCancelOrGracefulShutdown: {
                self.isStopping.withLock { $0 = true }
                self.notifier.send(
                    .stopping,
                    .extendTimeout(self.parts.stopPatience * 3),
                    .status("Finishing the pictures in work")
                )
                watch.stop()
                filing.stop()
            }
            hooks.finish()
            await hooksHaveRun
            hooks.tellLeftOut()
            group.cancelAll()
        }
        watch.stop()
        await watch.waitUntilStopped()
        await parts.endReading()
        logger.info("stopped")
    }

    /// How many pictures are in work at the same time: the readers stay busy while as many as share one
    /// transaction are filed.
    var width: Int { BatchGathering.mostTogether + 2 * parts.readers }

    /// Files pictures until the watch is stopped; what takes too long after that is given up.
    private func work(_ crew: WatchCrew, _ filing: FilingQueue) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let left = await crew.run(width: self.width, isOnce: self.parts.isOnce)
                self.left.withLock { $0 = left }
            }
            group.addTask {
                try? await gracefulShutdown()
                try? await self.parts.clock.sleep(for: self.parts.stopPatience)
                // Reading is given up, and what is not on record stays where it was dropped.
                if !Task.isCancelled { await self.parts.endReading() }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Runs the hook until no picture waits for it; what takes too long after a stop is given up.
    private func runHooks() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.hooks.run() }
            group.addTask {
                try? await gracefulShutdown()
                try? await self.parts.clock.sleep(for: self.parts.stopPatience)
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Everything that goes on beside the filing.
    private func attend(
        _ watch: FolderWatch,
        _ crew: WatchCrew,
        _ filing: FilingQueue,
        _ upkeep: FolderUpkeep
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.announceStart(watch) }
            group.addTask {
                await self.reporter.keepStatus(
                    with: self.notifier,
                    of: self.layout,
                    by: self.parts.clock
                )
            }
            group.addTask { await self.followWatch(watch, filing, upkeep) }
            group.addTask { await self.keepUp(filing, upkeep) }
            group.addTask { await self.followReloads(watch) }
            if let path = parts.configuration.metrics {
                group.addTask { await self.keepFigures(in: path, by: self.parts.clock) }
            }
            if let interval = notifier.watchdogInterval {
                group.addTask {
                    await self.runWatchdog(interval, watch, crew, by: self.parts.clock)
                }
            }
        }
    }

    private func announceStart(_ watch: FolderWatch) async {
        await prepareReading()
        await watch.waitUntilWatching()
        if Task.isCancelled { return }
        logger.info("watching \(layout.path.onOneLine)")
        notifier.send(.ready, .status(reporter.statusLine(of: layout)))
    }

    /// Says how well the machine is protected from pictures, before there is any.
    private func prepareReading() async {
        do throws(ReadError) {
            guard let sandbox = try await parts.prepareReading() else { return }
            let words: Logger.Message = "readers are confined by: \(sandbox)"
            sandbox.isComplete ? logger.info(words) : logger.warning(words)
        } catch {
            // Every picture will say so too, and be tried again.
            if error.code == .cancelled { return }
            logger.error("pictures cannot be read: \(error.message)")
        }
    }

    private func followWatch(
        _ watch: FolderWatch,
        _ filing: FilingQueue,
        _ upkeep: FolderUpkeep
    ) async {
        var news = FolderNews()
        for await status in watch.statusChanges {
            // A folder that was replaced has no lock.
            upkeep.renewLocks()
            if let passedOver = news.take(status.skipped) {
                logger.notice("passed over: \(passedOver.words)")
                reporter.tell(passedOver: passedOver.count)
            }
            let told = news.take(status.folders)
            for (level, words) in told { logger.log(level: level, "\(words)") }
            if told.isEmpty { continue }
            reporter.tell(folders: news.trouble)
            putBack(upkeep, filing)
        }
    }

    /// Takes locks again that somebody has removed while no picture comes, and puts pictures back.
    private func keepUp(_ filing: FilingQueue, _ upkeep: FolderUpkeep) async {
        let interval = Duration.seconds(60)
        while (try? await parts.clock.sleep(for: interval, tolerance: interval / 2)) != nil {
            upkeep.renewLocks()
            putBack(upkeep, filing)
        }
    }

    private func putBack(_ upkeep: FolderUpkeep, _ filing: FilingQueue) {
        if upkeep.hasToPutBack { filing.betweenMoves { upkeep.putBack() } }
    }
}

extension WatchConfiguration {
    /// The name under which pictures are filed.
    func station(at point: Point) -> String { station ?? point.rawValue }

    func hook(in environment: [String: String]) -> Hook? {
        hook.map { Hook(command: $0, timeLimit: hookTimeLimit, environment: environment) }
    }
}
