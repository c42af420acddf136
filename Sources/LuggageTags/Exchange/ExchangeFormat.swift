/// A file format for exchanging the records of stores.
public enum ExchangeFormat: String, CaseIterable, Codable, Sendable {
    /// One JSON object with a list for each kind of record.
    case json
    /// JSON, one record a line.
    case jsonLines = "json-lines"
    /// Comma-separated values as in RFC 4180, with a header; one kind of record per file.
    case csv
    /// A property list in XML.
    case propertyList = "property-list"
    /// MessagePack, one record a message.
    case messagePack = "messagepack"

    /// Finds the format from the extension of a file name.
    ///
    /// - Parameter fileExtension: The part after the last point of the name, in any case.
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

    /// The name of the format: `JSON`.
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

extension ExchangeFormat {
    /// Makes a reader for a file of this format.
    func makeReader(_ input: ByteReader) -> any RecordReader {
        switch self {
        case .json: JSONDocumentReader(input)
        case .jsonLines: JSONLinesReader(input)
        case .csv: CSVReader(input)
        case .propertyList: PropertyListReader(input)
        case .messagePack: MessagePackReader(input)
        }
    }

    /// Makes a writer for files of this format.
    func makeWriter() -> any ExchangeWriter {
        switch self {
        case .json: JSONDocumentWriter()
        case .jsonLines: RecordStreamWriter.jsonLines
        case .csv: CSVWriter()
        case .propertyList: PropertyListWriter()
        case .messagePack: RecordStreamWriter.messagePack
        }
    }
}
