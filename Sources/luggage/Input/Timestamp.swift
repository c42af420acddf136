internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import TagReading

/// When the bags in a picture were there.
enum Timestamp {
    /// At the moment of scanning.
    case now
    /// When the picture's file was last modified.
    case file
    /// At a given moment.
    case date(Date)

    /// Takes an argument: a word, or a moment that can be no other.
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
        "write a moment such as 2026-07-01T09:30:00+02:00, or 2026-07-01 09:30 on the clocks here"

    /// The moment that an argument says, for what has no picture with a time of its own.
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

    /// Refuses a moment that is still to come.
    ///
    /// - Parameter option: The option that gave it.
    /// - Throws: `ValidationError`.
    func refuseFuture(_ option: String) throws {
        if case .date(let date) = self, date > Date() {
            throw ValidationError("\(option) is in the future: no bag has been anywhere then")
        }
    }

    /// Refuses a moment before any bag was anywhere.
    ///
    /// - Parameters:
    ///   - bounds: What can be true of bags here.
    ///   - option: The option that gave it.
    ///   - settings: Where the bound is set.
    /// - Throws: `ValidationError`.
    func refuse(before bounds: TagBounds, _ option: String, _ settings: SharedSettings) throws {
        guard case .date(let date) = self, date < bounds.earliest else { return }
        let day = bounds.earliest.formatted(.iso8601.year().month().day())
        throw ValidationError(
            "\(option) is before \(day), and no bag was anywhere then; `earliest` in "
                + "\(settings.path), or $\(WatchSetting.earliest.variable), moves that bound"
        )
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
