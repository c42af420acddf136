internal import SystemSupport

/// Reads the records of comma-separated values as in RFC 4180, with a header.
struct CSVReader: RecordReader {
    private var lines: CSVLines
    private var columns: [String]?
    private var kind = RecordKind.bag

    init(_ input: ByteReader) {
        lines = CSVLines(input)
    }

    mutating func next() throws -> RawRecord? {
        while true {
            guard let line = try lines.next() else { return nil }
            guard let columns else {
                try take(header: line)
                continue
            }
            return record(line, columns)
        }
    }

    private mutating func take(header: CSVLines.Line) throws {
        let names = try header.columnNames()
        kind = names.contains("scannedAt") ? .scan : names.contains("madeAt") ? .fact : .bag
        let needed =
            switch kind {
            case .scan: ["point", "station", "scannedAt", "outcome"]
            case .fact: ["id", "kind", "subject", "madeAt"]
            case .bag, .passenger: ["id"]
            }
        if let missing = needed.first(where: { !names.contains($0) }) {
            throw ImportFault(
                .malformed,
                "there is no column \(missing.quoted)",
                line: header.number,
                remedy: "give the columns their names in the first line, as an export does"
            )
        }
        columns = names
    }

    private func record(_ line: CSVLines.Line, _ columns: [String]) -> RawRecord {
        var record = RawRecord(line: line.number, kind: kind, bytes: [], format: .json)
        do throws(CSVLines.Flaw) {
            record.bytes = try CSVRow(line.texts(in: columns), kind).json()
        } catch {
            record.flaw = error.reason
        }
        return record
    }
}
