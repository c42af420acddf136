/// The widths of a table's columns, and the lines on which they go.
///
/// If a terminal has no room for all columns on one line, the rest go on further lines of a row.
struct TableLayout {
    /// The layout of a column.
    struct Column {
        let width: Int
        let isRightAligned: Bool
        let staysWhole: Bool
        let hasFileNames: Bool
        let isSentence: Bool

        /// Cuts a cell.
        ///
        /// - Parameters:
        ///   - cell: The cell.
        ///   - room: The number of columns left on the terminal; nil if nothing needs to be cut.
        /// - Returns: The text that fits, and the number of columns that it takes.
        func fit(_ cell: FittedTable.Cell, into room: Int?) -> (text: String, width: Int) {
            guard let room else { return (cell.text, cell.width) }
            // A column that should stay whole is cut only if the terminal has no room for it.
            let most = staysWhole ? room : min(room, width)
            if cell.width <= most { return (cell.text, cell.width) }
            if cell.isTime, let zone = cell.text.lastIndex(of: " ") {
                let time = String(cell.text[..<zone])
                if time.displayWidth <= most { return (time, time.displayWidth) }
            }
            let text =
                hasFileNames && !cell.hasWords
                ? cell.text.cutInFront(toWidth: most) : cell.text.cut(toWidth: most)
            return (text, text.displayWidth)
        }
    }

    /// The number of spaces between two columns.
    static let gap = 2
    /// The number of spaces before a further line of a row.
    static let indent = 2

    let columns: [Column]
    /// The columns on each line of a row.
    let lines: [Range<Int>]
    /// Whether anything but file names is cut, or goes on a further line.
    let cutsWords: Bool

    /// Computes the widths.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The rows, or the first ones.
    ///   - isOpen: Whether more, unknown rows will come.
    ///   - width: The number of columns of the terminal; nil for no limit.
    init(
        _ columns: [FittedTable.Column],
        rows: [[FittedTable.Cell]],
        isOpen: Bool,
        width: Int?
    ) {
        var widths = columns.map { max($0.heading.displayWidth, isOpen ? $0.usualWidth : 0) }
        for row in rows {
            for (place, cell) in row.enumerated() {
                widths[place] = max(widths[place], cell.width)
            }
        }
        let whole = widths
        var lines = [columns.indices]
        if let width {
            lines = Self.lines(of: columns, widths, within: width)
            for (number, line) in lines.enumerated() {
                Self.narrow(&widths, columns, line, to: width - (number > 0 ? Self.indent : 0))
            }
        }
        self.lines = lines
        cutsWords =
            lines.count > 1
            || columns.indices.contains { !columns[$0].hasFileNames && widths[$0] < whole[$0] }
        self.columns = zip(columns, widths).map { column, width in
            Column(
                width: width,
                isRightAligned: column.isRightAligned,
                staysWhole: column.leastWidth == nil,
                hasFileNames: column.hasFileNames,
                isSentence: column.isSentence
            )
        }
    }

    /// The number of terminal columns of the longest line.
    var width: Int {
        lines.enumerated().map { number, line in
            Self.sum(columns[line].map(\.width)) + (number > 0 ? Self.indent : 0)
        }.max() ?? 0
    }

    private static func sum(_ widths: [Int]) -> Int { widths.reduce(gap * (widths.count - 1), +) }

    /// Puts as many columns on each line as fit at their least widths; one that does not fit stands alone.
    private static func lines(
        of columns: [FittedTable.Column],
        _ widths: [Int],
        within width: Int
    ) -> [Range<Int>] {
        func least(_ place: Int) -> Int {
            columns[place].leastWidth.map { min($0, widths[place]) } ?? widths[place]
        }
        var lines: [Range<Int>] = []
        var start = 0
        var taken = 0
        for place in columns.indices {
            taken += least(place) + (place > start ? gap : 0)
            guard place > start, taken + (lines.isEmpty ? 0 : indent) > width else { continue }
            lines.append(start..<place)
            (start, taken) = (place, least(place))
        }
        return lines + [start..<columns.endIndex]
    }

    /// Narrows the columns of a line, those with file names first.
    ///
    /// Each time it narrows the column that has most to spare, so that the others stay whole.
    private static func narrow(
        _ widths: inout [Int],
        _ columns: [FittedTable.Column],
        _ line: Range<Int>,
        to width: Int
    ) {
        var excess = sum(Array(widths[line])) - width
        func spare(_ place: Int) -> Int {
            columns[place].leastWidth.map { widths[place] - $0 } ?? 0
        }
        let names = line.filter { columns[$0].hasFileNames }
        for places in [names, Array(line)] {
            while excess > 0, let widest = places.max(by: { spare($0) < spare($1) }),
                spare(widest) > 0
            {
                widths[widest] -= 1
                excess -= 1
            }
        }
        // A sentence is wrapped below itself.
        if excess > 0, line.count == 1, columns[line.lowerBound].isSentence {
            widths[line.lowerBound] = width
        }
    }
}
