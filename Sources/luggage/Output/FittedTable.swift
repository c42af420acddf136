internal import LuggageTags

/// Rows of text in columns as wide as what is in them, and on a terminal no wider than that together.
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
        /// The width where nothing is known of the rows that will come.
        var usualWidth = 0
    }

    /// A cell.
    struct Cell {
        let text: String
        let tone: Tone?
        /// Whether it has words where others have names of files, so that it is cut at its end.
        let hasWords: Bool
        /// The number of columns that a terminal takes for it.
        let width: Int

        /// Makes a cell whose text cannot steer the terminal, nor break the line.
        init(_ text: String, _ tone: Tone? = nil, hasWords: Bool = false) {
            // Most texts are of ASCII, and are looked at once.
            let isPlain = text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
            self.text = isPlain ? text : text.onOneLine
            width = isPlain ? text.utf8.count : self.text.displayWidth
            self.tone = tone
            self.hasWords = hasWords
        }
    }

    /// How many spaces stand between two columns.
    private static let gap = 2

    /// How the cells of a column are laid out.
    private struct Layout {
        let width: Int
        let isRightAligned: Bool
        let staysWhole: Bool
        let hasFileNames: Bool
    }

    private let headings: [String]
    private let terminal: Terminal
    private let layouts: [Layout]
    /// Whether something other than the names of files is cut.
    let cutsWords: Bool

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
        var widths = columns.map { max($0.heading.displayWidth, isOpen ? $0.usualWidth : 0) }
        for row in rows {
            for (place, cell) in row.enumerated() {
                widths[place] = max(widths[place], cell.width)
            }
        }
        let whole = widths
        if let width = terminal.width { Self.fit(&widths, columns, to: width) }
        let hasRoom = widths.reduce(Self.gap * (widths.count - 1), +) <= terminal.width ?? .max
        cutsWords =
            !hasRoom
            || columns.indices.contains { !columns[$0].hasFileNames && widths[$0] < whole[$0] }
        layouts = zip(columns, widths).map { column, width in
            Layout(
                width: width,
                isRightAligned: column.isRightAligned,
                staysWhole: column.leastWidth == nil,
                hasFileNames: column.hasFileNames
            )
        }
    }

    /// Takes from the columns first that have most to give, so that the others stay whole; before them,
    /// from those with names of files.
    private static func fit(_ widths: inout [Int], _ columns: [Column], to width: Int) {
        var excess = widths.reduce(gap * (widths.count - 1), +) - width
        func spare(_ place: Int) -> Int {
            columns[place].leastWidth.map { widths[place] - $0 } ?? 0
        }
        let names = columns.indices.filter { columns[$0].hasFileNames }
        for places in [names, Array(columns.indices)] {
            while excess > 0, let widest = places.max(by: { spare($0) < spare($1) }),
                spare(widest) > 0
            {
                widths[widest] -= 1
                excess -= 1
            }
        }
    }

    /// The number of columns that the longest of its lines takes.
    var width: Int { layouts.reduce(Self.gap * (layouts.count - 1)) { $0 + $1.width } }

    /// The line with the headings.
    var heading: String {
        line(headings.map { Cell($0, .strong) })
    }

    /// One line, without spaces at its end.
    func line(_ cells: [Cell]) -> String {
        var bytes: [UInt8] = []
        append(cells, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Adds one line to others, without spaces or a break at its end.
    func append(_ cells: [Cell], to bytes: inout [UInt8]) {
        let start = bytes.count
        let space = UInt8(ascii: " ")
        var left = terminal.width ?? .max
        /// How many spaces stand in front of whatever comes next, if anything does.
        var spaces = 0
        for (place, cell) in cells.enumerated() {
            if place > 0 {
                // A column of which nothing would be seen.
                if left <= Self.gap { break }
                spaces += Self.gap
                left -= Self.gap
            }
            let layout = layouts[place]
            var text = cell.text
            var shown = cell.width
            if terminal.width != nil {
                // Columns that may not be cut are so where the terminal is narrower still.
                let width = layout.staysWhole ? left : min(left, layout.width)
                if shown > width {
                    text =
                        layout.hasFileNames && !cell.hasWords
                        ? text.cutInFront(toWidth: width) : text.cut(toWidth: width)
                    shown = text.displayWidth
                }
            }
            let padding = max(0, min(layout.width, left) - shown)
            if layout.isRightAligned { spaces += padding }
            if !text.isEmpty {
                for _ in 0..<spaces { bytes.append(space) }
                spaces = 0
                var painted = terminal.paint(text, cell.tone)
                painted.withUTF8 { unsafe bytes.append(contentsOf: $0) }
            }
            if !layout.isRightAligned { spaces += padding }
            left -= shown + padding
        }
        while bytes.count > start, bytes.last == space { bytes.removeLast() }
    }
}
