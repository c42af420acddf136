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
