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

    /// The moment that an argument says, for what has no picture with a time of its own.
    ///
    /// - Parameter argument: `now`, or a time as ISO 8601.
    /// - Returns: The moment.
    /// - Throws: `ValidationError`.
    static func moment(_ argument: String) throws -> Date {
        let remedy =
            "write a moment with its zone, such as 2026-07-01T09:30:00+02:00; without one, it is now"
        switch Timestamp(argument: argument) {
        case .now: return Date()
        case .date(let date): return date
        case .file: throw ValidationError("there is no picture whose time it could be; \(remedy)")
        case nil: throw ValidationError(remedy)
        }
    }

    /// Refuses a moment that is still to come.
    ///
    /// - Parameter option: The option that gave it.
    /// - Throws: `ValidationError`.
    func refuseFuture(_ option: String) throws {
        if case .date(let date) = self, date > Date() {
            throw ValidationError("\(option) is in the future: no bag has been anywhere then")
        }
    }

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
