internal import Foundation
public import ObjectStore
internal import Synchronization
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// Tells of what happens to the files of a store, by whichever process, on a thread of its own.
///
/// The thread sleeps until something has happened to them. Where the system gives no events it looks
/// every second or two.
final class StoreFileWatch: StoreWatch {
    private static let pollingInterval = Duration.seconds(1)

    /// The end of a pipe that wakes the thread, and ends it when it is closed; nil once it is.
    private let signal: Mutex<Int32?>

    /// Begins to tell of commits, or gives nil where the system has no more descriptors or threads to
    /// give.
    ///
    /// The thread looks as ``RecheckSchedule`` has it, after the write-ahead log was written to.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - notice: Is called some time after every commit.
    convenience init?(commitsTo path: String, _ notice: @escaping @Sendable () -> Void) {
        self.init { Self.tellOfCommits(path, $0, notice) }
    }

    /// Begins to tell of anything that happens to the files, or gives nil as above.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - notice: Is called some time after it.
    convenience init?(filesOf path: String, _ notice: @escaping @Sendable () -> Void) {
        self.init { Self.tellOfFiles(path, $0, notice) }
    }

    /// Starts the thread, which is given the end of the pipe to wait for.
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
            // A pipe that is full wakes the thread as well.
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
        // A commit may have come before the events.
        schedule.restart()
        while true {
            let isFirstLook = schedule.delay != nil && !schedule.hasLooked
            var delay = schedule.delay
            if events.state == .none { delay = min(delay ?? pollingInterval, pollingInterval) }
            // Between a sign and the first look, more signs change nothing.
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
                // More of them come together, and while one files they come all the time.
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
            // One below zero is passed over.
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

/// The watches of a store that are going on, so that closing it ends them.
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
    /// Tells of commits of this and other processes, while the store is open.
    public func watchCommits(
        _ notice: @escaping @Sendable () -> Void
    ) -> (any ObjectStore.StoreWatch)? {
        guard let watch = StoreFileWatch(commitsTo: path, notice) else { return nil }
        watches.add(watch)
        return watch
    }

    /// Tells of anything that happens to the files of a store or in their folder, by whichever process,
    /// whether or not the store is open.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - notice: Is called within a second or two after it, never twice at the same time.
    /// - Returns: What keeps this going; nil where the system has no more descriptors or threads to give.
    public static func watchFiles(
        of path: String,
        _ notice: @escaping @Sendable () -> Void
    ) -> (any ObjectStore.StoreWatch)? {
        StoreFileWatch(filesOf: path, notice)
    }
}
