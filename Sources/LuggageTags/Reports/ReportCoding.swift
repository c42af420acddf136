public import Foundation

extension JSONEncoder {
    /// An encoder for reports, whose form is stable: keys in order, and times in UTC as ISO 8601 with
    /// milliseconds.
    ///
    /// - Parameter isIndented: Whether to lay the value out over several lines.
    /// - Returns: The encoder.
    public static func forReports(isIndented: Bool = false) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
        // The model excludes these; a record that somebody else has written to may have them.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity",
            negativeInfinity: "-infinity",
            nan: "nan"
        )
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(style))
        }
        return encoder
    }
}
