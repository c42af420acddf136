/// How many rows a transaction of a purge takes: others who want to write wait for one at most.
struct PurgePace {
    /// How long a transaction is to take.
    private static let aim = Duration.milliseconds(100)

    private let range: ClosedRange<Int>
    /// How many rows the next one takes.
    private(set) var rows: Int

    /// Begins with a number that no machine takes long for.
    ///
    /// - Parameter range: Not fewer, so that it comes to an end, and not more, so that they fit into
    ///   memory.
    init(_ range: ClosedRange<Int> = 64...8192) {
        self.range = range
        rows = min(max(512, range.lowerBound), range.upperBound)
    }

    /// Takes to account how long a transaction has taken for as many rows.
    mutating func note(_ taken: Int, in time: Duration) {
        // One that had little to do tells little.
        guard taken >= rows / 4 || time > Self.aim else { return }
        let fitting = Double(taken) * (Self.aim / max(time, .microseconds(1)))
        // Slowly to more, as the disk may be about to be busy.
        let next = Int(min(fitting, 2 * Double(rows)))
        rows = min(max(next, range.lowerBound), range.upperBound)
    }
}
