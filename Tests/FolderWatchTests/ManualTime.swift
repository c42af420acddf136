internal import CLinux
internal import FolderWatch
internal import Glibc
internal import Synchronization
internal import Testing

/// A clock that only a test moves, and the system with it: events come as they do, timers when told.
final class ManualTime: Sendable {
    private let time = Mutex(Duration.zero)
    /// Raised when the clock is moved, so that whoever waits looks at it.
    private let moved = system_open_wake_signal()
    /// For how long the thread means to sleep, and until when.
    private typealias Sleep = (timeout: Duration, until: Duration)

    /// Each sleep of the thread; nil where it has no end.
    private let sleeps: AsyncStream<Sleep?>
    private let sleepContinuation: AsyncStream<Sleep?>.Continuation
    private let scanContinuation: AsyncStream<[UInt8]>.Continuation

    /// The path of each folder that was scanned, when the scan is over.
    let scans: AsyncStream<[UInt8]>

    init() {
        (sleeps, sleepContinuation) = AsyncStream.makeStream()
        (scans, scanContinuation) = AsyncStream.makeStream()
    }

    deinit {
        close(moved)
    }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
        system_raise_wake_signal(moved)
    }

    /// How often the thread wakes in this time, which passes as soon as it sleeps.
    func wakeUps(during duration: Duration) async throws -> Int {
        let end = time.withLock { $0 } + duration
        var wakeUps = 0
        for await sleep in sleeps {
            let (timeout, until) = try #require(sleep)
            #expect(timeout > .zero)
            wakeUps += 1
            let isOver = time.withLock { now in
                // Where something else has woken it, it sleeps again, and that sleep lets time pass.
                now = max(now, until)
                return now >= end
            }
            system_raise_wake_signal(moved)
            if isOver { break }
        }
        return wakeUps
    }

    /// The system as it is, but for the clock.
    var system: WatchSystem {
        var system = WatchSystem.live
        let scan = system.scan
        system.now = { [self] in Moment(sinceStart: time.withLock { $0 }) }
        system.wait = { [self] descriptors, timeout in wait(for: descriptors, timeout) }
        system.scan = { [self] path, body in
            let result = scan(path, body)
            scanContinuation.yield(path)
            return result
        }
        return system
    }

    /// As a system waits: until there is something to tell, or the time has come, and not before.
    private func wait(for descriptors: WaitedDescriptors, _ timeout: Duration?) -> Bool {
        let now = time.withLock { $0 }
        let until = timeout.map { now + $0 }
        sleepContinuation.yield(timeout.map { ($0, now + $0) })
        while true {
            var polled = [
                pollfd(fd: descriptors.mounts ?? -1, events: Int16(POLLPRI), revents: 0),
                pollfd(fd: descriptors.signal ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptors.events ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: moved, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&polled, nfds_t(polled.count), -1)
            // Before a look at the clock: it is moved first, and then this is raised.
            system_lower_wake_signal(moved)
            let isTold = polled[..<3].contains { $0.revents != 0 }
            if isTold || until.map({ $0 <= time.withLock { $0 } }) ?? false {
                return polled[0].revents != 0
            }
        }
    }
}
