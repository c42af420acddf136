/// How wide the columns of a table are, and what of their cells fits into them.
struct TableLayout {
    /// How the cells of a column are laid out.
    struct Column {
        let width: Int
        let isRightAligned: Bool
        let staysWhole: Bool
        let hasFileNames: Bool

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
            let text =
                hasFileNames && !cell.hasWords
                ? cell.text.cutInFront(toWidth: most) : cell.text.cut(toWidth: most)
            return (text, text.displayWidth)
        }
    }

    /// How many spaces stand between two columns.
    static let gap = 2

    let columns: [Column]
    /// Whether something other than the names of files is cut.
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
        if let width { Self.narrow(&widths, columns, to: width) }
        let hasRoom = Self.sum(widths) <= width ?? .max
        cutsWords =
            !hasRoom
            || columns.indices.contains { !columns[$0].hasFileNames && widths[$0] < whole[$0] }
        self.columns = zip(columns, widths).map { column, width in
            Column(
                width: width,
                isRightAligned: column.isRightAligned,
                staysWhole: column.leastWidth == nil,
                hasFileNames: column.hasFileNames
            )
        }
    }

    /// The number of columns of a terminal that all of them take.
    var width: Int { Self.sum(columns.map(\.width)) }

    private static func sum(_ widths: [Int]) -> Int { widths.reduce(gap * (widths.count - 1), +) }

    /// Takes from the columns first that have most to give, so that the others stay whole; before them,
    /// from those with names of files.
    private static func narrow(
        _ widths: inout [Int],
        _ columns: [FittedTable.Column],
        to width: Int
    ) {
        var excess = sum(widths) - width
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
}
