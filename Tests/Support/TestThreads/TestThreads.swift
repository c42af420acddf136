internal import Dispatch

/// A thread for tests that wait for a program or a browser as they stand.
///
/// Those that asynchronous tests share go on meanwhile, and one is looked at at a time.
@globalActor
package actor WaitingTests {
    package static let shared = WaitingTests()

    private let thread = TestThread()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe thread.asUnownedSerialExecutor()
    }
}

/// A thread for tests that try many histories.
///
/// On those that all tests share they would go first, for minutes, and what waits for an event of other
/// programs would not see it.
@globalActor
package actor LongTests {
    package static let shared = LongTests()

    private let thread = TestThread()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe thread.asUnownedSerialExecutor()
    }
}

/// Lives as long as the tests, as whoever holds it unowned takes for granted.
private final class TestThread: SerialExecutor {
    private let queue = DispatchQueue(label: "tests on a thread of their own")

    func enqueue(_ job: UnownedJob) {
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
