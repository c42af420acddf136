public import FoundationEssentials

extension JSONEncoder {
    /// An encoder for reports in a stable form.
    ///
    /// Keys are in order, and times are in UTC as ISO 8601 with milliseconds.
    ///
    /// - Parameter isIndented: Whether the JSON takes several lines, indented.
    /// - Returns: The encoder.
    public static func forReports(isIndented: Bool = false) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
        // The model excludes these, but another program may have written them into the record.
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

extension JSONDecoder {
    /// A decoder for reports that `JSONEncoder.forReports` has encoded.
    ///
    /// - Returns: The decoder.
    public static func forReports() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "infinity",
            negativeInfinity: "-infinity",
            nan: "nan"
        )
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = try? style.parse(text) { return date }
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a time as ISO 8601 with milliseconds is expected"
            )
        }
        return decoder
    }
}
