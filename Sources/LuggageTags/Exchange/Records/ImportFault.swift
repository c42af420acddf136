/// The reason why no further record of a file can be read.
struct ImportFault: Error {
    let error: TagError
    let remedy: Remedy
    var line: Int?

    /// Describes a fault.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - message: The reason.
    ///   - line: The line of the fault, from 1.
    ///   - remedy: What to do about it, as a clause: `export it again`.
    init(_ code: TagError.Code, _ message: String, line: Int? = nil, remedy: Remedy) {
        error = TagError(.structured, code, message)
        self.line = line
        self.remedy = remedy
    }

    /// The fault of a file in UTF-16, which spreadsheets save as "Unicode text".
    ///
    /// - Parameter start: The first bytes, with their byte order mark.
    /// - Returns: The fault; nil if the bytes are not UTF-16.
    static func utf16(_ start: [UInt8]) -> Self? {
        guard [[0xFF, 0xFE], [0xFE, 0xFF]].contains(where: start.starts) else { return nil }
        return Self(.unknownFormat, "the file is UTF-16", remedy: "save it as UTF-8")
    }

    /// The fault of a file that ends early.
    static func truncated(line: Int? = nil) -> Self {
        Self(
            .truncated,
            "the file ends early",
            line: line,
            remedy: .takePart
        )
    }

    /// The fault of a file that is not in the format that it seems to have.
    static func malformed(_ format: ExchangeFormat, _ reason: String, line: Int? = nil) -> Self {
        Self(
            .malformed,
            "the file is not \(format.name): \(reason)",
            line: line,
            remedy: .nameFormat
        )
    }

    /// The fault of a record that is longer than any record needs to be.
    static func tooLong(line: Int? = nil) -> Self {
        Self(
            .tooLong,
            "a record is longer than \(RawRecord.longest) bytes",
            line: line,
            remedy: "take it out of the file"
        )
    }
}

extension TagError.Code {
    /// The file ends early.
    public static let truncated = Self("truncated")
    /// The file is not in the format that it seems to have.
    public static let malformed = Self("malformed")
    /// A record is longer than the limit.
    public static let tooLong = Self("too-long")
    /// The file has no known format.
    public static let unknownFormat = Self("unknown-format")
    /// The file has a version that this program does not know.
    public static let unknownVersion = Self("unknown-version")
}
