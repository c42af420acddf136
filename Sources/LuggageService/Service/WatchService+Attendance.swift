internal import FolderWatch
internal import Logging
internal import LuggageTags
internal import Synchronization
internal import SystemSupport
internal import TagReading

extension WatchService {
    /// Runs everything besides the filing.
    func attend(
        _ watch: FolderWatch,
        _ crew: WatchCrew,
        _ filing: FilingQueue,
        _ upkeep: FolderUpkeep
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.announceStart(watch)
                await self.followReloads(watch)
            }
            group.addTask {
                await self.reporter.keepStatus(
                    with: self.notifier,
                    of: self.layout,
                    by: self.parts.clock
                )
            }
            group.addTask { await self.followWatch(watch, filing, upkeep) }
            group.addTask { await self.keepUp(filing, upkeep) }
            group.addTask { await filing.settleWhenIdle(by: self.parts.clock) }
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

    /// Starts a reader before pictures come, and logs how well it protects the machine from them.
    private func prepareReading() async {
        do throws(ReadError) {
            guard let sandbox = try await parts.prepareReading() else { return }
            let words: Logger.Message = "readers are confined by: \(sandbox)"
            sandbox.isComplete ? logger.info(words) : logger.warning(words)
        } catch {
            // Every picture will report it too, and be retried.
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
            // A replaced folder has no lock.
            upkeep.renewLocks()
            for (cause, count) in news.take(status.skipped) {
                reporter.tell(passedOver: cause, count)
            }
            let told = news.take(status.folders)
            for (level, words) in told { logger.log(level: level, "\(words)") }
            if told.isEmpty { continue }
            reporter.tell(folders: news.trouble)
            putBack(upkeep, filing)
        }
    }

    /// Each minute retakes removed locks, puts pictures back, and reports alarms and what was passed over.
    private func keepUp(_ filing: FilingQueue, _ upkeep: FolderUpkeep) async {
        let interval = Duration.seconds(60)
        lookForAlarms(filing)
        while (try? await parts.clock.sleep(for: interval, tolerance: interval / 2)) != nil {
            upkeep.renewLocks()
            putBack(upkeep, filing)
            reporter.tellMorePassedOver()
            lookForAlarms(filing)
            // The system may send no events for the record's folder.
            filing.checkRecord()
            tellLeft(upkeep)
        }
        reporter.tellMorePassedOver()
    }

    private func lookForAlarms(_ filing: FilingQueue) {
        alarms.look(within: configuration.withLock { $0.alarms }, filing.betweenBatches)
    }

    private func putBack(_ upkeep: FolderUpkeep, _ filing: FilingQueue) {
        if upkeep.hasToPutBack { filing.betweenBatches { upkeep.putBack() } }
    }
}
