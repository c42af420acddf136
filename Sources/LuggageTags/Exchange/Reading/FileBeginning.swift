/// The beginning of a file, which shows its format, and the rest, which is not read yet.
struct FileBeginning {
    /// The format of the file.
    let format: ExchangeFormat

    private let start: [UInt8]
    private let read: () throws -> [UInt8]

    /// Reads the beginning.
    ///
    /// - Parameters:
    ///   - format: The format of the file; nil to find it from the content.
    ///   - read: Returns the next bytes, or none at the end.
    /// - Throws: ``ImportFault`` if the format is unknown, or the error of reading.
    init(_ format: ExchangeFormat?, _ read: @escaping () throws -> [UInt8]) throws {
        var start: [UInt8] = []
        while start.count < ExchangeFormat.probeLength {
            let chunk = try read()
            if chunk.isEmpty { break }
            start += chunk
        }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
        self.format = if let format { format } else { try ExchangeFormat(of: start) }
        self.start = start
        self.read = read
    }

    /// Makes a reader that begins with the first record.
    func makeReader() -> any RecordReader {
        format.makeReader(ByteReader(start: start, read: read))
    }
}

extension ExchangeFormat {
    /// The number of bytes at the beginning of a file that are examined to find its format.
    static let probeLength = 1 << 16

    /// Finds the format of a file from its beginning.
    ///
    /// - Parameter start: The first ``probeLength`` bytes, or the whole file, without a byte order mark.
    /// - Throws: ``ImportFault`` if the format is unknown.
    init(of start: [UInt8]) throws(ImportFault) {
        let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        guard let first = start.first(where: { !space.contains($0) }) else {
            throw ImportFault(.truncated, "there is nothing in the file", remedy: .exportAgain)
        }
        if let fault = ImportFault.utf16(start) { throw fault }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) || start.starts(with: [0xFF, 0xD8, 0xFF]) {
            throw ImportFault(
                .unknownFormat,
                "the file is a picture",
                remedy: .scanPicture
            )
        }
        if start.starts(with: "bplist".utf8) {
            throw ImportFault(
                .unknownFormat,
                "the file is a binary property list, which can only be read as a whole",
                remedy: "convert it to XML, as with `plutil -convert xml1`"
            )
        }
        switch first {
        case UInt8(ascii: "["): self = .json
        case UInt8(ascii: "{"): self = JSONShape.isDocument(start) ? .json : .jsonLines
        case UInt8(ascii: "<"): self = .propertyList
        case 0x80...0x8F, 0xDE, 0xDF: self = .messagePack
        default:
            let line = start.prefix { $0 != 0x0A && $0 != 0x0D }
            let isText = String(validating: line, as: UTF8.self) != nil && !line.contains(0)
            guard isText, line.contains(where: { ",;\t".utf8.contains($0) }) else {
                throw ImportFault(
                    .unknownFormat,
                    "the file is neither JSON, CSV, an XML property list nor MessagePack",
                    remedy: .exportAgain
                )
            }
            self = .csv
        }
    }
}

/// The shape of JSON, as far as its beginning shows it.
private enum JSONShape {
    /// Whether the first object has lists of records, or goes on over several lines.
    static func isDocument(_ start: [UInt8]) -> Bool {
        var depth = 0
        var text: [UInt8]?
        var isEscaped = false
        var lastText: [UInt8] = []
        var hasBreak = false
        for byte in start {
            if let open = text {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    lastText = open
                    text = nil
                    continue
                }
                // The names of lists are shorter.
                if open.count < 16 { text?.append(byte) }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): text = []
            case UInt8(ascii: "["):
                let name = String(decoding: lastText, as: UTF8.self)
                if depth == 1 && RecordKind(section: name) != nil { return true }
                depth += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth <= 0 { return hasBreak }
            case 0x0A: hasBreak = hasBreak || depth > 0
            default: break
            }
        }
        return hasBreak
    }
}
