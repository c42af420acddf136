package import FoundationEssentials
package import LuggageTags
internal import Synchronization

/// Metrics of the service, counted since it started.
///
/// They begin at zero at each start. Monitoring expects that of counters, and sees it in
/// `luggage_start_time_seconds`; permanent numbers come from the record.
package final class ServiceMetrics: Sendable {
    private let figures: Mutex<MetricFigures>
    private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// Starts counting.
    ///
    /// - Parameter startedAt: When the service started.
    package init(startedAt: Date = Date()) {
        figures = Mutex(MetricFigures(startedAt: startedAt))
    }

    /// Counts a picture that was moved to its folder.
    ///
    /// - Parameters:
    ///   - disposition: What happened to it, such as the name of its folder.
    ///   - duration: The time since it was complete.
    ///   - date: When it was moved.
    package func countPicture(
        _ disposition: String,
        filedIn duration: Duration? = nil,
        at date: Date = Date()
    ) {
        change { figures in
            figures.pictures.count([disposition])
            figures.lastFiled = max(figures.lastFiled ?? date, date)
            if let duration { figures.filing.observe(duration) }
        }
    }

    package func countTag(_ outcome: Outcome, at point: Point) {
        change { $0.tags.count([outcome.rawValue, point.rawValue]) }
    }

    /// Counts a failure of a picture or tag by its stable code.
    package func countFailure(reason: String) {
        change { $0.failures.count([reason]) }
    }

    /// Counts a run of the hook.
    package func countHook(isSuccess: Bool) {
        change { $0.hooks.count([isSuccess ? "success" : "failure"]) }
    }

    /// Records the time that reading one picture took.
    package func observeReading(_ duration: Duration) {
        change { $0.reading.observe(duration) }
    }

    /// Sets the number of pictures that wait to be filed.
    package func setPending(_ count: Int) {
        change { $0.pending = count }
    }

    /// Sets whether filing has paused, as it does while the record cannot be written.
    package func setPaused(_ isPaused: Bool) {
        change { $0.isPaused = isPaused }
    }

    /// The metrics in the text format of Prometheus.
    package var text: String {
        figures.withLock { $0 }.text
    }

    /// Signals changes; changes before the next read are merged into one signal.
    ///
    /// - Returns: The signals; a second listener replaces the first.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let previous = listener.withLock { listener in
            defer { listener = continuation }
            return listener
        }
        previous?.finish()
        return stream
    }

    /// Wakes the listener, even if nothing has changed.
    func signal() {
        _ = listener.withLock { $0?.yield() }
    }

    private func change(_ body: (inout MetricFigures) -> Void) {
        figures.withLock { body(&$0) }
        signal()
    }
}
