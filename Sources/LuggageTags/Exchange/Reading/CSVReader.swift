internal import Foundation

/// Finds the records of comma-separated values as RFC 4180 has them, with a header.
struct CSVReader: RecordReader {
    private let input: ByteReader
    private var columns: [String]?
    private var kind = RecordKind.bag

    init(_ input: ByteReader) {
        self.input = input
    }

    mutating func next() throws -> RawRecord? {
        while true {
            let line = input.line
            guard let row = try row() else { return nil }
            if row.fields == [[]] && row.flaw == nil { continue }
            guard let columns else {
                try take(header: row, line)
                continue
            }
            return record(row, columns, line)
        }
    }

    private mutating func take(header: Row, _ line: Int) throws {
        let names = header.fields.map { String(decoding: $0, as: UTF8.self) }
        func fault(_ reason: String, _ remedy: String) -> ImportFault {
            ImportFault(.malformed, reason, line: line, remedy: remedy)
        }
        if names.count == 1 && (names[0].contains(";") || names[0].contains("\t")) {
            throw fault("the fields are not separated by commas", "save it with commas")
        }
        if Set(names).count < names.count {
            throw fault("two columns have the same name", "take one of them out")
        }
        kind = names.contains("scannedAt") ? .scan : .bag
        let needed =
            kind == .scan ? ["point", "station", "scannedAt", "outcome"] : ["id", "weight"]
        if let missing = needed.first(where: { !names.contains($0) }) {
            throw fault(
                "there is no column \(missing.quoted)",
                "give the columns their names in the first line, as `luggage export` does"
            )
        }
        columns = names
    }

    private func record(_ row: Row, _ columns: [String], _ line: Int) -> RawRecord {
        var record = RawRecord(line: line, kind: kind, bytes: [], format: .json, flaw: row.flaw)
        if record.flaw == nil && row.fields.count != columns.count {
            record.flaw =
                "the line has \(row.fields.count) fields, and the header has \(columns.count)"
        }
        if record.flaw == nil {
            do {
                record.bytes = try CSVRow(columns, row.fields, kind).json()
            } catch {
                record.flaw = error.reason
            }
        }
        return record
    }

    private struct Row {
        var fields: [[UInt8]] = []
        /// Why they cannot be told apart.
        var flaw: String?
    }

    /// Takes a line, which goes on where a break stands in quotes; nil at the end.
    private func row() throws -> Row? {
        guard try input.peek() != nil else { return nil }
        let line = input.line
        var row = Row()
        var length = 0
        while true {
            var field: [UInt8] = []
            var isEnd = false
            func take(_ byte: UInt8) throws {
                field.append(byte)
                length += 1
                if length > RawRecord.longest { throw ImportFault.tooLong(line: line) }
            }
            // Behind a quoted field nothing may stand.
            let isQuoted = try input.peek() == UInt8(ascii: "\"")
            if isQuoted {
                _ = try input.next()
                while true {
                    guard let byte = try input.next() else {
                        throw ImportFault.truncated(line: line)
                    }
                    if byte == UInt8(ascii: "\"") {
                        guard try input.peek() == UInt8(ascii: "\"") else { break }
                        _ = try input.next()
                    }
                    try take(byte)
                }
            }
            fields: while true {
                switch try input.next() {
                case nil, 0x0A:
                    isEnd = true
                    break fields
                case UInt8(ascii: ","): break fields
                case 0x0D where try input.peek() == 0x0A || input.peek() == nil: continue
                case UInt8(ascii: "\""):
                    row.flaw = "a quotation mark stands in a field that is not in quotes"
                case let byte?:
                    if isQuoted { row.flaw = "something stands behind a field in quotes" }
                    try take(byte)
                }
            }
            length += 1
            row.fields.append(field)
            if isEnd { return row }
        }
    }
}
