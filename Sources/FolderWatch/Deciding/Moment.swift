/// A point on a monotonic clock; only differences have a meaning.
///
/// It needs half the memory of an instant of the standard clocks, because many files of a folder
/// may wait.
package struct Moment: Comparable, Hashable, Sendable {
    private let nanoseconds: Int64

    /// Makes the point at a distance from the start of the clock.
    package init(sinceStart duration: Duration) {
        nanoseconds = Self.nanoseconds(of: duration)
    }

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The last possible point, centuries away.
    static let farthest = Moment(nanoseconds: .max)

    /// The later point; at most the last possible one, which is centuries away.
    package static func + (moment: Moment, duration: Duration) -> Moment {
        let (sum, overflows) = moment.nanoseconds.addingReportingOverflow(
            Self.nanoseconds(of: duration)
        )
        return Moment(nanoseconds: overflows ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from the other point to this one.
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
