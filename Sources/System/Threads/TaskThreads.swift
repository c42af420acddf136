internal import Foundation

/// Threads for the tasks of a program that rests most of the time, in place of Swift's own.
///
/// Swift's own threads on Linux are those of libdispatch, one of which looks after the others once a
/// second, for ever, as soon as there was one. These sleep until a task has something to do. There are
/// as many as processors; where all of them wait for something else, as a disk that does not answer,
/// and tasks wait for them, others come to help.
///
/// A task has its child tasks, and actors without an executor of their own, on the threads on which it
/// is itself; not so the tasks that are made with `Task { … }` and do not name an executor, nor who
/// sleeps by another clock than ``clock``.
package final class TaskThreads: TaskExecutor {
    /// Those of the program.
    package static let shared = TaskThreads()

    private struct Turn: Sendable {
        let job: UnownedJob
        let threads: TaskThreads
    }

    /// How long no task may have had its turn while some wait, before one more thread is started.
    private static let patience = Duration.seconds(1)

    private let timekeeper = Timekeeper()
    private let pool: ThreadPool<Turn>

    /// Makes threads, which are there as long as the program is.
    ///
    /// - Parameters:
    ///   - count: How many are started as soon as there is work.
    ///   - most: How many there are at most, where they stand still.
    package init(
        count: Int = max(2, ProcessInfo.processInfo.activeProcessorCount),
        most: Int = 64
    ) {
        pool = ThreadPool(.init(kept: count, atOnce: count, most: most)) { turn in
            unsafe turn.job.runSynchronously(on: turn.threads.asUnownedTaskExecutor())
        }
    }

    /// The clock to sleep by on these threads.
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
    /// What the current task runs on, for the tasks that it makes; nil where that is Swift's own.
    package static var ofCurrentTask: (any TaskExecutor)? {
        unsafe withUnsafeCurrentTask { task in unsafe task?.unownedTaskExecutor?.asTaskExecutor() }
    }
}
