internal import Foundation
internal import LuggageTags

#if canImport(Glibc)
internal import Glibc
#endif

// How things are put into words and machine formats, the same in every command.

extension UUID {
    /// The first group, which is enough for a person and for `luggage show`.
    var short: String { String(uuidString.prefix(8)) }
}

extension Date {
    /// The time in the local zone, with its abbreviation: `2026-07-01 09:30 CEST`.
    var local: String {
        var seconds = time_t(clamping: Int64(timeIntervalSince1970.rounded(.down)))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = unsafe strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M %Z", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Float {
    /// The weight in pounds and in kilograms: `42.0 lb`.
    var pounds: String { String(format: "%.1f lb", Double(self)) }
}

extension Int {
    /// A number of things: `1 bag`, `2 bags`.
    func counted(_ singular: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
    }
}

/// Values as JSON, for other programs.
enum JSONOutput {
    /// One value on one line.
    static func line(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// One value, laid out.
    static func document(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    private static func text(
        _ value: some Encodable,
        _ formatting: JSONEncoder.OutputFormatting
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(
                date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            )
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
