/// How long a batch of pictures that were read waits for more of them before it is filed.
///
/// One write to the disk serves a batch, however many there are. As long as more pictures come than
/// the readers can read at once, filing sooner would only take the processors from them.
struct BatchGathering: Sendable {
    /// As many pictures as share one transaction.
    static let mostTogether = 64
    /// With so many there is little to gain by more.
    static let enough = 32

    /// How many pictures can be read at the same time.
    let readers: Int
    /// No picture waits longer than this for others.
    let longest: Duration
    /// How many pictures are looked at or wait for that, and may come to be filed.
    var coming = 0
    /// How many wait to be filed.
    private(set) var waiting = 0
    /// When the one came that has waited longest.
    private var since = SuspendingClock.now

    init(readers: Int, longest: Duration = .milliseconds(100)) {
        self.readers = readers
        self.longest = longest
    }

    /// Takes to account that a picture that was coming waits to be filed.
    mutating func arrive(at now: SuspendingClock.Instant = .now) {
        coming -= 1
        waiting += 1
        if waiting == 1 { since = now }
    }

    /// Takes to account that a batch is filed.
    ///
    /// - Returns: How many pictures it has: those that have waited longest.
    mutating func begin(at now: SuspendingClock.Instant = .now) -> Int {
        let count = min(waiting, Self.mostTogether)
        waiting -= count
        since = now
        return count
    }

    /// Until when to wait for more.
    ///
    /// - Returns: The time; nil for not at all.
    func patience(at now: SuspendingClock.Instant = .now) -> SuspendingClock.Instant? {
        guard waiting > 0, waiting < Self.enough, coming > 2 * readers else { return nil }
        let limit = since + longest
        return limit > now ? limit : nil
    }
}
