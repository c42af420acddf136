/// How many rows one transaction of a purge takes, because other writers wait for its end.
struct PurgePace {
    /// How long a transaction should take.
    private static let aim = Duration.milliseconds(100)

    private let range: ClosedRange<Int>
    /// How many rows the next transaction takes.
    private(set) var rows: Int

    /// Begins with a number of rows that is fast on any machine.
    ///
    /// - Parameter range: The least number, so that the purge comes to an end, and the greatest, so that
    ///   the rows fit into memory.
    init(_ range: ClosedRange<Int> = 64...8192) {
        self.range = range
        rows = min(max(512, range.lowerBound), range.upperBound)
    }

    /// Adapts the number to the time that a transaction has taken for some rows.
    mutating func note(_ taken: Int, in time: Duration) {
        // A transaction with few rows tells little.
        guard taken >= rows / 4 || time > Self.aim else { return }
        let fitting = Double(taken) * (Self.aim / max(time, .microseconds(1)))
        // It at most doubles, because the disk may become busy.
        let next = Int(min(fitting, 2 * Double(rows)))
        rows = min(max(next, range.lowerBound), range.upperBound)
    }
}
