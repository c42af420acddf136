/// How wide the columns of a table are, what of their cells fits into them, and which of them stand on
/// further lines of a row where a terminal has no room for all on one.
struct TableLayout {
    /// How the cells of a column are laid out.
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
        ///   - room: How many columns are left on the terminal; nil where nobody sees how many there are,
        ///     so that nothing is cut.
        /// - Returns: As much of its text as fits, and the number of columns that it takes.
        func fit(_ cell: FittedTable.Cell, into room: Int?) -> (text: String, width: Int) {
            guard let room else { return (cell.text, cell.width) }
            // Columns that may not be cut are so where the terminal is narrower still.
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

    /// How many spaces stand between two columns.
    static let gap = 2
    /// How many spaces stand in front of a further line of a row.
    static let indent = 2

    let columns: [Column]
    /// Which columns stand on which line of a row.
    let lines: [Range<Int>]
    /// Whether something other than the names of files is cut, or stands on a further line.
    let cutsWords: Bool

    /// Finds the widths.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The rows, or the first ones.
    ///   - isOpen: Whether more rows will come, of which nothing is known yet.
    ///   - width: How many columns the terminal has; nil where that does not count.
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

    /// The number of columns of a terminal that the longest line takes.
    var width: Int {
        lines.enumerated().map { number, line in
            Self.sum(columns[line].map(\.width)) + (number > 0 ? Self.indent : 0)
        }.max() ?? 0
    }

    private static func sum(_ widths: [Int]) -> Int { widths.reduce(gap * (widths.count - 1), +) }

    /// Puts as many columns on each line as have room at their least widths; a column that has none
    /// stands alone.
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

    /// Takes from the columns of a line first that have most to give, so that the others stay whole;
    /// before them, from those with names of files.
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
        // A sentence goes on below itself.
        if excess > 0, line.count == 1, columns[line.lowerBound].isSentence {
            widths[line.lowerBound] = width
        }
    }
}
