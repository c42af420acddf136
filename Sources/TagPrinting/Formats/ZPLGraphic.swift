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
            bytes += row == previous ? [UInt8(ascii: ":")] : packed(row)
            bytes.append(UInt8(ascii: "\n"))
            previous = row
        }
        return bytes + Array("^FS^XZ\n".utf8)
    }

    /// A row in hexadecimal digits, with a count before repeated ones.
    private static func packed(_ row: [UInt8]) -> [UInt8] {
        let digits = row.flatMap { [$0 >> 4, $0 & 15] }
        var bytes: [UInt8] = []
        var place = 0
        while place < digits.count {
            let digit = digits[place]
            let end = digits[place...].firstIndex { $0 != digit } ?? digits.count
            if end == digits.count && (digit == 0 || digit == 15) {
                // The rest of the row is all white or all black.
                return bytes + [UInt8(ascii: digit == 0 ? "," : "!")]
            }
            bytes += count(end - place) + [hexadecimal[Int(digit)]]
            place = end
        }
        return bytes
    }

    /// A number in ZPL's letters: g to z are 20 to 400, G to Y are 1 to 19; no letter means 1.
    private static func count(_ number: Int) -> [UInt8] {
        if number == 1 { return [] }
        var rest = number
        var letters: [UInt8] = []
        while rest > 400 {
            letters.append(UInt8(ascii: "z"))
            rest -= 400
        }
        if rest >= 20 {
            letters.append(UInt8(ascii: "f") + UInt8(rest / 20))
            rest %= 20
        }
        if rest > 0 { letters.append(UInt8(ascii: "F") + UInt8(rest)) }
        return letters
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
