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
            let styles: [Date.ISO8601FormatStyle] = [
                .iso8601, .init(includingFractionalSeconds: true),
            ]
            guard let date = styles.lazy.compactMap({ try? $0.parse(argument) }).first else {
                return nil
            }
            self = .date(date)
        }
    }

    static var allValueStrings: [String] { ["now", "file", "2026-07-01T09:30:00Z"] }

    /// The time for a picture, never later than now: no bag was anywhere in the future.
    func date(of image: TagImage) -> Date {
        let now = Date()
        return switch self {
        case .now: now
        case .file: min(Date(timeIntervalSince1970: image.modificationTime), now)
        case .date(let date): date
        }
    }
}
