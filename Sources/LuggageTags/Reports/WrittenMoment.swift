package import FoundationEssentials
internal import SystemSupport

/// A moment as people write it: with its zone, or on the local clocks, as the tables show it.
///
/// The time of a bag must not be guessed, so a day or an hour that no calendar has is refused.
package struct WrittenMoment {
    /// The moments that may be meant, in order.
    ///
    /// Usually it is one. There are two if the clocks were put back and showed the time twice, and none if
    /// they were put forward and never showed it.
    package let candidates: [Date]
    /// The original text, made safe to show.
    private let text: String

    /// Parses a text.
    ///
    /// - Parameter text: A date and a time with a blank or a T between them, with or without seconds.
    ///   A zone may follow: `Z`, `+02:00`, `+0545` as tables show a zone without a name, or the name of
    ///   the local clocks' time then, such as `CEST`.
    package init?(_ text: String) {
        let pattern =
            #/
            (\d{4})-(\d\d)-(\d\d) [T\ ] (\d\d):(\d\d) (?: :(\d\d)(\.\d{1,9})? )?
            (?: (Z) | \ ?([+\-])(\d\d)(?: :?(\d\d) )? | \ ([A-Z][A-Za-z0-9+\-]*) )?
            /#.asciiOnlyDigits()
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let (_, year, month, day, hour, minute, second, fraction, utc, sign, hours, minutes, name) =
            match.output
        let components = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            timeZone: .gmt,
            year: Int(year),
            month: Int(month),
            day: Int(day),
            hour: Int(hour),
            minute: Int(minute),
            second: Int(second ?? "0")
        )
        guard components.isValidDate, let shown = components.date else { return nil }
        self.text = text.onOneLine
        let part = Double("0" + (fraction ?? "")) ?? 0
        if utc != nil {
            candidates = [shown + part]
        } else if let sign, let hours = Int(hours ?? ""), let minutes = Int(minutes ?? "0"),
            minutes < 60
        {
            let offset = hours * 60 + minutes
            guard offset <= 14 * 60 else { return nil }
            candidates = [shown - Double(sign == "-" ? -offset : offset) * 60 + part]
        } else {
            let found = LocalClock.moments(showing: shown).filter { moment in
                name.map { $0 == LocalClock(at: moment).name } ?? true
            }
            // Only the names of the local zone are known.
            if name != nil && found.isEmpty { return nil }
            candidates = found.map { $0 + part }
        }
    }

    /// What to tell the user if it is not a single moment; nil if it is.
    package var doubt: String? {
        if candidates.count == 1 { return nil }
        if candidates.isEmpty {
            return "'\(text)' never was: the clocks were put forward over it"
        }
        let clocks = candidates.map { LocalClock(at: $0) }
        // Some zones have only a distance from UTC as their name, and some one name for both times.
        let areNamed =
            Set(clocks.map(\.name)).count == clocks.count
            && clocks.allSatisfy { $0.name.first?.isLetter == true }
        let ways = clocks.map { "\(text) \(areNamed ? $0.name : $0.distance)" }
        return "the clocks showed '\(text)' twice; write \(ways.joined(separator: " or "))"
    }
}
