/// A thread that runs closures at certain times, and sleeps between them.
///
/// It starts with the first plan, and never ends.
final class Timekeeper: Sendable {
    /// A closure to run; it must be short, because the next ones wait for it.
    typealias Deed = @Sendable (_ isCalledOff: Bool) -> Void

    private struct State: Sendable {
        /// There are few: one for each sleeping task and pool with waiting work.
        var plans: [UInt64: (deadline: SuspendingClock.Instant, deed: Deed)] = [:]
        var lastNumber: UInt64 = 0
        var hasThread = false
        /// The time until which the thread sleeps; nil for ever.
        var sleepsUntil: SuspendingClock.Instant?
    }

    private let state = TimedWait(State())

    /// Makes a number with which a plan can be cancelled, even before it is made.
    func makeNumber() -> UInt64 {
        state.change { state in
            state.lastNumber += 1
            return (state.lastNumber, .none)
        }
    }

    /// Runs a closure at a time, or now if the time has passed.
    ///
    /// - Parameters:
    ///   - number: A number from ``makeNumber()``.
    ///   - deadline: The time.
    ///   - isCalledOff: Whether the plan was cancelled before it was made.
    ///   - deed: The closure.
    func plan(
        _ number: UInt64,
        at deadline: SuspendingClock.Instant,
        unless isCalledOff: () -> Bool = { false },
        _ deed: @escaping Deed
    ) {
        let (isCalledOff, isFirst) = state.change { state in
            if isCalledOff() { return ((true, false), .none) }
            state.plans[number] = (deadline, deed)
            let isFirst = !state.hasThread
            state.hasThread = true
            let isSooner = state.sleepsUntil.map { deadline < $0 } ?? true
            return ((false, isFirst), isSooner ? .toTell : .none)
        }
        if isCalledOff { deed(true) }
        if isFirst { DetachedThread.startPatiently { self.keepTime() } }
    }

    /// Cancels a plan if its closure has not run yet; the closure then runs with true.
    func callOff(_ number: UInt64) {
        let plan = state.change { ($0.plans.removeValue(forKey: number), .none) }
        plan?.deed(true)
    }

    /// The number of plans.
    var planned: Int { state.change { ($0.plans.count, .none) } }

    private func keepTime() {
        while true {
            let due: [Deed] = state.wait { state in
                let now = SuspendingClock.now
                let due = state.plans.filter { $0.value.deadline <= now }
                if due.isEmpty {
                    state.sleepsUntil = state.plans.values.map(\.deadline).min()
                    return .wait(until: state.sleepsUntil)
                }
                for number in due.keys { state.plans[number] = nil }
                return .found(due.values.sorted { $0.deadline < $1.deadline }.map(\.deed))
            }
            for deed in due { deed(false) }
        }
    }
}
