import Dispatch

/// A thread for tests that wait for a program or a browser as they stand; those that asynchronous tests
/// share go on meanwhile. There is one, so that one board is looked at at a time.
@globalActor
actor OwnThread {
    static let shared = OwnThread()

    private let thread = Thread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private final class Thread: SerialExecutor {
        private let queue = DispatchQueue(label: "tests that wait")

        func enqueue(_ job: UnownedJob) {
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
}
