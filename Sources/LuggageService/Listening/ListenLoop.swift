internal import FoundationEssentials
internal import Glibc
internal import LuggageTags
internal import Synchronization
internal import SystemSupport

/// Reads serial scanners on a thread of its own, which sleeps until one sends something or is plugged in.
final class ListenLoop: Sendable {
    /// What one scanner has sent.
    struct Arrival: Sendable {
        let frame: PayloadFraming.Frame
        /// The device, as the settings name it or as it was found.
        let device: String
        let scanners: ScannerWords.Named
        /// When it came.
        let date: Date
    }

    private struct State {
        var isStopped = false
        var isEnded = false
        /// Callers that wait for the loop to show that it goes on, or for its end.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var awaitingEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let scanners: ScannerWords
    private let baud: Int
    private let end: ScannerEnd
    private let isFull: @Sendable () -> Bool
    private let tell: @Sendable (ScannerNews) -> Void
    private let take: @Sendable (Arrival) -> Void
    private let wake: WakeSignal
    private let state = Mutex(State())

    /// Makes a loop; it reads nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: Says which scanners there are, and how they send.
    ///   - wake: Wakes the thread; to be raised when ``isFull`` gives another answer.
    ///   - isFull: Says whether nothing may be read because too much is not filed yet.
    ///   - tell: Gets what happens to scanners.
    ///   - take: Gets what they send, in the order in which each has sent it.
    init(
        _ configuration: WatchConfiguration,
        wake: WakeSignal,
        isFull: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable (ScannerNews) -> Void,
        take: @escaping @Sendable (Arrival) -> Void
    ) {
        scanners = configuration.scanners
        baud = configuration.baud
        end = configuration.payloadEnd
        self.wake = wake
        self.isFull = isFull
        self.tell = tell
        self.take = take
    }

    /// Begins to listen.
    func start() {
        DetachedThread.startPatiently { self.run() }
    }

    /// Stops: what has come is still read, and then every line is closed.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake.raise()
    }

    /// Waits until the thread has looked at everything once more: after the first time, it listens.
    func waitForTurn() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.waiting.append(continuation) }
                return state.isEnded
            }
            isEnded ? continuation.resume() : wake.raise()
        }
    }

    /// Waits until everything is read and closed after a stop.
    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.awaitingEnd.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    private func run() {
        let lines = ScannerLines(scanners, baud, end, tell: tell)
        while !state.withLock(\.isStopped) {
            lines.look()
            endTurn()
            wait(lines)
            wake.lower()
            if isFull() { continue }
            for reading in lines.readings { read(reading, lines, turns: 1) }
        }
        // What scanners have sent before the stop they have beeped for.
        for reading in lines.readings {
            read(reading, lines, turns: 16)
            reading.cut { take(Arrival($0, reading, $1)) }
        }
        lines.closeAll()
        endTurn()
        let ended = state.withLock { state in
            state.isEnded = true
            defer { (state.waiting, state.awaitingEnd) = ([], []) }
            return state.waiting + state.awaitingEnd
        }
        for continuation in ended { continuation.resume() }
    }

    /// Tells those who wait for it that a turn is over.
    private func endTurn() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Reads one scanner.
    ///
    /// - Parameters:
    ///   - reading: The scanner.
    ///   - lines: All of them.
    ///   - turns: The most reads, so that one scanner without end keeps no other waiting.
    private func read(_ reading: ScannerReading, _ lines: ScannerLines, turns: Int) {
        for _ in 0..<turns {
            let (isPlugged, hasMore) = reading.read { take(Arrival($0, reading, $1)) }
            if !isPlugged { return lines.close(reading) }
            if !hasMore { break }
        }
        if let deadline = reading.deadline, deadline <= .now {
            reading.cut { take(Arrival($0, reading, $1)) }
        }
    }

    /// Sleeps until something has happened, or is due.
    private func wait(_ lines: ScannerLines) {
        // A negative descriptor is not waited for.
        var polled = [wake.descriptor ?? -1, lines.signs ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        var limit = lines.nextLook
        if !isFull() {
            for reading in lines.readings {
                polled.append(
                    pollfd(fd: reading.line.descriptor, events: Int16(POLLIN), revents: 0)
                )
                if let deadline = reading.deadline { limit = min(limit, deadline) }
            }
        }
        let left = max(.zero, SuspendingClock.now.duration(to: limit)) / .milliseconds(1)
        _ = unsafe poll(&polled, nfds_t(polled.count), Int32(min(left.rounded(.up), 3_600_000)))
        if polled[1].revents != 0 { lines.takeSigns() }
    }
}

extension ListenLoop.Arrival {
    fileprivate init(_ frame: PayloadFraming.Frame, _ reading: ScannerReading, _ date: Date) {
        self.init(frame: frame, device: reading.path, scanners: reading.scanners, date: date)
    }
}
