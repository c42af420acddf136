internal import FoundationEssentials
internal import LuggageTags
internal import Synchronization

/// Tells alarms, each once: it asks the record for those that nobody was told of.
///
/// It asks between batches of pictures, by the thread that files them. So it waits while the record cannot be
/// written, and asks a record that is right.
final class AlarmWatch: Sendable {
    private struct State {
        /// Whether it is going to ask already.
        var isDue = false
        /// Whether it has answered before.
        var hasAsked = false
        /// Why it could not be asked the last time.
        var trouble: String?
    }

    private let store: ServiceStore
    private let reporter: ServiceReporter
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// Prepares to tell the alarms of a record.
    ///
    /// - Parameters:
    ///   - store: The record.
    ///   - reporter: Tells them.
    ///   - now: Gives the present moment.
    init(
        store: ServiceStore,
        reporter: ServiceReporter,
        now: @escaping @Sendable () -> Date
    ) {
        (self.store, self.reporter, self.now) = (store, reporter, now)
    }

    /// Looks for alarms as soon as no batch is being filed.
    ///
    /// - Parameters:
    ///   - bounds: From when on something is an alarm.
    ///   - filing: The queue that files.
    ///   - end: Called when it has looked.
    func look(
        within bounds: AlarmBounds,
        between filing: FilingQueue,
        _ end: @escaping @Sendable () -> Void = {}
    ) {
        let isDue = state.withLock { state in
            defer { state.isDue = true }
            return state.isDue
        }
        if isDue { return filing.betweenBatches(end) }
        filing.betweenBatches {
            self.look(within: bounds)
            end()
        }
    }

    private func look(within bounds: AlarmBounds) {
        let isFirst = state.withLock { state in
            state.isDue = false
            return !state.hasAsked
        }
        do {
            reporter.tell(try store.takeAlarms(within: bounds, at: now()), isFirst: isFirst)
            state.withLock { ($0.hasAsked, $0.trouble) = (true, nil) }
        } catch {
            store.doubt(after: error)
            let words = "\(error)"
            let isKnown = state.withLock { state in
                defer { state.trouble = words }
                return state.trouble == words
            }
            if !isKnown { reporter.tell(alarmTrouble: words) }
        }
    }
}
