internal import FolderWatch
internal import Logging
internal import Synchronization

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
        let old = configuration.withLock { $0 }
        guard let taken = old.reloaded(by: parts.reload, logger) else { return }
        configuration.withLock { $0 = taken }
        hooks.hook = taken.hook(in: parts.common.hookEnvironment)
        parts.log.take(taken)
    }
}

extension WatchConfiguration {
    /// Reads the settings again while a service runs, and logs what is wrong or has changed.
    ///
    /// - Parameters:
    ///   - load: Reads them.
    ///   - logger: The log.
    /// - Returns: The settings, as far as the service can take them over; nil if something is wrong.
    func reloaded(
        by load: () throws(ConfigurationError) -> WatchConfiguration,
        _ logger: Logger
    ) -> WatchConfiguration? {
        let new: WatchConfiguration
        do throws(ConfigurationError) {
            new = try load()
        } catch {
            for mistake in error.mistakes {
                logger.error("\(mistake); the configuration stays as it was")
            }
            return nil
        }
        logger.notice("reloaded: \(changes(to: new))")
        return takingOver(new)
    }
}

extension ServiceLog {
    /// Takes over form and level.
    func take(_ configuration: WatchConfiguration) {
        format = configuration.logFormat
        level = configuration.logLevel
    }
}
