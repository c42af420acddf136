internal import SeededRandom

/// Cells that are dark or light, some of which make a module.
struct NoCodeCells {
    let columns: Int
    let rows: Int
    /// Cells along the side of what a reader might take for a module.
    let perModule: Int
    private(set) var dark: [Bool]

    init(columns: Int, rows: Int, perModule: Int = 1) {
        self.columns = columns
        self.rows = rows
        self.perModule = perModule
        dark = [Bool](repeating: false, count: columns * rows)
    }

    /// Whether a cell is dark; what lies outside is not, and stays so.
    subscript(column: Int, row: Int) -> Bool {
        get {
            column >= 0 && row >= 0 && column < columns && row < rows
                && dark[row * columns + column]
        }
        set {
            guard column >= 0, row >= 0, column < columns, row < rows else { return }
            dark[row * columns + column] = newValue
        }
    }

    /// Asks for each cell.
    mutating func fill(_ isDark: (_ column: Int, _ row: Int) -> Bool) {
        for row in 0..<rows {
            for column in 0..<columns { self[column, row] = isDark(column, row) }
        }
    }

    /// Makes each cell dark by chance.
    mutating func fill(share: Double, using generator: inout SeededGenerator) {
        for index in dark.indices { dark[index] = generator.unit() < share }
    }

    /// Draws squares within squares.
    ///
    /// - Parameters:
    ///   - column: The left edge.
    ///   - row: The top edge.
    ///   - widths: How thick each ring is, from the outermost, the middle last; dark and light in turn.
    mutating func rings(_ column: Int, _ row: Int, widths: [Int]) {
        guard let middle = widths.last else { return }
        let side = 2 * widths.dropLast().reduce(0, +) + middle
        var edge = 0
        for (index, width) in widths.enumerated() {
            for y in edge..<side - edge {
                for x in edge..<side - edge { self[column + x, row + y] = index % 2 == 0 }
            }
            edge += width
        }
    }

    /// Draws a finder pattern with its light border.
    mutating func finder(_ column: Int, _ row: Int) {
        for y in -1...7 {
            for x in -1...7 { self[column + x, row + y] = false }
        }
        rings(column, row, widths: [1, 1, 3])
    }

    /// Draws circles around one middle, dark and light in turn from the innermost.
    mutating func circles(_ column: Double, _ row: Double, step: Double, count: Int) {
        for y in 0..<rows {
            for x in 0..<columns {
                let (right, down) = (Double(x) + 0.5 - column, Double(y) + 0.5 - row)
                let ring = Int((right * right + down * down).squareRoot() / step)
                if ring < count { self[x, y] = ring % 2 == 0 }
            }
        }
    }
}
