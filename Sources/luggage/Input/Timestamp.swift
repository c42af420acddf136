internal import ArgumentParser
internal import Foundation
internal import TagReading

/// When the bags in a picture were there.
enum Timestamp: ExpressibleByArgument {
    /// At the moment of scanning.
    case now
    /// When the picture's file was last modified.
    case file
    /// At a given moment.
    case date(Date)

    init?(argument: String) {
        switch argument {
        case "now": self = .now
        case "file": self = .file
        default:
            guard let date = Date(strictly: argument) else { return nil }
            self = .date(date)
        }
    }

    static var allValueStrings: [String] { ["now", "file", "2026-07-01T09:30:00+02:00"] }

    /// The time for a picture.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - now: When the command began, so that the pictures of one command have one time.
    /// - Returns: When the bags in it were there; it may be in the future where a clock is wrong.
    func date(of image: TagImage, now: Date) -> Date {
        switch self {
        case .now: now
        case .file: Date(timeIntervalSince1970: image.modificationTime)
        case .date(let date): date
        }
    }
}

extension Date {
    /// Reads a moment as ISO 8601, with a zone, and with or without seconds.
    ///
    /// When a bag was somewhere must not be guessed, so a day or an hour that does not exist is none.
    init?(strictly text: String) {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?:Z|([+-])(\d\d):(\d\d))/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let (_, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute) =
            match.output
        var zone = (Int(zoneHour ?? "0") ?? 0) * 60 + (Int(zoneMinute ?? "0") ?? 0)
        guard zone <= 14 * 60, Int(zoneMinute ?? "0") ?? 0 < 60 else { return nil }
        if sign == "-" { zone = -zone }
        let components = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            timeZone: TimeZone(secondsFromGMT: zone * 60),
            year: Int(year),
            month: Int(month),
            day: Int(day),
            hour: Int(hour),
            minute: Int(minute),
            second: Int(second ?? "0")
        )
        guard components.isValidDate, let date = components.date, date.timeIntervalSince1970 >= 0
        else { return nil }
        self = date + (Double("0" + (fraction ?? "")) ?? 0)
    }
}
