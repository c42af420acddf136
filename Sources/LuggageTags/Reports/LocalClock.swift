package import FoundationEssentials
internal import Glibc

/// The state of the local clocks at a moment.
package struct LocalClock {
    /// How many seconds they are ahead of UTC.
    package let offset: Double
    /// The name of their time then, such as `CEST`.
    package let name: String

    package init(at moment: Date) {
        var seconds = time_t(moment.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        offset = unsafe Double(parts.tm_gmtoff)
        name = unsafe parts.tm_zone.map { unsafe String(cString: $0) } ?? ""
    }

    /// How far they are ahead of UTC, such as `+05:45`.
    package var distance: String {
        let minutes = Int(abs(offset)) / 60
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    /// The moments at which they show a given date and time, in order; it is given as a date in UTC.
    package static func moments(showing shown: Date) -> [Date] {
        // No zone is a full day from UTC, and none changes its clocks twice in two days.
        let offsets = Set([-86400, 86400].map { LocalClock(at: shown + $0).offset })
        return offsets.map { shown - $0 }.filter { shown - LocalClock(at: $0).offset == $0 }
            .sorted()
    }

    /// The first moment of a day.
    ///
    /// - Parameter midnight: The day's beginning in UTC.
    /// - Returns: The day's beginning by the local clocks.
    package static func beginning(ofDay midnight: Date) -> Date {
        // Not every day begins at midnight; a zone that crossed the date line skipped a whole day.
        let minutes = stride(from: 0.0, to: 2 * 86400, by: 60)
        return minutes.lazy.compactMap { moments(showing: midnight + $0).first }.first ?? midnight
    }

    /// The day that they show at a moment, as its beginning in UTC.
    package static func day(at moment: Date) -> Date {
        let shown = moment.timeIntervalSince1970 + LocalClock(at: moment).offset
        return Date(timeIntervalSince1970: (shown / 86400).rounded(.down) * 86400)
    }
}
