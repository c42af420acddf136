/// Waiters in the order of their arrival, any of whom may leave early at no cost to the others.
struct WaitingLine<Waiter> {
    private var waiters: [UInt64: Waiter] = [:]
    private var first: UInt64 = 0
    private var next: UInt64 = 0

    /// A number by which a waiter can be told, valid once.
    mutating func takeNumber() -> UInt64 {
        defer { next += 1 }
        return next
    }

    /// Queues a waiter under its number.
    ///
    /// Numbers are served in their own order.
    mutating func enter(_ waiter: Waiter, number: UInt64) {
        waiters[number] = waiter
        first = min(first, number)
    }

    /// Takes a waiter out of the line, wherever it stands.
    mutating func leave(number: UInt64) -> Waiter? {
        waiters.removeValue(forKey: number)
    }

    /// Takes out the waiter whose turn it is.
    mutating func serve() -> Waiter? {
        guard !waiters.isEmpty else { return nil }
        while first < next {
            defer { first += 1 }
            if let waiter = waiters.removeValue(forKey: first) { return waiter }
        }
        return nil
    }
}
