internal import LuggageTags

/// What `luggage export` writes: a format for other records, or messages for airlines.
enum ExportWord: String, CaseIterable {
    case json
    case jsonLines = "json-lines"
    case csv
    case propertyList = "property-list"
    case messagePack = "messagepack"
    /// Baggage processed messages.
    case bpm

    /// The format of records; nil for messages.
    var format: ExchangeFormat? { ExchangeFormat(rawValue: rawValue) }
}
