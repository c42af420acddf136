package import Logging
internal import LuggageTags
internal import Synchronization
internal import SystemSupport

/// Runs the hook for one picture after the other, beside the filing.
///
/// Two run at a time, and a thousand pictures may wait. Filing never waits for hooks: they are the
/// operator's, may be slow, and bags go on. So a picture that finds the queue full gets no run, and the
/// log says so; the pictures already waiting keep their place. A caller that may wait with its next
/// picture, since nobody is dropping any, waits for room instead.
package final class HookRunner: Sendable {
    private struct State {
        var hook: Hook?
        var refused = 0
        /// How many pictures are in the queue.
        var waiting = 0
        /// How many pictures got no run because the service was stopping.
        var leftOut = 0
        var hasEnded = false
        var whoNeedRoom: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let line: AsyncStream<HookFacts>
    private let entrance: AsyncStream<HookFacts>.Continuation
    private let atOnce: Int
    private let mostWaiting: Int
    private let logger: Logger
    private let onEnd: @Sendable (_ isSuccess: Bool) -> Void

    /// Makes a runner; call ``run()`` once to start it.
    ///
    /// - Parameters:
    ///   - hook: The hook, if there is one.
    ///   - logger: Where its output and failures go.
    ///   - atOnce: How many run at a time.
    ///   - waiting: How many pictures may wait.
    ///   - onEnd: Called after each run.
    package init(
        hook: Hook?,
        logger: Logger,
        atOnce: Int = 2,
        waiting: Int = 1000,
        onEnd: @escaping @Sendable (_ isSuccess: Bool) -> Void = { _ in }
    ) {
        state = Mutex(State(hook: hook))
        self.atOnce = max(1, atOnce)
        mostWaiting = max(1, waiting)
        self.logger = logger
        self.onEnd = onEnd
        (line, entrance) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(mostWaiting))
    }

    /// The hook for pictures whose run begins from now on.
    package var hook: Hook? {
        get { state.withLock { $0.hook } }
        set { state.withLock { $0.hook = newValue } }
    }

    /// Queues a run of the hook for a picture, and returns at once.
    ///
    /// - Returns: Whether the picture is in the queue; also true without a hook.
    @discardableResult
    package func submit(_ facts: HookFacts) -> Bool {
        guard hook != nil else { return true }
        switch entrance.yield(facts) {
        case .enqueued:
            let refused = state.withLock { state in
                state.waiting += 1
                defer { state.refused = 0 }
                return state.refused
            }
            if refused > 0 {
                logger.warning(
                    "the hook was not run for \(refused) pictures: too many were waiting"
                )
            }
            return true
        case .dropped:
            let isFirst = state.withLock { state in
                state.refused += 1
                return state.refused == 1
            }
            if isFirst {
                logger.warning(
                    "the hook is too slow: it is not run for \(facts.displayName.onOneLine) and those after it",
                    metadata: ["picture": "\(facts.displayName)"]
                )
            }
            return false
        default:
            state.withLock { $0.leftOut += 1 }
            return false
        }
    }

    /// Waits until half of the queue is free, or the hooks have ended.
    ///
    /// That many callers may then submit a picture without finding the queue full.
    package func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard !state.hasEnded, state.waiting > mostWaiting / 2 else { return true }
                state.whoNeedRoom.append(continuation)
                return false
            }
            if mayGoOn { continuation.resume() }
        }
    }

    /// Resumes the callers that wait for room, once there is some.
    private func makeRoom(_ change: (inout State) -> Void) {
        let free = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            change(&state)
            guard state.hasEnded || state.waiting <= mostWaiting / 2 else { return [] }
            defer { state.whoNeedRoom = [] }
            return state.whoNeedRoom
        }
        for continuation in free { continuation.resume() }
    }

    /// Takes no more pictures; ``run()`` returns when those in the queue are done.
    package func finish() {
        entrance.finish()
    }

    /// Runs hooks until ``finish()``, but not for longer than a while after the service was asked to stop.
    ///
    /// - Parameters:
    ///   - stop: The request to stop.
    ///   - patience: How long hooks may take after it.
    ///   - clock: The clock.
    func run(until stop: StopRequest, and patience: Duration, by clock: any Clock<Duration>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.run() }
            group.addTask {
                guard await stop.wait() else { return }
                try? await clock.sleep(for: patience)
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Runs hooks until ``finish()``; cancellation ends the running ones and drops the waiting pictures.
    package func run() async {
        defer { makeRoom { $0.hasEnded = true } }
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await facts in line {
                makeRoom { $0.waiting -= 1 }
                if running == atOnce {
                    await group.next()
                    running -= 1
                }
                // After cancellation the stream may still deliver what it has buffered.
                if Task.isCancelled {
                    state.withLock { $0.leftOut += 1 }
                    continue
                }
                guard let hook else { continue }
                running += 1
                group.addTask { await self.run(hook, facts) }
            }
        }
    }

    /// Logs once how many pictures got no run since the service was stopped.
    ///
    /// Call it when all pictures were submitted and ``run()`` has returned.
    package func tellLeftOut() {
        // A cancelled stream may not deliver what it has buffered.
        let count = state.withLock { state in
            defer { (state.leftOut, state.waiting) = (0, 0) }
            return state.leftOut + state.waiting
        }
        if count == 0 || hook == nil { return }
        logger.warning(
            "the hook was not run for \(count == 1 ? "1 picture" : "\(count) pictures"): the service was stopped"
        )
    }

    private func run(_ hook: Hook, _ facts: HookFacts) async {
        let outcome = await hook.run(facts)
        var logger = logger
        logger[metadataKey: "picture"] = "\(facts.displayName)"
        let name = facts.displayName.onOneLine
        for line in outcome.output.lines { logger.info("hook: \(line)") }
        onEnd(outcome.end == .exited(0))
        guard let words = outcome.end.words(timeLimit: hook.timeLimit) else {
            return logger.debug("the hook was run for \(name)")
        }
        logger.warning("the hook failed for \(name): it \(words)")
    }
}

extension Hook.Outcome.End {
    /// The words about it after "it"; nil for success.
    func words(timeLimit: Duration) -> String? {
        switch self {
        case .exited(0): nil
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): "was killed by signal \(signal)"
        case .unknown: "ended in an unknown way"
        case .tooSlow: "took longer than \(timeLimit.settingText) and was ended"
        case .notRun(let reason): "could not be run: \(reason)"
        }
    }
}
