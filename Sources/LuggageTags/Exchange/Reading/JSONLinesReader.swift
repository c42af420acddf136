/// Finds the records in a file with one JSON object per line.
struct JSONLinesReader: RecordReader {
    private let input: ByteReader

    init(_ input: ByteReader) {
        self.input = input
    }

    func next() throws -> RawRecord? {
        while true {
            let line = input.line
            guard let bytes = try input.bytes(upTo: 0x0A) else { return nil }
            if bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
            return RawRecord(line: line, bytes: bytes, format: .json)
        }
    }
}
