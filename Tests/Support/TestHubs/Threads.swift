internal import SystemSupport

/// Runs what waits on a thread that no task needs meanwhile.
///
/// It is the same task, so that what fails there is told of its test.
package func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withTaskExecutorPreference(OwnThreads()) { try body() }
}

/// Runs each job of a task on a thread of its own.
private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The job is alive until it has run, and this executor as long as its thread needs it.
        DetachedThread.startPatiently {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
