public import Logging
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// Keeps a file up to date with the figures, for node-exporter's textfile collector.
///
/// The file is replaced as a whole, so nobody reads half of it, and anybody may read it. It stays when
/// the service ends; its age tells that nobody writes it any more.
public struct MetricsFile<FileClock: Clock>: Sendable where FileClock.Duration == Duration {
    private let path: String
    private let metrics: ServiceMetrics
    private let logger: Logger
    private let clock: FileClock
    private let interval: Duration

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - path: The file, whose name ends with `.prom` where node-exporter is to see it.
    ///   - metrics: The figures.
    ///   - logger: Told once when the file cannot be written, and once when it can be again.
    ///   - interval: The least time between two versions of the file.
    ///   - clock: The clock.
    public init(
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

    /// Writes the file now, whenever figures have changed, and at the end.
    ///
    /// The end is when the task is cancelled. Without changes this sleeps.
    public func run() async {
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

    /// Writes the file and logs a change for the better or worse.
    ///
    /// - Parameter before: What went wrong the last time.
    /// - Returns: What has gone wrong now.
    private func write(after before: String?) -> String? {
        let failure = Self.replace(path, by: metrics.text)
        if let failure, before == nil {
            logger.warning("the figures cannot be written to \(path): \(failure)")
        } else if failure == nil && before != nil {
            logger.notice("the figures are written to \(path) again")
        }
        return failure
    }

    /// Writes beside the file and puts the whole in its place.
    ///
    /// It is not made durable: after a power failure the next start writes it anew.
    ///
    /// - Returns: What has gone wrong, if something has.
    private static func replace(_ path: String, by text: String) -> String? {
        do throws(TemporaryFile.SystemFailure) {
            // Not the name of a file of figures, which would be collected too.
            var file = try TemporaryFile(at: FilePlace(Array("\(path).tmp".utf8)), mode: 0o644)
            var number = fill(file.descriptor, text)
            if number == 0 { number = file.replace(FilePlace(Array(path.utf8))) }
            return number == 0 ? nil : describe(errorNumber: number)
        } catch {
            return describe(errorNumber: error.number)
        }
    }

    private static func fill(_ descriptor: Int32, _ text: String) -> Int32 {
        // The mask of the process may have taken from others what they need.
        if fchmod(descriptor, 0o644) != 0 { return errno }
        return Array(text.utf8).writeAll(to: descriptor)
    }
}
