internal import FolderWatch
internal import Logging
internal import Synchronization
internal import UnixSignals

extension WatchService {
    /// Reads the settings again at each request.
    ///
    /// Call it once the service is ready: after each reload it reports that it is ready.
    func followReloads(_ watch: FolderWatch) async {
        guard let requests = parts.reloadRequests else { return }
        for await _ in requests {
            notifier.send(.reloading)
            takeOver()
            watch.reconcile()
            notifier.send(.ready, .status(reporter.statusLine(of: layout)))
        }
    }

    private func takeOver() {
        let new: WatchConfiguration
        do throws(ConfigurationError) {
            new = try parts.reload()
        } catch {
            for mistake in error.mistakes {
                logger.error("\(mistake); the configuration stays as it was")
            }
            return
        }
        let old = configuration.withLock { $0 }
        let changes = old.changes(to: new)
        let taken = old.takingOver(new)
        configuration.withLock { $0 = taken }
        hooks.hook = taken.hook(in: parts.hookEnvironment)
        parts.log.format = taken.logFormat
        parts.log.level = taken.logLevel
        logger.notice("reloaded: \(changes)")
    }
}
