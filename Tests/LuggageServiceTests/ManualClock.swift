import Synchronization

/// A clock that a test moves, and that tells when somebody sleeps by it.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct Sleeper {
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var lastNumber = 0
        var watchers: [(deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(deadline: deadline, continuation: continuation), number)
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(number)
                return state.sleepers.removeValue(forKey: number)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ sleeper: Sleeper, _ number: Int) {
        enum Answer { case sleeps, isOver, isCancelled }
        let (answer, watchers) = state.withLock { state in
            if state.cancelled.contains(number) { return (Answer.isCancelled, state.watchers) }
            if sleeper.deadline <= state.now { return (Answer.isOver, state.watchers) }
            state.sleepers[number] = sleeper
            let satisfied = state.watchers.filter { $0.deadline == sleeper.deadline }
            state.watchers.removeAll { $0.deadline == sleeper.deadline }
            return (Answer.sleeps, satisfied)
        }
        switch answer {
        case .sleeps: for watcher in watchers { watcher.continuation.resume() }
        case .isOver: sleeper.continuation.resume()
        case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps until this time.
    func sleeperComes(until offset: Duration) async {
        let deadline = Instant(offset: offset)
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.values.contains(where: { $0.deadline == deadline }) {
                    return true
                }
                state.watchers.append((deadline, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves the clock on, and wakes whose time has come.
    func advance(to offset: Duration) {
        let due = state.withLock { state in
            state.now = Instant(offset: offset)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
