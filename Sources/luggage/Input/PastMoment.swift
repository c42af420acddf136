internal import ArgumentParser
internal import Foundation

/// A moment in the past, as an age or as a date: `90d`, `2026-07-01`.
struct PastMoment: ExpressibleByArgument {
    private enum Kind {
        case age(TimeInterval)
        case moment(Date)
    }

    private let kind: Kind

    init?(argument: String) {
        let units: [String: Double] = [
            "h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400,
        ]
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        if let unit = units[String(argument.dropFirst(digits.count))],
            (1...5).contains(digits.count),
            let number = Double(digits)
        {
            kind = .age(number * unit)
        } else if let moment = Date(strictly: argument) {
            kind = .moment(moment)
        } else if argument.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil,
            let day = Self.startOfDay(argument)
        {
            kind = .moment(day)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { ["90d", "12w", "2026-07-01"] }

    /// The moment, seen from now.
    func date(now: Date) -> Date {
        switch kind {
        case .age(let seconds): now - seconds
        case .moment(let date): date
        }
    }

    /// When a day begins in the local zone.
    private static func startOfDay(_ text: String) -> Date? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        let components = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            timeZone: .current,
            year: parts[0],
            month: parts[1],
            day: parts[2]
        )
        return components.isValidDate ? components.date : nil
    }
}
