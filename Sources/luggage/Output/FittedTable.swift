internal import SystemSupport

/// A table whose columns are as wide as their cells, and which fits the terminal.
///
/// If a terminal has no room for all columns, cells are cut, but not shorter than is useful. Columns that
/// still do not fit go on further lines of each row, indented.
struct FittedTable {
    struct Column {
        let heading: String
        var isRightAligned = false
        /// The least width to which it may be cut on a terminal; nil if its cells stay whole.
        var leastWidth: Int?
        /// Whether it holds file names, which are long, differ at their ends and matter least.
        ///
        /// It is cut before other columns are, and at the beginning.
        var hasFileNames = false
        /// Whether it holds sentences, which are wrapped and never cut; only the last column may.
        var isSentence = false
        /// The minimum width if more rows may come.
        var usualWidth = 0
    }

    struct Cell {
        let text: String
        let tone: Tone?
        /// Whether it holds words in a column of file names, so that it is cut at its end.
        let hasWords: Bool
        /// Whether it is a time, which may lose its last word, the zone.
        let isTime: Bool
        /// The number of terminal columns that it takes.
        let width: Int

        /// Makes a cell whose text cannot steer the terminal or break the line.
        init(
            _ text: String,
            _ tone: Tone? = nil,
            hasWords: Bool = false,
            isTime: Bool = false
        ) {
            // Most texts are ASCII, for which one check is enough.
            let isPlain = text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
            self.text = isPlain ? text : text.onOneLine
            width = isPlain ? text.utf8.count : self.text.displayWidth
            self.tone = tone
            self.hasWords = hasWords
            self.isTime = isTime
        }
    }

    private let headings: [String]
    private let terminal: Terminal
    private let layout: TableLayout

    /// Computes the layout of a table.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The rows, or the first ones; cells of later rows may be longer.
    ///   - isOpen: Whether more, unknown rows will come.
    ///   - terminal: The terminal that shows it.
    init(_ columns: [Column], rows: [[Cell]], isOpen: Bool = false, on terminal: Terminal) {
        headings = columns.map(\.heading)
        self.terminal = terminal
        layout = TableLayout(columns, rows: rows, isOpen: isOpen, width: terminal.width)
    }

    /// The number of terminal columns of its longest line.
    var width: Int { layout.width }

    /// Whether anything but file names is cut, or goes on a further line.
    var cutsWords: Bool { layout.cutsWords }

    /// Whether a row takes more than one line.
    var hasFurtherLines: Bool { layout.lines.count > 1 }

    /// The heading, on one or more lines.
    var heading: String {
        line(headings.map { Cell($0, .strong) })
    }

    /// One row, without spaces or a line break at its end.
    func line(_ cells: [Cell]) -> String {
        var bytes: [UInt8] = []
        append(cells, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends one row, without spaces or a line break at its end.
    func append(_ cells: [Cell], to bytes: inout [UInt8]) {
        for (number, places) in layout.lines.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: "\n")) }
            append(cells, places, behind: number > 0 ? TableLayout.indent : 0, to: &bytes)
        }
    }

    /// Appends one line of a row, after spaces.
    private func append(
        _ cells: [Cell],
        _ places: Range<Int>,
        behind indent: Int,
        to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        var left = (terminal.width ?? .max) - indent
        /// How many spaces to write before the next text, if any follows.
        var spaces = indent
        for place in places where place < cells.count {
            if place > places.lowerBound {
                // There is no room to show anything of this column.
                if left <= TableLayout.gap { break }
                spaces += TableLayout.gap
                left -= TableLayout.gap
            }
            let (column, cell) = (layout.columns[place], cells[place])
            if column.isSentence, cell.width > left {
                appendSentence(cell, behind: spaces, width: left, to: &bytes)
                return
            }
            let (text, width) = column.fit(cell, into: terminal.width == nil ? nil : left)
            let padding = max(0, min(column.width, left) - width)
            if column.isRightAligned { spaces += padding }
            if !text.isEmpty {
                paint(text, cell.tone, behind: spaces, to: &bytes)
                spaces = 0
            }
            if !column.isRightAligned { spaces += padding }
            left -= width + padding
        }
        // A text may itself end with spaces.
        while bytes.count > start, bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    }

    /// Appends a sentence, on as many lines as it needs.
    private func appendSentence(
        _ cell: Cell,
        behind spaces: Int,
        width: Int,
        to bytes: inout [UInt8]
    ) {
        for (number, text) in cell.text.wrapped(toWidth: width).enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: "\n")) }
            paint(text, cell.tone, behind: spaces, to: &bytes)
        }
    }

    /// Appends a text in a tone, after spaces.
    private func paint(_ text: String, _ tone: Tone?, behind spaces: Int, to bytes: inout [UInt8]) {
        for _ in 0..<spaces { bytes.append(UInt8(ascii: " ")) }
        var painted = terminal.paint(text, tone)
        painted.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }
}
