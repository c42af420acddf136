internal import Glibc
package import Logging
internal import SystemSupport

/// Keeps a metrics file up to date, for node-exporter's textfile collector.
///
/// The file is replaced as a whole, so nobody reads half of it, and everyone may read it. It stays when
/// the service ends; its age shows that nothing writes it any more.
package struct MetricsFile<FileClock: Clock>: Sendable where FileClock.Duration == Duration {
    private let path: String
    private let metrics: ServiceMetrics
    private let logger: Logger
    private let clock: FileClock
    private let interval: Duration

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - path: The file, whose name must end in `.prom` for node-exporter.
    ///   - metrics: The metrics.
    ///   - logger: Logs once when the file cannot be written, and once when it can be again.
    ///   - interval: The minimum time between two versions of the file.
    ///   - clock: The clock.
    package init(
        path: String,
        metrics: ServiceMetrics,
        logger: Logger,
        interval: Duration = .seconds(5),
        clock: FileClock = ContinuousClock()
    ) {
        self.path = path
        self.metrics = metrics
        self.logger = logger
        self.interval = interval
        self.clock = clock
    }

    /// Writes the file now, whenever metrics have changed, and at the end, until the task is cancelled.
    ///
    /// Without changes it sleeps.
    package func run() async {
        var failure: String?
        for await _ in changesFromNow() {
            failure = write(after: failure)
            try? await clock.sleep(until: clock.now.advanced(by: interval), tolerance: nil)
        }
        _ = write(after: failure)
    }

    private func changesFromNow() -> AsyncStream<Void> {
        let changes = metrics.changes()
        metrics.signal()
        return changes
    }

    /// Writes the file, and logs if it begins or ceases to fail.
    ///
    /// - Parameter before: The failure of the last write.
    /// - Returns: The failure of this write.
    private func write(after before: String?) -> String? {
        let failure = Self.replace(path, by: metrics.text)
        if let failure, before == nil {
            logger.warning("the figures cannot be written to \(path): \(failure)")
        } else if failure == nil && before != nil {
            logger.notice("the figures are written to \(path) again")
        }
        return failure
    }

    /// Writes a temporary file and renames it to the path.
    ///
    /// It is not synced to the disk: after a power failure the next start writes it anew.
    ///
    /// - Returns: The failure, if any.
    private static func replace(_ path: String, by text: String) -> String? {
        // A device or a pipe is there for others.
        let kind = FileStatus(at: path, followsLinks: false)?.kind
        if let kind, ![.file, .link].contains(kind) { return "it is not a regular file" }
        do throws(SystemError) {
            let beside = MetricsFile<ContinuousClock>.temporaryPath(of: path)
            var file = try TemporaryFile(at: FilePlace(Array(beside.utf8)), mode: 0o644)
            var number = fill(file.descriptor, text)
            if number == 0 { number = file.replace(FilePlace(Array(path.utf8))) }
            return number == 0 ? nil : describe(errorNumber: number)
        } catch {
            return error.description
        }
    }

    private static func fill(_ descriptor: Int32, _ text: String) -> Int32 {
        // The umask may have removed the permission of others to read it.
        if fchmod(descriptor, 0o644) != 0 { return errno }
        return Array(text.utf8).writeAll(to: descriptor)
    }
}

extension MetricsFile where FileClock == ContinuousClock {
    /// Where a version of the file is written before it takes its place.
    package static func temporaryPath(of path: String) -> String {
        // Not a name in `.prom`, which would be collected too, and none that people give to files.
        "\(path.parentFolder)/.\(path.lastPathComponent).partial"
    }
}
