internal import Glibc
internal import SystemSupport

/// Tells the service manager the state of the service, as `sd_notify` does.
///
/// Without a manager that listens it does nothing, and a failure to send does not stop the service.
/// See `sd_notify(3)` for the meaning of the messages.
package struct ServiceNotifier: Sendable {
    /// A message to the manager.
    package enum Message: Hashable, Sendable {
        /// The service has started, or has loaded its new configuration.
        case ready
        /// What the service is doing, for a person, on one line.
        case status(String)
        /// The service is loading its new configuration.
        case reloading
        /// The service is about to end.
        case stopping
        /// Starting or stopping takes longer, for this time from now.
        case extendTimeout(Duration)
        /// The service ends because of this error number.
        case failed(Int32)
        /// The service makes progress.
        case alive
    }

    /// How often the manager expects ``Message/alive``; nil if it does not.
    package let watchdogInterval: Duration?

    private let address: LocalAddress?
    private let socket: DatagramSocket?

    /// Reads the manager's address from `NOTIFY_SOCKET`, and the interval from `WATCHDOG_USEC`.
    ///
    /// The interval counts only if `WATCHDOG_PID` is this process or absent.
    package init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap(LocalAddress.init)
        socket = address == nil ? nil : DatagramSocket()
        let isForThisProcess = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        // Ignores negative intervals, and those of more than a year.
        let isInterval = (1...31_536_000_000_000).contains(microseconds)
        watchdogInterval = isForThisProcess && isInterval ? .microseconds(microseconds) : nil
    }

    /// Sends messages to the manager, all in one datagram.
    ///
    /// - Returns: Whether they were sent.
    @discardableResult
    package func send(_ messages: Message...) -> Bool {
        guard let address, let socket else { return false }
        let lines = messages.flatMap(\.lines).joined(separator: "\n")
        return socket.send(Array(lines.utf8), to: address) == .sent
    }
}

extension ServiceNotifier.Message {
    fileprivate var lines: [String] {
        switch self {
        case .ready: ["READY=1"]
        case .status(let text): ["STATUS=" + String(text.onOneLine.prefix(500))]
        case .reloading: ["RELOADING=1", "MONOTONIC_USEC=\(Self.monotonicMicroseconds)"]
        case .stopping: ["STOPPING=1"]
        case .extendTimeout(let duration):
            ["EXTEND_TIMEOUT_USEC=\(Self.microseconds(duration))"]
        case .failed(let number): ["ERRNO=\(number)"]
        case .alive: ["WATCHDOG=1"]
        }
    }

    /// The duration, limited to a year, which is as good as for ever.
    private static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let bounded = min(max(0, seconds), 31_536_000)
        return bounded * 1_000_000 + max(0, attoseconds) / 1_000_000_000_000
    }

    private static var monotonicMicroseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
