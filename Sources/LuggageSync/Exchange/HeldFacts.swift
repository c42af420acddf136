/// Facts that are at a hub, which does not give them yet.
///
/// It gives them in an order that never changes any more: those of a transaction when no earlier one runs at the
/// server, in whatever database. Usually that is a moment.
package struct HeldFacts: Hashable, Sendable {
    /// The transaction that had not begun when they were noticed: when all before it have ended, they were given.
    let before: Int64
    /// When they were noticed.
    private let since = ContinuousClock.now

    /// For how long they have been held.
    package var duration: Duration { .now - since }
}
