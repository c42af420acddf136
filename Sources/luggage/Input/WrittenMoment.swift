internal import Foundation
internal import LuggageTags

#if canImport(Glibc)
internal import Glibc
#endif

/// A moment as people write it: with its zone, or as the tables show it, on the local clocks.
///
/// When a bag was somewhere must not be guessed, so a day or an hour that no calendar has is none.
struct WrittenMoment {
    /// The moments that may be meant, in their order: one, as a rule; two where the clocks were put
    /// back and showed a time twice; none where they were put forward and never showed it.
    let candidates: [Date]
    /// The text as it was written, without what could steer a terminal.
    private let text: String

    /// Understands a text.
    ///
    /// - Parameter text: A date and a time with a blank or a T between them, with or without seconds,
    ///   and a zone if any: `Z`, `+02:00`, or what the local clocks call it then, as `CEST`.
    init?(_ text: String) {
        let pattern =
            #/
            (\d{4})-(\d\d)-(\d\d) [T\ ] (\d\d):(\d\d) (?: :(\d\d)(\.\d{1,9})? )?
            (?: (Z) | \ ?([+\-])(\d\d):(\d\d) | \ ([A-Z][A-Za-z0-9+\-]*) )?
            /#
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
        } else if let sign, let hours = Int(hours ?? ""), let minutes = Int(minutes ?? "") {
            let offset = hours * 60 + minutes
            guard offset <= 14 * 60, minutes < 60 else { return nil }
            candidates = [shown - Double(sign == "-" ? -offset : offset) * 60 + part]
        } else {
            let found = LocalClock.moments(showing: shown).filter { moment in
                name.map { $0 == LocalClock(at: moment).name } ?? true
            }
            // Of a zone that is not the local one then, nothing is known.
            if name != nil && found.isEmpty { return nil }
            candidates = found.map { $0 + part }
        }
        guard candidates.allSatisfy({ $0.timeIntervalSince1970 >= 0 }) else { return nil }
    }

    /// What is to be said where no single moment is meant; nil where one is.
    var doubt: String? {
        if candidates.count == 1 { return nil }
        if candidates.isEmpty {
            return "'\(text)' never was: the clocks were put forward over it"
        }
        let ways = candidates.map { "\(text) \(LocalClock(at: $0).name)" }
        return "the clocks showed '\(text)' twice; write \(ways.joined(separator: " or "))"
    }
}

/// What the local clocks are at some moment.
private struct LocalClock {
    /// How many seconds they are ahead of UTC.
    let offset: Double
    /// What their time is called then, as `CEST`.
    let name: String

    init(at moment: Date) {
        var seconds = time_t(moment.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        offset = unsafe Double(parts.tm_gmtoff)
        name = unsafe parts.tm_zone.map { unsafe String(cString: $0) } ?? ""
    }

    /// The moments at which they show what clocks in UTC show at another one, in their order.
    static func moments(showing shown: Date) -> [Date] {
        // No zone is a day away from UTC, and none changes its clocks twice in two days.
        let offsets = Set([-86400, 86400].map { LocalClock(at: shown + $0).offset })
        return offsets.map { shown - $0 }.filter { shown - LocalClock(at: $0).offset == $0 }
            .sorted()
    }
}
