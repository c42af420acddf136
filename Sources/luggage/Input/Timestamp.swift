internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import TagReading

/// The time at which the bags in a picture were there.
enum Timestamp {
    /// The moment of scanning.
    case now
    /// The modification time of the picture's file.
    case file
    /// A given moment.
    case date(Date)

    /// Parses an argument: a word, or an unambiguous moment.
    ///
    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        switch argument {
        case "now": self = .now
        case "file": self = .file
        default:
            guard let moment = WrittenMoment(argument) else { throw ValidationError(Self.remedy) }
            guard moment.doubt == nil, let date = moment.candidates.first else {
                throw ValidationError(moment.doubt ?? Self.remedy)
            }
            self = .date(date)
        }
    }

    private static let remedy =
        "write a moment such as 2026-07-01T09:30:00+02:00, or 2026-07-01 09:30 in local time"

    /// Parses the moment of something that has no picture.
    ///
    /// - Parameter argument: `now`, or a moment.
    /// - Returns: The moment.
    /// - Throws: `ValidationError`.
    static func moment(_ argument: String) throws -> Date {
        switch try Timestamp(argument: argument) {
        case .now: return Date()
        case .date(let date): return date
        case .file: throw ValidationError("there is no picture whose time it could be; \(remedy)")
        }
    }

    /// Refuses a moment in the future.
    ///
    /// - Parameter option: The option that gave it.
    /// - Throws: `ValidationError`.
    func refuseFuture(_ option: String) throws {
        if case .date(let date) = self, date > Date() {
            throw ValidationError("\(option) is in the future; name a time that has passed")
        }
    }

    /// Refuses a moment before any bag was anywhere.
    ///
    /// - Parameters:
    ///   - bounds: What can be true of bags here.
    ///   - option: The option that gave it.
    ///   - settings: The settings, which set the bound.
    /// - Throws: `ValidationError`.
    func refuse(before bounds: TagBounds, _ option: String, _ settings: SharedSettings) throws {
        guard case .date(let date) = self, date < bounds.earliest else { return }
        let day = bounds.earliest.formatted(.iso8601.year().month().day())
        throw ValidationError(
            "\(option) is before \(day), the earliest time that counts as true; `earliest` in "
                + "\(settings.path), or $\(WatchSetting.earliest.variable), sets it"
        )
    }

    /// The time for a payload from standard input, which has no file.
    ///
    /// - Parameter date: When it came.
    /// - Returns: When the bag was there.
    func date(ofReceived date: Date) -> Date {
        if case .date(let moment) = self { moment } else { date }
    }

    /// The time for a picture.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - now: The start of the command, so that all pictures of one command have the same time.
    /// - Returns: When the bags in it were there; if a clock is wrong, it may be in the future.
    func date(of image: TagImage, now: Date) -> Date {
        switch self {
        case .now: now
        case .file: Date(timeIntervalSince1970: image.modificationTime)
        case .date(let date): date
        }
    }
}
