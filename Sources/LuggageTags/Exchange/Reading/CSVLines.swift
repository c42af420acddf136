internal import SystemSupport

/// Splits values with separators, by default commas as in RFC 4180, into lines of fields.
struct CSVLines {
    /// The reason why a line is unusable.
    struct Flaw: Error {
        let reason: String
    }

    /// A line that is not empty.
    struct Line {
        /// The number of its first line in the file, from 1.
        let number: Int
        /// The fields, without the quotes around them.
        fileprivate(set) var fields: [[UInt8]] = []
        /// The error if a misplaced character makes the fields uncertain.
        fileprivate var misplaced: String?

        /// The fields that are not empty, by the names of their columns.
        func texts(in columns: [String]) throws(Flaw) -> [String: String] {
            if let misplaced { throw Flaw(reason: misplaced) }
            guard fields.count == columns.count else {
                throw Flaw(
                    reason:
                        "the line has \(fields.count) fields, and the header has \(columns.count)"
                )
            }
            var texts: [String: String] = [:]
            for (column, field) in zip(columns, fields) where !field.isEmpty {
                guard let text = String(validating: CSVColumns.unmarked(field), as: UTF8.self)
                else {
                    throw Flaw(
                        reason: "the field \(column.quoted) is not UTF-8; save the file as UTF-8"
                    )
                }
                texts[column] = text
            }
            return texts
        }

        /// The names of the columns if this is the header.
        ///
        /// - Throws: ``ImportFault`` if the names are unusable.
        func columnNames() throws -> [String] {
            let names = fields.map { String(decoding: $0, as: UTF8.self) }
            func fault(_ reason: String, _ remedy: Remedy) -> ImportFault {
                ImportFault(.malformed, reason, line: number, remedy: remedy)
            }
            if names.count == 1 && (names[0].contains(";") || names[0].contains("\t")) {
                throw fault("the fields are not separated by commas", "save it with commas")
            }
            var known: Set<String> = []
            if let name = names.first(where: { !known.insert($0).inserted }) {
                if name.isEmpty {
                    throw fault("two columns have no name", "give them names, or take them out")
                }
                throw fault(
                    "the column \(name.quoted) is there twice",
                    "take one of the two out, or give it its right name"
                )
            }
            return names
        }
    }

    private let input: ByteReader
    private let separator: UInt8

    init(_ input: ByteReader, separator: UInt8 = UInt8(ascii: ",")) {
        self.input = input
        self.separator = separator
    }

    /// The next line that is not empty; nil at the end.
    ///
    /// - Throws: ``ImportFault`` if the line is too long, or the file ends in quotes.
    mutating func next() throws -> Line? {
        while let line = try line() {
            if line.fields != [[]] || line.misplaced != nil { return line }
        }
        return nil
    }

    /// Takes a line, which continues after a line break in quotes; nil at the end.
    private func line() throws -> Line? {
        guard try input.peek() != nil else { return nil }
        let number = input.line
        var row = Line(number: number)
        var length = 0
        while true {
            var field: [UInt8] = []
            var isEnd = false
            func take(_ byte: UInt8) throws {
                field.append(byte)
                length += 1
                if length > RawRecord.longest { throw ImportFault.tooLong(line: number) }
            }
            // Nothing is allowed between a quoted field and the next separator.
            let isQuoted = try input.peek() == UInt8(ascii: "\"")
            if isQuoted {
                _ = try input.next()
                while true {
                    guard let byte = try input.next() else {
                        throw ImportFault.truncated(line: number)
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
                case separator: break fields
                case 0x0D where try input.peek() == 0x0A || input.peek() == nil: continue
                case UInt8(ascii: "\""):
                    row.misplaced = "a quotation mark stands in a field that is not in quotes"
                case let byte?:
                    if isQuoted { row.misplaced = "something stands behind a field in quotes" }
                    try take(byte)
                }
            }
            length += 1
            row.fields.append(field)
            if isEnd { return row }
        }
    }
}
