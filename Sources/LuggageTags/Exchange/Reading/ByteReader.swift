/// Reads bytes that come in chunks of any size, and knows in which line it is.
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
    ///   - read: Gives the bytes that come next, and none at the end.
    init(start: [UInt8] = [], read: @escaping () throws -> [UInt8]) {
        chunk = start
        self.read = read
    }

    /// The next byte, which stays the next; nil at the end.
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

    /// All that is there without reading on, but at least something unless this is the end.
    func nextChunk() throws -> ArraySlice<UInt8> {
        guard try peek() != nil else { return [] }
        defer { position = chunk.count }
        return chunk[position...]
    }

    /// Passes over spaces and line breaks.
    func skipSpace() throws {
        while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { _ = try next() }
    }

    /// Takes bytes up to one that ends them, which is taken too and left out.
    ///
    /// - Parameter end: The byte.
    /// - Returns: The bytes, or nil where there are none any more.
    /// - Throws: ``ImportFault`` where they are too many, or what reading throws.
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
