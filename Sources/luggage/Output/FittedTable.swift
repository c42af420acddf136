internal import LuggageTags

/// Rows of text in columns as wide as what is in them, and on a terminal no wider than that together.
struct FittedTable {
    /// A column.
    struct Column {
        let heading: String
        var isRightAligned = false
        /// The least width to which it may be cut on a terminal; nil where its cells stay whole.
        var leastWidth: Int?
        /// The width where nothing is known of the rows that will come.
        var usualWidth = 0
    }

    /// A cell.
    struct Cell {
        let text: String
        let tone: Tone?
        /// The number of columns that a terminal takes for it.
        let width: Int

        /// Makes a cell whose text cannot steer the terminal, nor break the line.
        init(_ text: String, _ tone: Tone? = nil) {
            // Most texts are of ASCII, and are looked at once.
            let isPlain = text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
            self.text = isPlain ? text : text.onOneLine
            width = isPlain ? text.utf8.count : self.text.displayWidth
            self.tone = tone
        }
    }

    private static let gap = "  "

    private let columns: [Column]
    private let terminal: Terminal
    private let widths: [Int]

    /// Lays a table out.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The rows, or the first ones; cells of later rows may be longer.
    ///   - isOpen: Whether more rows will come, of which nothing is known yet.
    ///   - terminal: Where it is shown.
    init(_ columns: [Column], rows: [[Cell]], isOpen: Bool = false, on terminal: Terminal) {
        self.columns = columns
        self.terminal = terminal
        var widths = columns.map { max($0.heading.displayWidth, isOpen ? $0.usualWidth : 0) }
        for row in rows {
            for (place, cell) in row.enumerated() {
                widths[place] = max(widths[place], cell.width)
            }
        }
        if let width = terminal.width { Self.fit(&widths, columns, to: width) }
        self.widths = widths
    }

    /// Takes from the columns first that have most to give, so that the others stay whole.
    private static func fit(_ widths: inout [Int], _ columns: [Column], to width: Int) {
        var excess = widths.reduce(gap.count * (widths.count - 1), +) - width
        while excess > 0 {
            func spare(_ place: Int) -> Int {
                columns[place].leastWidth.map { widths[place] - $0 } ?? 0
            }
            guard let widest = columns.indices.max(by: { spare($0) < spare($1) }),
                spare(widest) > 0
            else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    /// The number of columns that the longest of its lines takes.
    var width: Int { widths.reduce(Self.gap.count * (widths.count - 1), +) }

    /// The line with the headings.
    var heading: String {
        line(columns.map { Cell($0.heading, .strong) })
    }

    /// One line, without spaces at its end.
    func line(_ cells: [Cell]) -> String {
        let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
        var left = terminal.width ?? .max
        var line = ""
        for (place, cell) in cells.enumerated() where place <= last {
            if place > 0 {
                // A column of which nothing would be seen.
                if left <= Self.gap.count { break }
                line += Self.gap
                left -= Self.gap.count
            }
            var text = cell.text
            var shown = cell.width
            if terminal.width != nil {
                // Columns that may not be cut are so where the terminal is narrower still.
                let width = columns[place].leastWidth == nil ? left : min(left, widths[place])
                if shown > width {
                    text = text.cut(toWidth: width)
                    shown = text.displayWidth
                }
            }
            let isRightAligned = columns[place].isRightAligned
            let isPadded = place < last || isRightAligned
            let padding = max(0, min(widths[place], left) - shown)
            let spaces = isPadded ? String(repeating: " ", count: padding) : ""
            let painted = terminal.paint(text, cell.tone)
            line += isRightAligned ? spaces + painted : painted + spaces
            left -= shown + padding
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
