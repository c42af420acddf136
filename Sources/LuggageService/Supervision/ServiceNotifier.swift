internal import LuggageTags
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// Tells the service manager how the service is doing, as `sd_notify` does.
///
/// Without a manager that listens nothing happens, and no failure to tell it stops the service. What
/// the messages mean is in `sd_notify(3)`.
public struct ServiceNotifier: Sendable {
    /// Something to tell.
    public enum Message: Hashable, Sendable {
        /// The service has started, or has taken over its new configuration.
        case ready
        /// What the service is doing, for a person, on one line.
        case status(String)
        /// The service takes over its new configuration now.
        case reloading
        /// The service is about to end.
        case stopping
        /// Starting or stopping takes longer, by this from now.
        case extendTimeout(Duration)
        /// The number of the system's error that is why the service ends.
        case failed(Int32)
        /// The service makes progress.
        case alive
    }

    /// How often the manager wants to hear ``Message/alive``; `nil` where it does not.
    public let watchdogInterval: Duration?

    private let address: DatagramAddress?
    private let socket: DatagramSocket?

    /// Reads who is to be told from `NOTIFY_SOCKET`, and how often from `WATCHDOG_USEC`, where
    /// `WATCHDOG_PID` is this process or absent.
    public init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap(DatagramAddress.init)
        socket = address == nil ? nil : DatagramSocket()
        let isForThisProcess = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        // More than a year is no interval, and none that is negative.
        let isInterval = (1...31_536_000_000_000).contains(microseconds)
        watchdogInterval = isForThisProcess && isInterval ? .microseconds(microseconds) : nil
    }

    /// Tells the manager; several messages arrive together.
    ///
    /// - Returns: Whether it was told.
    @discardableResult
    public func send(_ messages: Message...) -> Bool {
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

    /// Not more than a year, which is as good as for ever.
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
