/// A thread that sees to what is to be done at a certain time, and sleeps until then.
///
/// It is there for good once there was something to do.
final class Timekeeper: Sendable {
    /// What is to be done; short, as what comes later waits for it.
    typealias Deed = @Sendable (_ isCalledOff: Bool) -> Void

    private struct State: Sendable {
        /// Not many: they are those who do something from time to time.
        var plans: [UInt64: (deadline: SuspendingClock.Instant, deed: Deed)] = [:]
        var lastNumber: UInt64 = 0
        var hasThread = false
        /// Until when the thread sleeps; nil for ever.
        var sleepsUntil: SuspendingClock.Instant?
    }

    private let state = TimedWait(State())

    /// A number by which something can be called off, also before it is planned.
    func makeNumber() -> UInt64 {
        state.change { state in
            state.lastNumber += 1
            return (state.lastNumber, .none)
        }
    }

    /// Does something at a time, or now if that is over.
    ///
    /// - Parameters:
    ///   - number: What ``makeNumber()`` has given for it.
    ///   - deadline: When.
    ///   - isCalledOff: Whether it was called off before it is planned.
    ///   - deed: What to do.
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

    /// Calls off what is planned and was not done.
    func callOff(_ number: UInt64) {
        let plan = state.change { ($0.plans.removeValue(forKey: number), .none) }
        plan?.deed(true)
    }

    /// How much is planned.
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
