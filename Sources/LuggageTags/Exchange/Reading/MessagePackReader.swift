internal import MessagePack

/// Finds the records in a file of MessagePack messages.
struct MessagePackReader: RecordReader {
    private let input: ByteReader
    private var stream: MessagePackStreamDecoder
    /// The bytes in the stream that belong to no record yet.
    private var pending: [UInt8] = []
    private var taken = 0

    init(_ input: ByteReader) {
        self.input = input
        var decoder = MessagePackDecoder()
        decoder.limits.byteCount = RawRecord.longest
        // Duplicate keys and invalid UTF-8 are found when the record is decoded.
        decoder.duplicateKeys = .useLast
        decoder.invalidText = .repair
        stream = MessagePackStreamDecoder(decoder: decoder)
    }

    mutating func next() throws -> RawRecord? {
        do {
            while true {
                let before = stream.pendingByteCount
                if try stream.next(Passed.self) != nil {
                    let end = taken + before - stream.pendingByteCount
                    defer { taken = end }
                    return RawRecord(bytes: Array(pending[taken..<end]), format: .messagePack)
                }
                pending.removeSubrange(..<taken)
                taken = 0
                let chunk = try input.nextChunk()
                if chunk.isEmpty {
                    try stream.finish()
                    return nil
                }
                pending += chunk
                stream.append(chunk)
            }
        } catch DecodingError.dataCorrupted(let context) {
            guard let error = context.underlyingError as? MessagePackError else {
                throw ImportFault.malformed(.messagePack, context.debugDescription)
            }
            switch error.code {
            case .truncated: throw ImportFault.truncated()
            case .tooLong: throw ImportFault.tooLong()
            default: throw ImportFault.malformed(.messagePack, "\(error)")
            }
        }
    }

    /// A message that is skipped.
    private struct Passed: Decodable {
        init(from decoder: any Decoder) {}
    }
}
