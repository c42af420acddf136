internal import SystemSupport

#if canImport(Glibc)
internal import Glibc
#endif

/// One run of a hook: its process, its output, and its time limit.
///
/// It blocks one thread, which sleeps until something happens. It uses no tasks: work on the threads of
/// Swift's runtime makes them wake once a second from then on.
struct HookRun: ~Copyable {
    private enum Stage {
        /// It runs within its time.
        case running
        /// It has been sent SIGTERM.
        case asked
        /// It has been killed.
        case killed
    }

    /// The time between SIGTERM and SIGKILL.
    private static let patience = Duration.seconds(2)

    private let process: ChildProcess
    private var stage = Stage.running
    private var deadline: SuspendingClock.Instant?
    private var isTooSlow = false
    private var output = HookOutput()
    /// Whether someone may still write output.
    private var isHeard = true
    private var buffer = [UInt8](repeating: 0, count: 16384)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - command: A command line for `/bin/sh`.
    ///   - environment: Its variables, as `NAME=VALUE`.
    ///   - input: The content of its standard input.
    ///   - timeLimit: How long it may take.
    /// - Throws: Why the shell cannot be started.
    init(
        command: String,
        environment: [[UInt8]],
        input: [UInt8],
        timeLimit: Duration
    ) throws(SystemError) {
        process = try ChildProcess.start(
            "/bin/sh",
            arguments: ["/bin/sh", "-c", command].map { Array($0.utf8) },
            environment: environment,
            input: input
        )
        deadline = .now + timeLimit
    }

    /// Waits until it has ended.
    ///
    /// - Parameter cancellation: Raised to end it.
    /// - Returns: The result.
    consuming func outcome(unless cancellation: WakeSignal) -> Hook.Outcome {
        while !waitForEnd(cancellation.descriptor) {
            guard let deadline, deadline <= .now else { continue }
            if stage == .running { isTooSlow = true }
            goOn()
        }
        hearRest()
        // The shell has ended; a process that it started and that ignored SIGTERM has not.
        if stage != .running { process.signalGroup(SIGKILL) }
        let (output, isTooSlow) = (output, isTooSlow)
        let end = process.collectEnd()
        if isTooSlow { return Hook.Outcome(end: .tooSlow, output: output) }
        switch end {
        case .exited(let status): return Hook.Outcome(end: .exited(status), output: output)
        case .signalled(let signal):
            return Hook.Outcome(end: .killed(signal: signal), output: output)
        case .unknown: return Hook.Outcome(end: .unknown, output: output)
        }
    }

    /// Takes the next step to end it.
    private mutating func goOn() {
        switch stage {
        case .running:
            process.signalGroup(SIGTERM)
            (stage, deadline) = (.asked, .now + Self.patience)
        case .asked, .killed:
            process.signalGroup(SIGKILL)
            (stage, deadline) = (.killed, nil)
        }
    }

    /// Sleeps until something has happened, or until the deadline, and handles it.
    ///
    /// - Returns: Whether the process has ended.
    private mutating func waitForEnd(_ cancellation: Int32?) -> Bool {
        var events = [
            pollfd(fd: process.end, events: Int16(POLLIN), revents: 0),
            // poll ignores descriptors below 0.
            pollfd(fd: isHeard ? process.output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: stage == .running ? cancellation ?? -1 : -1,
                events: Int16(POLLIN),
                revents: 0
            ),
        ]
        let timeout = deadline.map { Self.milliseconds(SuspendingClock.now.duration(to: $0)) } ?? -1
        guard unsafe poll(&events, nfds_t(events.count), timeout) > 0 else { return false }
        if events[0].revents != 0 { return true }
        if events[1].revents != 0 { hear() }
        if events[2].revents != 0 { goOn() }
        return false
    }

    /// Reads output, so that the process never waits for its reader.
    private mutating func hear() {
        let descriptor = process.output
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        if count > 0 {
            output.add(buffer[..<count])
        } else if count == 0 || errno != EINTR {
            isHeard = false
        }
    }

    /// Reads what was written before the end.
    ///
    /// A background process may write without end; nobody waits for that.
    private mutating func hearRest() {
        while isHeard, !output.isCut {
            var event = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&event, 1, 0) > 0 else { return }
            hear()
        }
    }

    /// Whole milliseconds, rounded up so that a wait never spins; at most an hour.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = max(.zero, min(duration, .seconds(3600))).components
        return Int32(seconds) * 1000
            + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
