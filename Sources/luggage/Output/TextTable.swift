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
            cell.onOneLine.padded(
                toWidth: column.width,
                isRightAligned: column.isRightAligned
            )
        }
        var line = padded.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
