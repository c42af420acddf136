internal import SeededRandom

extension NoCodeKind {
    /// Draws what the picture shows.
    ///
    /// - Parameter generator: Where everything that is left open comes from.
    /// - Returns: The cells, and what broken symbols said.
    /// - Throws: `QRSymbolError` when a symbol that is to be broken cannot be made.
    func drawn(
        using generator: inout SeededGenerator
    ) throws -> (cells: NoCodeCells, originals: [[UInt8]]) {
        switch self {
        case .randomCodewords, .broken, .blended, .shuffled, .exchangedLines, .wrongMask, .covered:
            try brokenSymbol(using: &generator)
        case .dataMatrix, .aztec, .maxiCode, .microSymbol, .bars, .stackedBars:
            (otherCode(using: &generator), [])
        default: (pattern(using: &generator), [])
        }
    }

    private static func square(_ sides: ClosedRange<Int>, _ generator: inout SeededGenerator)
        -> NoCodeCells
    {
        let side = sides.lowerBound + generator.number(below: sides.count)
        return NoCodeCells(columns: side, rows: side)
    }

    private func pattern(using generator: inout SeededGenerator) -> NoCodeCells {
        var cells = Self.square(17...57, &generator)
        let (columns, rows) = (cells.columns, cells.rows)
        switch self {
        case .runs: cells.runs(using: &generator)
        case .clouds: cells.clouds(using: &generator)
        case .finders:
            cells.fill(share: generator.number(in: 0...0.6), using: &generator)
            for _ in 0...generator.number(below: 12) {
                cells.finder(
                    generator.number(below: columns - 7),
                    generator.number(below: rows - 7)
                )
            }
        case .wrongFinders:
            cells = NoCodeCells(columns: 2 * columns, rows: 2 * rows, perModule: 2)
            cells.fill(share: generator.number(in: 0...0.4), using: &generator)
            for _ in 0...generator.number(below: 8) {
                let (x, y) = (
                    generator.number(below: 2 * columns - 16),
                    generator.number(below: 2 * rows - 16)
                )
                let count = 2 + generator.number(below: 3)
                let widths = (0..<count).map { _ in 1 + generator.number(below: 4) }
                cells.rings(x, y, widths: widths + [2 + generator.number(below: 7)])
            }
            if generator.unit() < 0.4 {
                cells.circles(Double(columns), Double(rows), step: 2, count: 7)
            }
        case .threeFinders:
            // The side of a symbol, or one that no symbol has.
            let side = 21 + generator.number(below: 40)
            cells = NoCodeCells(columns: side, rows: side)
            cells.fill(share: generator.number(in: 0.3...0.7), using: &generator)
            for (x, y) in [(0, 0), (side - 7, 0), (0, side - 7)] { cells.finder(x, y) }
            for place in 8..<side - 8 where generator.unit() < 0.95 {
                cells[place, 6] = place % 2 == 0
                cells[6, place] = place % 2 == 0
            }
        case .crossword: cells.crossword(using: &generator)
        case .texture: cells.texture(using: &generator)
        case .maze: cells.maze(using: &generator)
        case .letters: cells.letters(using: &generator)
        default: cells.fill(share: generator.number(in: 0.2...0.8), using: &generator)
        }
        return cells
    }

    /// The look of other codes.
    private func otherCode(using generator: inout SeededGenerator) -> NoCodeCells {
        var cells = Self.square(18...48, &generator)
        let side = cells.columns
        cells.fill(share: 0.5, using: &generator)
        switch self {
        case .dataMatrix:
            for place in 0..<side {
                cells[0, place] = true
                cells[place, side - 1] = true
                cells[place, 0] = place % 2 == 0
                cells[side - 1, place] = place % 2 == 1
            }
        case .aztec:
            let rings = 4 + 2 * generator.number(below: 2)
            let start = side / 2 - rings
            cells.rings(start, start, widths: [Int](repeating: 1, count: rings) + [1])
        case .maxiCode:
            // Dots in rows, every other row half a dot farther, around circles.
            cells = NoCodeCells(columns: 120, rows: 132, perModule: 4)
            cells.fill { column, row in
                let shift = row / 4 % 2 == 0 ? 0 : 2
                return (column + shift) % 4 < 3 && row % 4 < 3
            }
            for row in 0..<33 {
                for column in 0..<30 where generator.unit() < 0.5 {
                    let shift = row % 2 == 0 ? 0 : 2
                    for y in 0..<4 {
                        for x in 0..<4 { cells[4 * column + x - shift, 4 * row + y] = false }
                    }
                }
            }
            cells.circles(60, 66, step: 4, count: 6)
        case .microSymbol:
            let side = 11 + 2 * generator.number(below: 4)
            cells = NoCodeCells(columns: side, rows: side)
            cells.fill(share: 0.5, using: &generator)
            for place in 0..<side {
                cells[place, 0] = place % 2 == 0
                cells[0, place] = place % 2 == 0
            }
            cells.finder(0, 0)
        case .bars:
            let row = (0..<side).map { _ in generator.unit() < 0.5 }
            cells.fill { column, _ in row[column] }
        default:
            for row in 0..<side where row % 3 != 0 {
                for column in 0..<side { cells[column, row] = cells[column, row - 1] }
            }
            for row in 0..<side {
                for (place, isDark) in [true, true, true, true, false, true, false].enumerated() {
                    cells[place, row] = isDark
                    cells[side - 1 - place, row] = isDark
                }
            }
        }
        return cells
    }
}

extension NoCodeCells {
    fileprivate mutating func runs(using generator: inout SeededGenerator) {
        let longest = 1 + generator.number(below: 6)
        let isAcross = generator.unit() < 0.5
        for line in 0..<(isAcross ? rows : columns) {
            var (left, isDark) = (0, generator.unit() < 0.5)
            for place in 0..<(isAcross ? columns : rows) {
                if left == 0 { (left, isDark) = (1 + generator.number(below: longest), !isDark) }
                left -= 1
                if isAcross { self[place, line] = isDark } else { self[line, place] = isDark }
            }
        }
    }

    fileprivate mutating func clouds(using generator: inout SeededGenerator) {
        let grain = 2 + generator.number(below: 6)
        let across = columns / grain + 2
        let heights = (0..<across * (rows / grain + 2)).map { _ in generator.unit() }
        fill { column, row in
            let (x, y) = (
                Double(column % grain) / Double(grain), Double(row % grain) / Double(grain)
            )
            let index = row / grain * across + column / grain
            let upper = mix(heights[index], heights[index + 1], x)
            let lower = mix(heights[index + across], heights[index + across + 1], x)
            return mix(upper, lower, y) < 0.5
        }
    }

    fileprivate mutating func crossword(using generator: inout SeededGenerator) {
        // Fields of four cells with lines around them, alike when turned half around.
        let fields = 9 + generator.number(below: 7)
        self = NoCodeCells(columns: 5 * fields + 1, rows: 5 * fields + 1, perModule: 2)
        var black = [Bool](repeating: false, count: fields * fields)
        for index in 0..<fields * fields / 2 where generator.unit() < 0.2 {
            black[index] = true
            black[fields * fields - 1 - index] = true
        }
        let letters = (0..<fields * fields).map { _ in generator.unit() < 0.3 }
        let dots = (0..<16).map { _ in generator.unit() < 0.5 }
        fill { column, row in
            if column % 5 == 0 || row % 5 == 0 { return true }
            let index = row / 5 * fields + column / 5
            return black[index]
                || letters[index] && dots[(4 * (row % 5 - 1) + column % 5 - 1 + index) % 16]
        }
    }

    fileprivate mutating func texture(using generator: inout SeededGenerator) {
        let (first, second) = (2 + generator.number(below: 7), 2 + generator.number(below: 7))
        switch generator.number(below: 6) {
        case 0: fill { column, row in (column / first + row / second) % 2 == 0 }
        case 1: fill { column, row in (column + row) % (first + 1) < second }
        case 2: fill { column, row in column % first == 0 || row % second == 0 }
        case 3: fill { column, row in column % first < 2 && row % second < 2 }
        case 4:
            fill { column, row in
                (column + row / first % 2 * second) % (2 * second) == 0 || row % first == 0
            }
        default:
            let (middle, centre) = (columns / 2, rows / 2)
            fill { column, row in max(abs(column - middle), abs(row - centre)) % 2 == 0 }
        }
    }

    /// Walls between fields, each of which has one that leads up or left.
    fileprivate mutating func maze(using generator: inout SeededGenerator) {
        fill { column, row in column % 2 == 0 || row % 2 == 0 }
        for row in stride(from: 1, to: rows, by: 2) {
            for column in stride(from: 1, to: columns, by: 2) {
                self[column, row] = false
                if generator.unit() < 0.5 && column > 1 || row == 1 {
                    self[column - 1, row] = false
                } else {
                    self[column, row - 1] = false
                }
            }
        }
    }

    /// Small marks in lines, like letters from afar.
    fileprivate mutating func letters(using generator: inout SeededGenerator) {
        for line in stride(from: 1, to: rows - 6, by: 8) {
            for column in stride(from: 1, to: columns - 4, by: 5) where generator.unit() < 0.85 {
                for y in 0..<6 {
                    for x in 0..<4 where generator.unit() < (x == 0 || y % 3 == 0 ? 0.8 : 0.2) {
                        self[column + x, line + y] = true
                    }
                }
            }
        }
    }
}
