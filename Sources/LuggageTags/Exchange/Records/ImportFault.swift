/// Why no further record can be read from a file.
struct ImportFault: Error {
    let error: TagError
    let remedy: Remedy
    var line: Int?

    /// Describes a fault.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - message: What is wrong.
    ///   - line: The line in which it was found, from 1.
    ///   - remedy: What to do about it, as a clause: `export it again`.
    init(_ code: TagError.Code, _ message: String, line: Int? = nil, remedy: Remedy) {
        error = TagError(.structured, code, message)
        self.line = line
        self.remedy = remedy
    }

    /// A file whose letters take two bytes each, as spreadsheets save "Unicode text".
    ///
    /// - Parameter start: The first bytes, with their byte order mark.
    /// - Returns: The fault; nil where they are not of such a file.
    static func utf16(_ start: [UInt8]) -> Self? {
        guard [[0xFF, 0xFE], [0xFE, 0xFF]].contains(where: start.starts) else { return nil }
        return Self(.unknownFormat, "the file is UTF-16", remedy: "save it as UTF-8")
    }

    /// A file that ends before it is complete.
    static func truncated(line: Int? = nil) -> Self {
        Self(
            .truncated,
            "the file ends early",
            line: line,
            remedy: .takePart
        )
    }

    /// A file that is not what it looks like.
    static func malformed(_ format: ExchangeFormat, _ reason: String, line: Int? = nil) -> Self {
        Self(
            .malformed,
            "the file is not \(format.name): \(reason)",
            line: line,
            remedy: .nameFormat
        )
    }

    /// A record that would take more memory than any record needs.
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
    /// The file is not of the format that it looks like.
    public static let malformed = Self("malformed")
    /// A record is longer than any that is taken.
    public static let tooLong = Self("too-long")
    /// The file is of no known format.
    public static let unknownFormat = Self("unknown-format")
    /// The file has a version that this program does not know.
    public static let unknownVersion = Self("unknown-version")
}
