/// Reads bytes that come in chunks of any size, and counts lines.
final class ByteReader {
    private let read: () throws -> [UInt8]
    private var chunk: [UInt8]
    private var position = 0
    private var hasEnded = false
    /// The line of the next byte, from 1.
    private(set) var line = 1

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - start: Bytes that were read already.
    ///   - read: Returns the next bytes, or none at the end.
    init(start: [UInt8] = [], read: @escaping () throws -> [UInt8]) {
        chunk = start
        self.read = read
    }

    /// The next byte, without taking it; nil at the end.
    func peek() throws -> UInt8? {
        while position == chunk.count {
            if hasEnded { return nil }
            chunk = try read()
            position = 0
            hasEnded = chunk.isEmpty
        }
        return chunk[position]
    }

    /// Takes the next byte; nil at the end.
    func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == 0x0A { line += 1 }
        return byte
    }

    /// Takes the bytes in memory, or reads more if there are none; empty at the end.
    func nextChunk() throws -> ArraySlice<UInt8> {
        guard try peek() != nil else { return [] }
        defer { position = chunk.count }
        return chunk[position...]
    }

    /// Skips spaces and line breaks.
    func skipSpace() throws {
        while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { _ = try next() }
    }

    /// Takes bytes up to a terminating byte, which it takes too, but does not return.
    ///
    /// - Returns: The bytes; nil at the end of the file.
    func bytes(upTo end: UInt8) throws -> [UInt8]? {
        guard try peek() != nil else { return nil }
        let start = line
        var bytes: [UInt8] = []
        while let byte = try next(), byte != end {
            bytes.append(byte)
            if bytes.count > RawRecord.longest { throw ImportFault.tooLong(line: start) }
        }
        return bytes
    }
}
