/// When the pictures that were read are filed, and how many together.
///
/// One write to the disk serves a batch, however many there are. As long as more pictures come than
/// the readers can read at once, filing often would only take the processors from them.
package struct BatchGathering<Picture: Sendable>: Sendable {
    /// As many pictures as share one transaction.
    package static var mostTogether: Int { 64 }
    /// With so many there is little to gain by more.
    package static var enough: Int { 32 }

    /// How many pictures can be read at the same time.
    let readers: Int
    /// As long as the readers have enough to do, no two batches begin within this time.
    let interval: Duration
    /// How many pictures are looked at or wait for that, and may come to be filed.
    private(set) var coming = 0
    /// Those that wait to be filed, in the order in which they have come.
    private(set) var waiting: [Picture] = []
    /// When the last batch was begun; nil before the first.
    private var lastBegin: SuspendingClock.Instant?

    /// Begins with nothing to file.
    ///
    /// - Parameters:
    ///   - readers: How many pictures can be read at the same time.
    ///   - interval: How long a backlog waits for more, counted from the last batch.
    package init(readers: Int, interval: Duration = .milliseconds(50)) {
        self.readers = readers
        self.interval = interval
    }

    /// Takes to account that pictures are looked at.
    mutating func expect(_ count: Int = 1) {
        coming += count
    }

    /// Takes to account that a picture that was coming is not going to be filed.
    mutating func expectNoMore() {
        assert(coming > 0, "more pictures have come than were expected")
        coming -= 1
    }

    /// Takes to account that a picture that was coming waits to be filed.
    mutating func arrive(_ picture: Picture) {
        expectNoMore()
        waiting.append(picture)
    }

    /// Takes to account that a batch is filed.
    ///
    /// - Returns: Its pictures: those that have waited longest.
    mutating func begin(at now: SuspendingClock.Instant = .now) -> [Picture] {
        lastBegin = now
        let batch = Array(waiting.prefix(Self.mostTogether))
        // A slice of the rest would keep those that are done with, and their files open.
        waiting.removeFirst(batch.count)
        return batch
    }

    /// Until when to wait for more.
    ///
    /// - Returns: The time; nil for not at all.
    func patience(at now: SuspendingClock.Instant = .now) -> SuspendingClock.Instant? {
        guard !waiting.isEmpty, waiting.count < Self.enough, coming > 2 * readers else {
            return nil
        }
        let limit = lastBegin.map { $0 + interval } ?? now
        return limit > now ? limit : nil
    }
}
