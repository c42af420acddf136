internal import Foundation

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

    private struct Turn: Sendable {
        let job: UnownedJob
        let threads: TaskThreads
    }

    /// How long all threads may be blocked while tasks wait, before one more thread is started.
    private static let patience = Duration.seconds(1)

    private let timekeeper = Timekeeper()
    private let pool: ThreadPool<Turn>

    /// Makes threads, which exist until the program ends.
    ///
    /// - Parameters:
    ///   - count: How many threads start as soon as there is work.
    ///   - most: The greatest number of threads if they are blocked.
    package init(
        count: Int = max(2, ProcessInfo.processInfo.activeProcessorCount),
        most: Int = 64
    ) {
        pool = ThreadPool(.init(kept: count, atOnce: count, most: most)) { turn in
            unsafe turn.job.runSynchronously(on: turn.threads.asUnownedTaskExecutor())
        }
    }

    /// The clock on which tasks sleep on these threads.
    package var clock: ThreadClock { ThreadClock(timekeeper: timekeeper) }

    package func enqueue(_ job: consuming ExecutorJob) {
        if pool.add(Turn(job: UnownedJob(job), threads: self)) { relieveLater() }
    }

    private func relieveLater() {
        timekeeper.plan(timekeeper.makeNumber(), at: .now.advanced(by: Self.patience)) { _ in
            if self.pool.relieve() { self.relieveLater() }
        }
    }
}

extension TaskThreads {
    /// The executor of the current task, for tasks that it makes; nil if it is Swift's default.
    package static var ofCurrentTask: (any TaskExecutor)? {
        unsafe withUnsafeCurrentTask { task in unsafe task?.unownedTaskExecutor?.asTaskExecutor() }
    }
}
