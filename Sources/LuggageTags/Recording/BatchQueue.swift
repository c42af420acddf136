internal import SystemSupport

/// Files pictures in the order in which they come, on a thread of its own.
///
/// A picture that comes alone is filed at once. In a backlog, many pictures share one write to the
/// disk: those that come while a batch is being written and, while the readers have enough to do,
/// those that come within the interval of the gathering.
package final class BatchQueue<Picture: Sendable, Outcome: Sendable>: Sendable {
    /// A picture, and the closure that receives its result.
    package struct Waiting: Sendable {
        let picture: Picture
        let tell: @Sendable (Outcome) -> Void
    }

    private struct State {
        var gathering: BatchGathering<Waiting>
        var isWorking = false
        /// Whether the thread that files waits for more pictures.
        var isHeld = false
        var isHurried = false

        /// The time until which to wait for more pictures; nil to file at once.
        var patience: SuspendingClock.Instant? {
            isHurried ? nil : gathering.patience()
        }
    }

    private let file: @Sendable ([Picture]) -> [Outcome]
    private let state: TimedWait<State>
    /// One thread, because its work waits for disks.
    private let thread = WorkThreads(limit: 1)

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - gathering: Decides how long a batch waits for more pictures.
    ///   - file: Files a batch, and returns the result for each picture.
    package init(
        _ gathering: BatchGathering<Waiting>,
        file: @escaping @Sendable ([Picture]) -> [Outcome]
    ) {
        self.file = file
        state = TimedWait(State(gathering: gathering))
    }

    /// Announces pictures; for each, the caller then calls ``add(_:then:)`` or ``expectNoMore()``.
    package func expect(_ count: Int = 1) {
        state.change { ($0.gathering.expect(count), .none) }
    }

    /// Tells the queue that an announced picture will not be filed.
    package func expectNoMore() {
        state.change { state in
            state.gathering.expectNoMore()
            return ((), state.patience == nil ? .toTell : .none)
        }
    }

    /// How many pictures wait for others to come.
    package var held: Int { state.change { ($0.isHeld ? $0.gathering.waiting.count : 0, .none) } }

    /// Adds an announced picture to be filed.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - tell: Receives the result, picture by picture, in the order in which they came.
    package func add(_ picture: Picture, then tell: @escaping @Sendable (Outcome) -> Void) {
        let begins = state.change { state in
            state.gathering.arrive(Waiting(picture: picture, tell: tell))
            defer { state.isWorking = true }
            return (!state.isWorking, state.patience == nil ? .toTell : .none)
        }
        if begins { thread.start { self.work() } }
    }

    /// Runs a closure as soon as no batch is being filed.
    package func betweenBatches(_ body: @escaping @Sendable () -> Void) {
        thread.start(body)
    }

    /// From now on files pictures without waiting for others.
    package func hurry() {
        state.change { ($0.isHurried = true, .toTell) }
    }

    /// Files one batch; the next one comes after the closures that wait for the time between batches.
    private func work() {
        let batch = nextBatch()
        let outcomes = file(batch.map(\.picture))
        for (waiting, outcome) in zip(batch, outcomes) { waiting.tell(outcome) }
        let goesOn = state.change { state in
            state.isWorking = !state.gathering.waiting.isEmpty
            return (state.isWorking, .none)
        }
        if goesOn { thread.start { self.work() } }
    }

    private func nextBatch() -> [Waiting] {
        state.wait { state in
            let patience = state.patience
            state.isHeld = patience != nil
            if let patience { return .wait(until: patience) }
            return .found(state.gathering.begin())
        }
    }
}
