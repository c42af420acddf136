/// Waiters in order of arrival; each may leave early at no cost to the others.
struct WaitingLine<Waiter> {
    private var waiters: [UInt64: Waiter] = [:]
    private var first: UInt64 = 0
    private var next: UInt64 = 0

    /// Takes a number that identifies a waiter once.
    mutating func takeNumber() -> UInt64 {
        defer { next += 1 }
        return next
    }

    /// Queues a waiter under its number.
    ///
    /// Waiters are served in the order of their numbers.
    mutating func enter(_ waiter: Waiter, number: UInt64) {
        waiters[number] = waiter
        first = min(first, number)
    }

    /// Removes a waiter from any position.
    mutating func leave(number: UInt64) -> Waiter? {
        waiters.removeValue(forKey: number)
    }

    /// Removes the waiter whose turn it is.
    mutating func serve() -> Waiter? {
        guard !waiters.isEmpty else { return nil }
        while first < next {
            defer { first += 1 }
            if let waiter = waiters.removeValue(forKey: first) { return waiter }
        }
        return nil
    }
}
