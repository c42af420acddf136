internal import Foundation
public import ObjectStore
internal import Synchronization
internal import SystemCalls

#if canImport(Glibc)
internal import Glibc
#endif

/// Tells of commits to a store, by whichever process, on a thread of its own.
///
/// The thread sleeps until the write-ahead log is written, then looks as ``RecheckSchedule`` has it.
/// Where the system gives no events it looks every second.
final class CommitWatch: StoreWatch {
    private static let pollingInterval = Duration.seconds(1)

    /// The end of a pipe that wakes the thread, and ends it when it is closed; nil once it is.
    private let signal: Mutex<Int32?>

    /// Begins to tell, or gives nil where the system has no more descriptors or threads to give.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - notice: Is called some time after every commit.
    init?(path: String, _ notice: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        // A program that this one starts must not hold the end that ends the thread.
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signal = Mutex(ends[1])
        let wake = ends[0]
        let isWatching = DetachedThread.start {
            Self.run(path, wake, notice)
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

    private static func run(_ path: String, _ signal: Int32, _ notice: () -> Void) {
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
        weak var watch: CommitWatch?
    }

    private let watches = Mutex<[WeakWatch]>([])

    func add(_ watch: CommitWatch) {
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
        guard let watch = CommitWatch(path: path, notice) else { return nil }
        watches.add(watch)
        return watch
    }
}
