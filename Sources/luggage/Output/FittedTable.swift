internal import LuggageTags
internal import System

/// Rows of text in columns as wide as what is in them, and on a terminal no wider than that together.
///
/// Where a terminal has no room for all columns, cells are cut down to what is still of use, and the
/// columns that have no room even so stand on further lines of each row, indented.
struct FittedTable {
    /// A column.
    struct Column {
        let heading: String
        var isRightAligned = false
        /// The least width to which it may be cut on a terminal; nil where its cells stay whole.
        var leastWidth: Int?
        /// Whether it holds names of files, which are long, differ at their ends and matter least: it is
        /// cut before other columns are, and at the beginning.
        var hasFileNames = false
        /// Whether it holds sentences, which are never cut: the last column, which goes on below.
        var isSentence = false
        /// The width where nothing is known of the rows that will come.
        var usualWidth = 0
    }

    /// A cell.
    struct Cell {
        let text: String
        let tone: Tone?
        /// Whether it has words where others have names of files, so that it is cut at its end.
        let hasWords: Bool
        /// Whether it is a time, which is still one without its zone, the last word.
        let isTime: Bool
        /// The number of columns that a terminal takes for it.
        let width: Int

        /// Makes a cell whose text cannot steer the terminal, nor break the line.
        init(
            _ text: String,
            _ tone: Tone? = nil,
            hasWords: Bool = false,
            isTime: Bool = false
        ) {
            // Most texts are of ASCII, and are looked at once.
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

    /// Lays a table out.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The rows, or the first ones; cells of later rows may be longer.
    ///   - isOpen: Whether more rows will come, of which nothing is known yet.
    ///   - terminal: Where it is shown.
    init(_ columns: [Column], rows: [[Cell]], isOpen: Bool = false, on terminal: Terminal) {
        headings = columns.map(\.heading)
        self.terminal = terminal
        layout = TableLayout(columns, rows: rows, isOpen: isOpen, width: terminal.width)
    }

    /// The number of columns that the longest of its lines takes.
    var width: Int { layout.width }

    /// Whether something other than the names of files is cut, or stands on a further line.
    var cutsWords: Bool { layout.cutsWords }

    /// Whether a row takes more than one line.
    var hasFurtherLines: Bool { layout.lines.count > 1 }

    /// The line with the headings, or the lines.
    var heading: String {
        line(headings.map { Cell($0, .strong) })
    }

    /// One row, without spaces or a break at its end.
    func line(_ cells: [Cell]) -> String {
        var bytes: [UInt8] = []
        append(cells, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Adds one row to others, without spaces or a break at its end.
    func append(_ cells: [Cell], to bytes: inout [UInt8]) {
        for (number, places) in layout.lines.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: "\n")) }
            append(cells, places, behind: number > 0 ? TableLayout.indent : 0, to: &bytes)
        }
    }

    /// Adds one line of a row, behind spaces.
    private func append(
        _ cells: [Cell],
        _ places: Range<Int>,
        behind indent: Int,
        to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        var left = (terminal.width ?? .max) - indent
        /// How many spaces stand in front of whatever comes next, if anything does.
        var spaces = indent
        for place in places where place < cells.count {
            if place > places.lowerBound {
                // A column of which nothing would be seen.
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
        // A text may end with some of its own.
        while bytes.count > start, bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    }

    /// Adds a sentence on as many lines as it takes.
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

    /// Adds a text in a tone, with spaces in front.
    private func paint(_ text: String, _ tone: Tone?, behind spaces: Int, to bytes: inout [UInt8]) {
        for _ in 0..<spaces { bytes.append(UInt8(ascii: " ")) }
        var painted = terminal.paint(text, tone)
        painted.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }
}
