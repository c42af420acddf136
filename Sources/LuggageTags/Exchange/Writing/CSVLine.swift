/// One line of comma-separated values as RFC 4180 has it, with nothing that a spreadsheet takes for a
/// formula.
package enum CSVLine {
    /// The bytes of a line, CRLF behind it included.
    package static func bytes(of fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (position, field) in fields.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            append(CSVColumns.marked(Array(field.utf8)), to: &bytes)
        }
        return bytes + "\r\n".utf8
    }

    private static func append(_ field: [UInt8], to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard field.contains(where: { ",\"\r\n ".utf8.contains($0) }) else {
            bytes += field
            return
        }
        bytes.append(quote)
        for byte in field {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }
}
