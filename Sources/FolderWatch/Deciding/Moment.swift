/// A point on a monotonic clock, of which only differences mean anything.
///
/// It is half as long as an instant of the standard clocks: a folder may have many files that wait.
package struct Moment: Comparable, Hashable, Sendable {
    private let nanoseconds: Int64

    /// The point at this distance from where the clock began.
    package init(sinceStart duration: Duration) {
        nanoseconds = Self.nanoseconds(of: duration)
    }

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The last point there is, centuries away.
    static let farthest = Moment(nanoseconds: .max)

    /// The later point; at most the last one there is, which is centuries away.
    package static func + (moment: Moment, duration: Duration) -> Moment {
        let (sum, overflows) = moment.nanoseconds.addingReportingOverflow(
            Self.nanoseconds(of: duration)
        )
        return Moment(nanoseconds: overflows ? (duration < .zero ? .min : .max) : sum)
    }

    /// How long after the other point this one is.
    package static func - (later: Moment, earlier: Moment) -> Duration {
        .nanoseconds(later.nanoseconds) - .nanoseconds(earlier.nanoseconds)
    }

    package static func < (left: Moment, right: Moment) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    private static func nanoseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, overflowsToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowsToo ? (seconds < 0 ? .min : .max) : sum
    }
}
