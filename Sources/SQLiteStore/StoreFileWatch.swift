internal import FoundationEssentials
internal import Glibc
public import ObjectStore
internal import Synchronization
internal import SystemSupport

/// Reports changes of a store's files by any process, on a thread of its own.
///
/// The thread sleeps until something happens to the files. If the system gives no events, it polls
/// every second or two.
final class StoreFileWatch: StoreWatch {
    private static let pollingInterval = Duration.seconds(1)

    /// The write end of a pipe that wakes the thread, and ends it when closed; nil when closed.
    private let signal: Mutex<Int32?>

    /// Begins to report commits; nil if the system gives no descriptors or threads.
    ///
    /// After a write to the write-ahead log, the thread checks as ``RecheckSchedule`` says.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - notice: Is called some time after every commit.
    convenience init?(commitsTo path: String, _ notice: @escaping @Sendable () -> Void) {
        self.init { Self.tellOfCommits(path, $0, notice) }
    }

    /// Begins to report any change of the files; nil if the system gives no descriptors or threads.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - notice: Is called some time after a change.
    convenience init?(filesOf path: String, _ notice: @escaping @Sendable () -> Void) {
        self.init { Self.tellOfFiles(path, $0, notice) }
    }

    /// Starts the thread with the end of the pipe to wait for.
    private init?(_ run: @escaping @Sendable (Int32) -> Void) {
        guard let pipe = PipeEnds() else { return nil }
        for end in [pipe.reading, pipe.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        signal = Mutex(pipe.writing)
        let wake = pipe.reading
        let isWatching = DetachedThread.start {
            run(wake)
            close(wake)
        }
        if isWatching { return }
        cancel()
        close(wake)
        return nil
    }

    deinit {
        cancel()
    }

    func tellSoon() {
        signal.withLock { signal in
            // A full pipe wakes the thread too.
            var byte: UInt8 = 0
            if let signal { _ = unsafe write(signal, &byte, 1) }
        }
    }

    func cancel() {
        signal.withLock { signal in
            if let signal { close(signal) }
            signal = nil
        }
    }

    private static func tellOfCommits(_ path: String, _ signal: Int32, _ notice: () -> Void) {
        var events = LogEvents(path: path)
        var schedule = RecheckSchedule()
        // A commit may have happened before the events were requested.
        schedule.restart()
        while true {
            let isFirstLook = schedule.delay != nil && !schedule.hasLooked
            var delay = schedule.delay
            if events.state == .none { delay = min(delay ?? pollingInterval, pollingInterval) }
            // Between an event and the first check, further events change nothing.
            let descriptor = isFirstLook ? -1 : events.descriptor
            switch wait(for: descriptor, or: signal, delay) {
            case .end: return
            case .request: notice()
            case .event:
                events.take()
                schedule.restart()
            case .timeout:
                if isFirstLook { events.take() }
                if events.state == .none { events.watch() }
                schedule.advance()
                notice()
            }
        }
    }

    private static func tellOfFiles(
        _ path: String,
        _ signal: Int32,
        _ notice: () -> Void
    ) {
        var events = FolderEvents(of: path)
        while true {
            let delay = events.isWatching ? nil : pollingInterval * 2
            switch wait(for: events.descriptor, or: signal, delay) {
            case .end: return
            case .request, .timeout: break
            case .event:
                // Events come in bursts, and one process that files pictures causes them all the time.
                if case .end = wait(for: -1, or: signal, pollingInterval / 2) { return }
            }
            events.take()
            notice()
        }
    }

    private enum Wake {
        case end, request, event, timeout
    }

    private static func wait(for events: Int32, or signal: Int32, _ delay: Duration?) -> Wake {
        var descriptors = [
            pollfd(fd: signal, events: Int16(POLLIN), revents: 0),
            // A negative descriptor is ignored.
            pollfd(fd: events, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = delay.map { Int32($0 / .milliseconds(1)) } ?? -1
        let count = unsafe poll(&descriptors, 2, timeout)
        if descriptors[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            return unsafe read(signal, &bytes, bytes.count) > 0 ? .request : .end
        }
        return count > 0 && descriptors[1].revents != 0 ? .event : .timeout
    }
}

/// The active watches of a store, which closing it ends.
final class CommitWatches: Sendable {
    private struct WeakWatch {
        weak var watch: StoreFileWatch?
    }

    private let watches = Mutex<[WeakWatch]>([])

    func add(_ watch: StoreFileWatch) {
        watches.withLock { watches in
            watches.removeAll { $0.watch == nil }
            watches.append(WeakWatch(watch: watch))
        }
    }

    func cancelAll() {
        for watch in watches.withLock({ $0.compactMap(\.watch) }) { watch.cancel() }
    }
}

extension SQLiteStore {
    /// Reports commits of this and other processes while the store is open.
    public func watchCommits(
        _ notice: @escaping @Sendable () -> Void
    ) -> (any ObjectStore.StoreWatch)? {
        guard let watch = StoreFileWatch(commitsTo: path, notice) else { return nil }
        watches.add(watch)
        return watch
    }

    /// Reports any change of a store's files, or in their folder, by any process.
    ///
    /// The store need not be open.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - notice: Is called within a second or two after a change, never twice at the same time.
    /// - Returns: An object that keeps the reports coming; nil if the system gives no descriptors
    ///   or threads.
    public static func watchFiles(
        of path: String,
        _ notice: @escaping @Sendable () -> Void
    ) -> (any ObjectStore.StoreWatch)? {
        StoreFileWatch(filesOf: path, notice)
    }
}

/// When to check for a commit after a write to the log.
///
/// A commit becomes readable only when it is on the disk, some time after the last event. So the
/// watch checks again and again, each time after twice the delay, and stops after about a minute:
/// while nothing is written, nothing wakes up.
package struct RecheckSchedule: Sendable {
    private static let first = Duration.milliseconds(2)
    private static let last = Duration.seconds(32)

    /// The delay until the next check; nil if none is due.
    package private(set) var delay: Duration?

    /// Whether a check was made since the last event.
    package private(set) var hasLooked = false

    /// A schedule without checks.
    package init() {}

    /// Restarts the schedule after an event.
    package mutating func restart() {
        delay = Self.first
        hasLooked = false
    }

    /// Moves on to the next check.
    package mutating func advance() {
        guard let passed = delay else { return }
        hasLooked = true
        delay = passed < Self.last ? passed * 2 : nil
    }
}
