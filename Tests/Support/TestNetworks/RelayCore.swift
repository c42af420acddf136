internal import Glibc
internal import Synchronization
internal import SystemSupport

/// The thread of a relay, and what others tell it.
final class RelayCore: Sendable {
    private let state = Mutex(TestRelay.Orders())
    private let signal = WakeSignal()
    private let listener: Int32
    private let target: Int

    init(listener: Int32, target: Int) {
        (self.listener, self.target) = (listener, target)
    }

    func orders<Result: Sendable>(_ look: (inout TestRelay.Orders) -> Result) -> Result {
        state.withLock { look(&$0) }
    }

    func order(_ change: (inout TestRelay.Orders) -> Void) {
        state.withLock { change(&$0) }
        signal.raise()
    }

    /// Relays until it is told to end.
    func run() {
        var connections: [RelayedConnection] = []
        defer {
            close(listener)
            for connection in connections { connection.close(.close) }
        }
        while true {
            signal.lower()
            let orders = orders(\.self)
            if orders.isEnded { return }
            for connection in connections where connection.number < orders.cut {
                connection.close(.close)
            }
            take(&connections)
            for connection in connections { connection.move(isSilent: orders.isSilent) }
            let traffic = connections.map { ($0.number, $0.traffic) }
            state.withLock { for (number, traffic) in traffic { $0.traffic[number] = traffic } }
            connections.removeAll { $0.isClosed }
            wait(for: connections, isSilent: orders.isSilent)
        }
    }

    private func take(_ connections: inout [RelayedConnection]) {
        while let client = Socket.accepted(listener) {
            // Not what was ordered before it came.
            let (number, course, isRefused) = state.withLock { state in
                state.traffic.append(TestRelay.Traffic())
                let course = state.next.isEmpty ? state.usual : state.next.removeFirst()
                return (state.traffic.count - 1, course, state.refuses)
            }
            guard !isRefused, let server = try? Socket.connection(to: target) else {
                close(client)
                continue
            }
            connections.append(
                RelayedConnection(number: number, client: client, server: server, course)
            )
        }
    }

    /// Waits until something can be moved, or is due, or is ordered.
    private func wait(for connections: [RelayedConnection], isSilent: Bool) {
        var awaited = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        if let descriptor = signal.descriptor {
            awaited.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        var due: SuspendingClock.Instant?
        if !isSilent {
            for connection in connections {
                awaited += connection.awaited
                due = [due, connection.due].compactMap(\.self).min()
            }
        }
        let left = due.map { SuspendingClock.now.duration(to: $0) / .milliseconds(1) }
        _ = unsafe poll(
            &awaited,
            nfds_t(awaited.count),
            left.map { Int32(max(0, $0.rounded(.up))) } ?? -1
        )
    }
}

/// One connection through a relay, which only the relay's thread has.
final class RelayedConnection {
    /// One direction of it.
    private struct Flow {
        let from: Int32
        let to: Int32
        /// What is on its way, with the time at which it arrives.
        var queue: [(due: SuspendingClock.Instant, bytes: [UInt8])] = []
        var queued = 0
        /// How many more bytes pass; nil for all.
        var left: Int?
        var passed = 0
        /// Whether the sender has said its last.
        var isFinished = false
        var isShut = false
        /// Whether the receiver takes nothing at the moment.
        var isBlocked = false
    }

    let number: Int
    private let sockets: [Int32]
    private let course: TestRelay.Course
    private var client: Flow
    private var server: Flow
    /// Whether it has come to a silent end.
    private var isSilent = false
    private(set) var isClosed = false

    init(number: Int, client: Int32, server: Int32, _ course: TestRelay.Course) {
        (self.number, self.course, sockets) = (number, course, [client, server])
        self.client = Flow(from: client, to: server)
        self.server = Flow(from: server, to: client)
        if course.side == .client { self.client.left = course.bytes }
        if course.side == .server { self.server.left = course.bytes }
    }

    var traffic: TestRelay.Traffic {
        TestRelay.Traffic(client: client.passed, server: server.passed)
    }

    func close(_ end: TestRelay.Course.End) {
        guard !isClosed else { return }
        isClosed = true
        for descriptor in sockets {
            if end == .reset { Socket.reset(descriptor) } else { Glibc.close(descriptor) }
        }
    }

    /// What to wait for.
    var awaited: [pollfd] {
        if isSilent { return [] }
        return [client, server].flatMap { flow in
            var awaited: [pollfd] = []
            if isReading(flow) {
                awaited.append(pollfd(fd: flow.from, events: Int16(POLLIN), revents: 0))
            }
            if flow.isBlocked {
                awaited.append(pollfd(fd: flow.to, events: Int16(POLLOUT), revents: 0))
            }
            return awaited
        }
    }

    /// When the next bytes arrive.
    var due: SuspendingClock.Instant? {
        isSilent
            ? nil
            : [client, server].filter { !$0.isBlocked }.compactMap { $0.queue.first?.due }.min()
    }

    // A network holds only so much.
    private func isReading(_ flow: Flow) -> Bool { !flow.isFinished && flow.queued < 1 << 20 }

    /// Moves what can be moved now.
    func move(isSilent isAllSilent: Bool) {
        guard !isClosed, !isSilent, !isAllSilent else { return }
        move(&client)
        if !isClosed { move(&server) }
        if !isClosed, client.isShut, server.isShut { close(.close) }
    }

    private func move(_ flow: inout Flow) {
        receive(&flow)
        deliver(&flow)
        guard !isClosed, flow.queue.isEmpty else { return }
        if flow.left == 0 {
            switch course.end {
            case .close, .reset: close(course.end)
            case .silence: isSilent = true
            case .loss: break
            }
        } else if flow.isFinished, !flow.isShut {
            flow.isShut = true
            shutdown(flow.to, Int32(SHUT_WR))
        }
    }

    private func receive(_ flow: inout Flow) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while isReading(flow) {
            let count = unsafe recv(flow.from, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { return }
            if count < 0, errno == EINTR { continue }
            if count < 0 {
                // One side is broken, or was never there: the other hears of it.
                close(.reset)
                return
            }
            guard count > 0 else {
                flow.isFinished = true
                return
            }
            let passing = min(count, flow.left ?? count)
            flow.left = flow.left.map { $0 - passing }
            guard passing > 0 else {
                // What is lost may come for ever.
                if course.end == .loss { continue }
                return
            }
            flow.queue.append((.now + course.delay, Array(buffer.prefix(passing))))
            flow.queued += passing
        }
    }

    private func deliver(_ flow: inout Flow) {
        flow.isBlocked = false
        while !isClosed, let next = flow.queue.first, next.due <= .now {
            let count = unsafe send(
                flow.to,
                next.bytes,
                next.bytes.count,
                Int32(MSG_NOSIGNAL)
            )
            if count < 0, errno == EINTR { continue }
            // A connection that is still being made takes nothing yet either.
            if count < 0, errno == EAGAIN || errno == ENOTCONN {
                flow.isBlocked = true
                return
            }
            if count < 0 {
                close(.reset)
                return
            }
            flow.passed += count
            flow.queued -= count
            if count == next.bytes.count {
                flow.queue.removeFirst()
            } else {
                flow.queue[0].bytes.removeFirst(count)
            }
        }
    }
}
