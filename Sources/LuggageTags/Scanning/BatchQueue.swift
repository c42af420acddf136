internal import System

/// Has pictures filed in the order in which they come, on a thread of its own.
///
/// A picture by itself waits for nobody. Of a backlog, many share one write to the disk: those that
/// come while others are written, and, as long as the readers have enough to do, within a moment.
package final class BatchQueue<Picture: Sendable, Outcome: Sendable>: Sendable {
    /// A picture, and who is told what has become of it.
    package struct Waiting: Sendable {
        let picture: Picture
        let tell: @Sendable (Outcome) -> Void
    }

    private struct State {
        var gathering: BatchGathering<Waiting>
        var isWorking = false
        /// Whether the thread that files sleeps until more have come.
        var isHeld = false
        var isHurried = false

        /// Whether to wait for more pictures, and until when.
        var patience: SuspendingClock.Instant? {
            isHurried ? nil : gathering.patience()
        }
    }

    private let file: @Sendable ([Picture]) -> [Outcome]
    private let state: TimedWait<State>
    /// One at a time; what it does waits for disks.
    private let thread = WorkThreads(limit: 1)

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - gathering: Says how long a batch waits for more pictures.
    ///   - file: Files a batch, and says what has become of each picture.
    package init(
        _ gathering: BatchGathering<Waiting>,
        file: @escaping @Sendable ([Picture]) -> [Outcome]
    ) {
        self.file = file
        state = TimedWait(State(gathering: gathering))
    }

    /// Says that pictures are looked at; for each, ``add(_:then:)`` or ``expectNoMore()`` has to follow.
    package func expect(_ count: Int = 1) {
        state.change { ($0.gathering.expect(count), .none) }
    }

    /// Says that a picture that was expected is not going to be filed.
    package func expectNoMore() {
        state.change { state in
            state.gathering.expectNoMore()
            return ((), state.patience == nil ? .toTell : .none)
        }
    }

    /// How many pictures wait for others to come.
    package var held: Int { state.change { ($0.isHeld ? $0.gathering.waiting.count : 0, .none) } }

    /// Has a picture filed that was expected.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - tell: Is told what has become of it; picture by picture, in the order of their coming.
    package func add(_ picture: Picture, then tell: @escaping @Sendable (Outcome) -> Void) {
        let begins = state.change { state in
            state.gathering.arrive(Waiting(picture: picture, tell: tell))
            defer { state.isWorking = true }
            return (!state.isWorking, state.patience == nil ? .toTell : .none)
        }
        if begins { thread.start { self.work() } }
    }

    /// Does something as soon as no batch is being filed.
    package func betweenBatches(_ body: @escaping @Sendable () -> Void) {
        thread.start(body)
    }

    /// Lets no picture wait for others from now on.
    package func hurry() {
        state.change { ($0.isHurried = true, .toTell) }
    }

    /// Files a batch; the next one after what else is to be done between batches.
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
