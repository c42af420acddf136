internal import FolderWatch
internal import Logging
internal import LuggageTags
internal import ObjectStore
internal import SQLiteStore
internal import Synchronization
package import SystemSupport

/// Files the pictures that are dropped into a folder, until it is stopped.
package final class WatchService: RunningService {
    let parts: Parts
    let layout: FolderLayout
    private let locks: FolderLocks
    let store: ServiceStore
    let logger: Logger
    let notifier: ServiceNotifier
    let metrics = ServiceMetrics()
    let hooks: HookRunner
    let reporter: ServiceReporter
    let droppedFolders: DroppedFolders
    let alarms: AlarmWatch
    let configuration: Mutex<WatchConfiguration>
    let isStopping = Mutex(false)
    /// How many files a run that ends by itself has left where they were dropped.
    private let left = Mutex(0)

    /// Prepares everything that can go wrong at the start: folders, lock and record.
    ///
    /// - Throws: ``FilingError``, ``FolderInUse`` or `StoreError`.
    package init(_ parts: Parts) throws {
        self.parts = parts
        let configuration = parts.configuration
        layout = FolderLayout(
            path: configuration.folder,
            point: configuration.point,
            points: configuration.points
        )
        // Locks the folders for dropping too: another service may be told to watch one of them.
        let folders = layout.dropFolders.map(\.path.pathText).filter { [layout] in
            $0 != layout.path
        }
        // Makes no folder if another service is at work there.
        for folder in [layout.path] + folders {
            if let owner = FolderLock.owner(of: folder) {
                throw FolderInUse(folder: folder, owner: owner)
            }
        }
        try layout.refuseFiledPictures()
        logger = parts.log.makeLogger()
        try FolderRights(besides: parts.storePath).checkRecord()
        let changes = try layout.make(besides: parts.storePath)
        if !changes.made.isEmpty {
            // The name of the watched folder may be a mistake.
            let names = changes.made.map(\.onOneLine).joined(separator: ", ")
            logger.notice("made the missing folders: \(names)")
            // Where the record is may depend on them.
            try FolderRights(besides: parts.storePath).checkRecord()
        }
        for words in changes.putRight { logger.notice("\(words)") }
        locks = try FolderLocks(folders: [layout.path] + folders)
        // Of two services that start together, at least one sees the other's lock.
        try layout.refuseFiledPictures()
        store = try ServiceStore.waitingForLock(logger) { [layout, logger] in
            try ServiceStore(
                Self.recordPlace(parts, layout, logger),
                bounds: configuration.bounds,
                open: parts.openStore
            )
        }
        notifier = ServiceNotifier(environment: parts.environment)
        let metrics = metrics
        hooks = HookRunner(
            hook: configuration.hook(in: parts.common.hookEnvironment),
            logger: logger,
            onEnd: { metrics.countHook(isSuccess: $0) }
        )
        let reporter = ServiceReporter(logger: logger, metrics: metrics, hooks: hooks)
        self.reporter = reporter
        alarms = AlarmWatch(store: store, logger: logger, hooks: hooks, now: parts.now) {
            reporter.tell(openAlarms: $0)
        }
        droppedFolders = DroppedFolders(
            ownFiles: [parts.storePath, configuration.metrics].compactMap { $0 },
            quiet: parts.folderQuiet
        )
        self.configuration = Mutex(configuration)
    }

    private static func recordPlace(
        _ parts: Parts,
        _ layout: FolderLayout,
        _ logger: Logger
    ) -> ServiceStore.Place? {
        guard var place = parts.common.recordPlace(logger) else { return nil }
        let path = place.path
        place.hasFiled = { layout.hasFiled }
        place.refusal = { layout.refusal(of: path, "the record") }
        return place
    }

    /// How many pictures were filed, were duplicates, failed, or are left.
    package var counts: (processed: Int, duplicates: Int, failed: Int, left: Int) {
        let total = reporter.total
        return (total.processed, total.duplicates, total.failed, left.withLock { $0 })
    }

    /// Files pictures until it is asked to stop; of what is in work it finishes what it can.
    ///
    /// If the service runs only once, it also returns when everything that is there is filed.
    package func run(until stop: StopRequest) async {
        let stuck = StuckPictures()
        let upkeep = FolderUpkeep(locks: locks, stuck: stuck, reporter: reporter)
        upkeep.renewLocks()
        upkeep.putBackLeft()
        let reporter = reporter
        let filing = FilingQueue(
            store: store,
            layout: layout,
            limits: parts.limits,
            gathering: BatchGathering(readers: parts.readers),
            stuck: stuck,
            prepare: {
                upkeep.renewLocks()
                upkeep.putBackLeft()
            },
            report: {
                // A user who hears of it may ask in the folder at once.
                upkeep.tell($0)
                reporter.tell($0)
            },
            complain: { reporter.complain($0) }
        )
        let watch = makeWatch()
        let crew = makeCrew(watch, filing, upkeep)
        let recordWatch = parts.storePath.flatMap {
            SQLiteStore.watchFiles(of: $0) { filing.checkRecord() }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.attend(watch, crew, filing, upkeep) }
            async let hooksHaveRun: Void = hooks.run(
                until: stop,
                and: parts.stopPatience,
                by: parts.clock
            )
            await work(crew, until: stop) {
                watch.stop()
                filing.stop()
            }
            if parts.isOnce { await tellAlarms(filing) }
            hooks.finish()
            await hooksHaveRun
            hooks.tellLeftOut()
            group.cancelAll()
        }
        watch.stop()
        await watch.waitUntilStopped()
        await parts.endReading()
        recordWatch?.cancel()
        filing.stop()
        await filing.close()
        // Other services may have the folders now, even while something still holds this service.
        locks.release()
        logger.info("stopped")
    }

    private func makeWatch() -> FolderWatch {
        var options = FolderWatch.Options.default
        options.grace = parts.configuration.grace
        options.handsOutFolders = true
        let own = layout.ownNames
        if !own.isEmpty { options.isIgnored = { own.contains($0) || IgnoredNames.contains($0) } }
        return FolderWatch(folders: layout.dropFolders.map(\.path), options: options)
    }

    /// Publishes what is left in dropped folders, if that is new.
    func tellLeft(_ upkeep: FolderUpkeep) {
        droppedFolders.tellNews { left in
            upkeep.tell(left: left.map(\.words))
            reporter.tell(left: left.count)
        }
    }

    private func makeCrew(
        _ watch: FolderWatch,
        _ filing: FilingQueue,
        _ upkeep: FolderUpkeep
    ) -> WatchCrew {
        WatchCrew(
            watch: watch,
            layout: layout,
            pipeline: PicturePipeline(
                intake: PictureIntake(reader: parts.reader, limits: parts.limits),
                store: store,
                filing: filing,
                configuration: { [self] in configuration.withLock { $0 } }
            ),
            reporter: reporter,
            folders: droppedFolders,
            tellLeft: { [self] in tellLeft(upkeep) },
            observe: parts.observe
        )
    }

    /// Tells the alarms that have begun, and waits for that.
    private func tellAlarms(_ filing: FilingQueue) async {
        let bounds = configuration.withLock { $0.alarms }
        await withCheckedContinuation { continuation in
            alarms.look(within: bounds, filing.betweenBatches) { continuation.resume() }
        }
    }

    /// How many pictures are in work at the same time.
    ///
    /// With so many, the readers stay busy while as many as share one transaction are filed.
    var width: Int { BatchGathering<FilingQueue.Waiting>.mostTogether + 2 * parts.readers }

    /// Files pictures until the watch stops; gives up what takes too long after that.
    ///
    /// - Parameters:
    ///   - crew: Files them.
    ///   - stop: The request to stop.
    ///   - begin: Begins to stop, by stopping the watch.
    private func work(
        _ crew: WatchCrew,
        until stop: StopRequest,
        _ begin: @escaping @Sendable () -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let left = await crew.run(width: self.width, isOnce: self.parts.isOnce)
                self.left.withLock { $0 = left }
            }
            group.addTask {
                guard await stop.wait() else { return }
                self.isStopping.withLock { $0 = true }
                self.notifier.send(
                    .stopping,
                    .extendTimeout(self.parts.stopPatience * 3),
                    .status("Finishing the pictures in work")
                )
                begin()
                try? await self.parts.clock.sleep(for: self.parts.stopPatience)
                // Reading is cancelled, and a picture that is not on record stays where it was dropped.
                if !Task.isCancelled { await self.parts.endReading() }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
