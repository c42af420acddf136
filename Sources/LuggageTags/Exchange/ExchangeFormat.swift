/// A format of files in which stores exchange what they have on record.
public enum ExchangeFormat: String, CaseIterable, Codable, Sendable {
    /// One JSON object with a list for each kind of record.
    case json
    /// JSON, one record a line.
    case jsonLines = "json-lines"
    /// Comma-separated values as RFC 4180 has them, with a header; one kind of record a file.
    case csv
    /// A property list in XML.
    case propertyList = "property-list"
    /// MessagePack, one record a message.
    case messagePack = "messagepack"

    /// The format that the name of a file stands for.
    ///
    /// - Parameter fileExtension: What follows the last point of the name, in any case.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonLines
        case "csv": self = .csv
        case "plist", "xml": self = .propertyList
        case "msgpack", "mpk": self = .messagePack
        default: return nil
        }
    }

    /// What a file of this format is: `JSON`.
    public var name: String {
        switch self {
        case .json: "JSON"
        case .jsonLines: "JSON lines"
        case .csv: "CSV"
        case .propertyList: "an XML property list"
        case .messagePack: "MessagePack"
        }
    }
}
