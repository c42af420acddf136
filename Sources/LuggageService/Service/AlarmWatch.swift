internal import FoundationEssentials
internal import Logging
internal import LuggageTags
internal import Synchronization

/// Tells alarms to the log and the hook, each once: it asks the record for those that nobody was told of.
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

    /// The most alarms that are logged together, each with a line.
    private static let mostTogether = 100

    private let store: ServiceStore
    private let logger: Logger
    private let hooks: HookRunner
    private let now: @Sendable () -> Date
    private let tellOpen: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// Prepares to tell the alarms of a record.
    ///
    /// - Parameters:
    ///   - store: The record.
    ///   - logger: The log.
    ///   - hooks: Runs the hook.
    ///   - now: Gives the present moment.
    ///   - tellOpen: Called after each look with how many are open that nobody has taken note of.
    init(
        store: ServiceStore,
        logger: Logger,
        hooks: HookRunner,
        now: @escaping @Sendable () -> Date,
        tellOpen: @escaping @Sendable (Int) -> Void
    ) {
        self.store = store
        self.logger = logger
        self.hooks = hooks
        self.now = now
        self.tellOpen = tellOpen
    }

    /// What a line of status says of open alarms; nothing if there are none.
    static func words(open count: Int) -> String {
        count == 0 ? "" : count == 1 ? "; 1 alarm is open" : "; \(count) alarms are open"
    }

    /// Looks for alarms as soon as no batch is being filed.
    ///
    /// - Parameters:
    ///   - bounds: From when on something is an alarm.
    ///   - betweenBatches: Runs a closure between two batches.
    ///   - end: Called when it has looked.
    func look(
        within bounds: AlarmBounds,
        _ betweenBatches: (@escaping @Sendable () -> Void) -> Void,
        _ end: @escaping @Sendable () -> Void = {}
    ) {
        let isDue = state.withLock { state in
            defer { state.isDue = true }
            return state.isDue
        }
        if isDue { return betweenBatches(end) }
        betweenBatches {
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
            tell(try store.takeAlarms(within: bounds, at: now()), isFirst: isFirst)
            state.withLock { ($0.hasAsked, $0.trouble) = (true, nil) }
        } catch {
            store.doubt(after: error)
            let words = "\(error)"
            let isKnown = state.withLock { state in
                defer { state.trouble = words }
                return state.trouble == words
            }
            if isKnown { return }
            logger.warning(
                "alarms could not be looked for: \(words); it is tried again each minute"
            )
        }
    }

    /// Tells the alarms that nobody was told of.
    ///
    /// - Parameters:
    ///   - news: What there is to tell.
    ///   - isFirst: Whether this is the first look at the record since the start.
    private func tell(_ news: AlarmTelling.News, isFirst: Bool) {
        // Of a bound that is set for the first time many follow; pictures must not wait for their hooks.
        for alarm in news.new.prefix(Self.mostTogether) {
            logger.tell(alarm)
            hooks.submit(HookFacts(alarm))
        }
        let more = news.new.count - Self.mostTogether
        if more > 0 { logger.warning("and \(more) more alarms: `luggage note` lists them") }
        let older = news.open - news.new.count
        if isFirst, older > 0 {
            let words =
                older == 1 ? "1 alarm told before is" : "\(older) alarms told before are"
            logger.notice("\(words) still open: `luggage note` lists what nobody has noted")
        }
        tellOpen(news.open)
    }
}
