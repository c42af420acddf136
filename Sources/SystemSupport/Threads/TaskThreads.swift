/// An executor with threads of its own, for the tasks of a program that is idle most of the time.
///
/// On Linux, Swift's default executor uses libdispatch. Once it has run anything, one of its threads
/// wakes once a second, for ever, to check the others. The threads here sleep until a task has work.
/// There are as many as processors. If all of them wait for something else, for example a disk that
/// does not answer, and tasks wait for a thread, more threads are started.
///
/// The child tasks of a task, and actors without an executor of their own, run on the same threads as the
/// task. Tasks made with `Task { … }` without naming an executor do not, nor does a sleep on another clock
/// than ``clock``.
package final class TaskThreads: TaskExecutor {
    /// The threads of the program.
    package static let shared = TaskThreads()

    /// How long all threads may be blocked while tasks wait, before one more thread is started.
    private static let patience = Duration.seconds(1)

    /// The clock on which tasks sleep on these threads.
    package let clock = ThreadClock()

    private let threads: WorkThreads

    /// Makes threads, which exist until the program ends.
    ///
    /// - Parameters:
    ///   - count: How many threads start as soon as there is work.
    ///   - most: The greatest number of threads if they are blocked.
    package init(
        count: Int = max(2, availableProcessors()),
        most: Int = 64
    ) {
        threads = WorkThreads(kept: count, atOnce: count, most: most)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isWaiting = threads.add {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
        if isWaiting { relieveLater() }
    }

    private func relieveLater() {
        clock.plan(clock.makeNumber(), at: .now.advanced(by: Self.patience)) { _ in
            if self.threads.relieve() { self.relieveLater() }
        }
    }
}

extension TaskThreads {
    /// The executor of the current task, for tasks that it makes; nil if it is Swift's default.
    package static var ofCurrentTask: (any TaskExecutor)? {
        unsafe withUnsafeCurrentTask { task in unsafe task?.unownedTaskExecutor?.asTaskExecutor() }
    }
}
