/// Decides when the pictures that were read are filed, and how many in one batch.
///
/// A batch of any size costs one write to the disk. While more pictures come than the readers can
/// read at once, filing often would only take processor time from the readers.
package struct BatchGathering<Picture: Sendable>: Sendable {
    /// The most pictures that share one transaction.
    package static var mostTogether: Int { 64 }
    /// The size from which a batch gains little by more pictures.
    package static var enough: Int { 32 }

    /// How many pictures can be read at the same time.
    let readers: Int
    /// While the readers have enough to do, the least time between the beginnings of two batches.
    let interval: Duration
    /// How many pictures are being read, or wait to be read, and may still have to be filed.
    private(set) var coming = 0
    /// The pictures that wait to be filed, in the order in which they came.
    private(set) var waiting: [Picture] = []
    /// When the last batch began; nil before the first.
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

    /// Counts pictures that are being read, or wait for it.
    mutating func expect(_ count: Int = 1) {
        coming += count
    }

    /// Counts off a picture that will not be filed.
    mutating func expectNoMore() {
        assert(coming > 0, "more pictures have come than were expected")
        coming -= 1
    }

    /// Adds a picture that waits to be filed, and counts it off.
    mutating func arrive(_ picture: Picture) {
        expectNoMore()
        waiting.append(picture)
    }

    /// Removes the pictures of the next batch.
    ///
    /// - Returns: The pictures that have waited longest.
    mutating func begin(at now: SuspendingClock.Instant = .now) -> [Picture] {
        lastBegin = now
        let batch = Array(waiting.prefix(Self.mostTogether))
        // A slice of the rest would keep the removed pictures alive, and their files open.
        waiting.removeFirst(batch.count)
        return batch
    }

    /// The time until which to wait for more pictures.
    ///
    /// - Returns: The time; nil to file at once.
    func patience(at now: SuspendingClock.Instant = .now) -> SuspendingClock.Instant? {
        guard !waiting.isEmpty, waiting.count < Self.enough, coming > 2 * readers else {
            return nil
        }
        let limit = lastBegin.map { $0 + interval } ?? now
        return limit > now ? limit : nil
    }
}
