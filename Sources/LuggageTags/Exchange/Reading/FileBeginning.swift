/// The beginning of a file, by which its format was found, and the rest, which is still to be read.
struct FileBeginning {
    /// The format of the file.
    let format: ExchangeFormat

    private let start: [UInt8]
    private let read: () throws -> [UInt8]

    /// Reads the beginning.
    ///
    /// - Parameters:
    ///   - format: The format of the file; nil to find it by the content.
    ///   - read: Gives the bytes that come next, and none at the end.
    /// - Throws: ``ImportFault`` where it is of no format, or what reading throws.
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

    /// Reads the records from the first.
    func makeReader() -> any RecordReader {
        format.makeReader(ByteReader(start: start, read: read))
    }
}
