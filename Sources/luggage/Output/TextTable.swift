internal import LuggageTags

/// Rows of text in aligned columns.
struct TextTable {
    /// The heading and width of a column; text that is longer is not cut.
    struct Column {
        let heading: String
        let width: Int
        var isRightAligned = false
    }

    let columns: [Column]

    /// The line with the headings.
    var heading: String { row(columns.map(\.heading)) }

    /// One line; the last column has no padding behind it.
    func row(_ cells: [String]) -> String {
        let padded = zip(columns, cells).map { column, cell in
            let text = cell.onOneLine
            let padding = String(repeating: " ", count: max(0, column.width - text.displayWidth))
            return column.isRightAligned ? padding + text : text + padding
        }
        var line = padded.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension String {
    /// The number of columns that a terminal takes for it.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
    /// 2 for wide characters, by the blocks that are wide as a whole in Unicode's East Asian Width
    /// (UAX #11), and for emoji; 1 for all others: what combines belongs to its base.
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default:
            return 1
        }
    }
}
