internal import CLinux
internal import Glibc
internal import Synchronization

/// Something that a test turns on and off while others look at it, or wait.
final class Switch: Sendable {
    private let state: Mutex<Bool>
    private let turnedOff = system_open_wake_signal()
    private let waits: AsyncStream<Void>
    private let waitsContinuation: AsyncStream<Void>.Continuation
    private let offs: AsyncStream<Void>
    private let offsContinuation: AsyncStream<Void>.Continuation

    init(_ isOn: Bool) {
        state = Mutex(isOn)
        (waits, waitsContinuation) = AsyncStream.makeStream()
        (offs, offsContinuation) = AsyncStream.makeStream()
    }

    deinit {
        close(turnedOff)
    }

    var isOn: Bool { state.withLock { $0 } }

    func turn(_ isOn: Bool) {
        state.withLock { state in
            state = isOn
            if isOn {
                system_lower_wake_signal(turnedOff)
            } else {
                system_raise_wake_signal(turnedOff)
            }
        }
        if !isOn { offsContinuation.yield() }
    }

    /// Holds up the thread.
    func waitUntilOff() {
        guard isOn else { return }
        waitsContinuation.yield()
        var descriptor = pollfd(fd: turnedOff, events: Int16(POLLIN), revents: 0)
        while isOn { _ = unsafe poll(&descriptor, 1, -1) }
    }

    func waitUntilOffAsynchronously() async {
        for await _ in offs { return }
    }

    func waitUntilSomebodyWaits() async {
        for await _ in waits { return }
    }
}

final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() {
        count.withLock { $0 += 1 }
    }
}
