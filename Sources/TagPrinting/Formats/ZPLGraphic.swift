/// A label in the language of thermal printers (ZPL II): the whole tag as one picture.
///
/// Printers can draw symbols and letters themselves. But then the symbol's bytes pass through the
/// printer's current character set, and names can use only its letters. Dots print the same on
/// every printer.
enum ZPLGraphic {
    /// The commands that print a page.
    ///
    /// - Parameters:
    ///   - width: The dots per row.
    ///   - rows: The rows, one bit per dot, 1 for black.
    /// - Returns: ASCII.
    static func label(width: Int, rows: [[UInt8]]) -> [UInt8] {
        let rowBytes = (width + 7) / 8
        let total = rowBytes * rows.count
        // PW and LL set the size of the label, LH0,0 its origin, in place of the printer's earlier
        // settings.
        let start =
            "^XA^PW\(width)^LL\(rows.count)^LH0,0^FO0,0^GFA,\(total),\(total),\(rowBytes),\n"
        var bytes = Array(start.utf8)
        var previous: [UInt8] = []
        for row in rows {
            if row == previous {
                bytes.append(UInt8(ascii: ":"))
            } else {
                pack(row, into: &bytes)
                previous = row
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes + Array("^FS^XZ\n".utf8)
    }

    /// Appends a row in hexadecimal digits, with a count before repeated ones.
    private static func pack(_ row: [UInt8], into bytes: inout [UInt8]) {
        // What is white or black to the row's end is one sign.
        let last = row.last ?? 1
        var end = 2 * row.count
        if last == 0 || last == 0xFF {
            while end > 0, digit(end - 1, of: row) == last & 15 { end -= 1 }
        }
        var place = 0
        while place < end {
            let value = digit(place, of: row)
            var next = place + 1
            while next < end, digit(next, of: row) == value { next += 1 }
            appendCount(next - place, to: &bytes)
            bytes.append(hexadecimal[Int(value)])
            place = next
        }
        if end < 2 * row.count { bytes.append(UInt8(ascii: last == 0 ? "," : "!")) }
    }

    private static func digit(_ place: Int, of row: [UInt8]) -> UInt8 {
        place.isMultiple(of: 2) ? row[place / 2] >> 4 : row[place / 2] & 15
    }

    /// Appends a number in ZPL's letters: g to z are 20 to 400, G to Y are 1 to 19; no letter means 1.
    private static func appendCount(_ number: Int, to bytes: inout [UInt8]) {
        if number == 1 { return }
        var rest = number
        while rest > 400 {
            bytes.append(UInt8(ascii: "z"))
            rest -= 400
        }
        if rest >= 20 {
            bytes.append(UInt8(ascii: "f") + UInt8(rest / 20))
            rest %= 20
        }
        if rest > 0 { bytes.append(UInt8(ascii: "F") + UInt8(rest)) }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
