/// One line of comma-separated values as in RFC 4180, safe from formulas in spreadsheets.
package enum CSVLine {
    /// The bytes of a line, including the CRLF at its end.
    package static func bytes(of fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        append(fields, to: &bytes)
        return bytes
    }

    /// Appends a line, including the CRLF at its end.
    package static func append(_ fields: [String], to bytes: inout [UInt8]) {
        for (position, field) in fields.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field, to: &bytes)
        }
        bytes += "\r\n".utf8
    }

    private static func append(_ field: String, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let isQuoted = field.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: ","), quote, UInt8(ascii: "\r"), UInt8(ascii: "\n"),
                UInt8(ascii: " "):
                true
            default: false
            }
        }
        if isQuoted { bytes.append(quote) }
        if CSVColumns.needsMark(field) { bytes.append(CSVColumns.mark) }
        if isQuoted {
            for byte in field.utf8 {
                if byte == quote { bytes.append(quote) }
                bytes.append(byte)
            }
            bytes.append(quote)
        } else {
            bytes += field.utf8
        }
    }
}
