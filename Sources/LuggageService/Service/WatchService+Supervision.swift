internal import FolderWatch
internal import Synchronization
internal import TagReading
internal import SystemSupport

extension WatchService {
    /// Keeps the metrics file up to date.
    func keepFigures(in path: String, by clock: some Clock<Duration>) async {
        await MetricsFile(path: path, metrics: metrics, logger: logger, clock: clock).run()
    }

    /// Tells the service manager that the service makes progress, while it does.
    func runWatchdog(
        _ interval: Duration,
        _ watch: FolderWatch,
        _ crew: WatchCrew,
        by clock: some Clock<Duration>
    ) async {
        let patience = parts.limits.time * 3
        let store = store
        let watchdog = Watchdog(
            interval: interval,
            checks: [
                (
                    "the watch",
                    {
                        let responds = await watch.isResponding(
                            within: interval / 4,
                            by: clock
                        )
                        return responds || self.isStopping.withLock { $0 }
                    }
                ),
                (
                    "the record",
                    {
                        let isPaused = self.reporter.total.pause != nil
                        return await WorkThreads.waiting.run { isPaused || store.isReadable() }
                    }
                ),
                (
                    "filing",
                    {
                        let turn = patience * (self.width / self.parts.readers + 1)
                        return self.reporter.total.pause != nil
                            || crew.isProgressing(within: patience, turn: turn)
                    }
                ),
            ],
            notifier: notifier,
            logger: logger,
            clock: clock
        )
        await watchdog.run()
    }
}
