internal import Glibc
package import SystemSupport

/// A wait for a socket, for signals of other threads, and for a time.
package struct SocketWait {
    /// Why it is over.
    package enum End {
        /// The socket can be read or written, or has failed: which of them, the next call tells.
        case socket(isWritable: Bool)
        /// This one of the signals is raised.
        case signal(Int)
        case deadline
    }

    /// What the socket shall be able to do.
    package enum Awaited {
        case reading, writing, both
    }

    /// Negative for none.
    let socket: Int32
    var awaited = Awaited.reading
    /// The first one that is raised counts, and before anything else.
    let signals: [WakeSignal]
    let deadline: SuspendingClock.Instant?

    init(
        socket: Int32,
        awaited: Awaited = .reading,
        signals: [WakeSignal],
        deadline: SuspendingClock.Instant?
    ) {
        (self.socket, self.awaited) = (socket, awaited)
        (self.signals, self.deadline) = (signals, deadline)
    }

    /// Names signals and a time, and no socket.
    package init(signals: [WakeSignal], deadline: SuspendingClock.Instant?) {
        self.init(socket: -1, signals: signals, deadline: deadline)
    }

    /// Waits.
    package func run() throws(SystemError) -> End {
        let events: Int32 =
            switch awaited {
            case .reading: POLLIN
            case .writing: POLLOUT
            case .both: POLLIN | POLLOUT
            }
        var descriptors: [pollfd] = []
        for signal in signals {
            signal.open()
            // A signal that cannot be heard would let this wait for ever.
            guard let descriptor = signal.descriptor else { throw SystemError(number: EMFILE) }
            descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        descriptors.append(pollfd(fd: socket, events: Int16(events), revents: 0))
        while true {
            let count = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
            if count < 0 {
                guard errno == EINTR else { throw SystemError.last }
                continue
            }
            if let raised = descriptors.dropLast().firstIndex(where: { $0.revents != 0 }) {
                return .signal(raised)
            }
            if let last = descriptors.last, last.revents != 0 {
                return .socket(isWritable: last.revents & Int16(POLLOUT) != 0)
            }
            // The longest wait of one call is 24 days.
            if let deadline, SuspendingClock.now >= deadline { return .deadline }
        }
    }

    private var milliseconds: Int32 {
        guard let deadline else { return -1 }
        let left = SuspendingClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        // Rounded up, because waking too early would find nothing to do.
        return Int32(min(Double(Int32.max), (left / .milliseconds(1)).rounded(.up)))
    }
}
