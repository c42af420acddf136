internal import SeededRandom
internal import TagDrawing
internal import TagPrinting

/// A symbol to be broken: its modules, and which of them hold codewords.
struct BreakableSymbol {
    let payload: [UInt8]
    private let symbol: QRSymbol
    /// Where the modules are that hold codewords.
    let data: [(column: Int, row: Int)]

    var side: Int { symbol.side }
    var version: Int { symbol.version }

    /// Makes a symbol of a tag, or of chance bytes.
    ///
    /// - Parameters:
    ///   - version: The smallest version.
    ///   - generator: Where its payload comes from.
    /// - Throws: `QRSymbolError` when it fits into no symbol.
    init(version: Int, using generator: inout SeededGenerator) throws {
        if generator.unit() < 0.5 {
            payload = TagPayload(using: &generator).bytes
        } else {
            let count = 4 + generator.number(below: 60)
            payload = (0..<count).map { _ in UInt8(generator.number(below: 256)) }
        }
        let corrections = QRSymbol.Correction.allCases
        let correction = corrections[generator.number(below: corrections.count)]
        let symbol = try QRSymbol(payload, correction: correction, version: version)
        self.symbol = symbol
        let fixed = FixedModules(version: symbol.version, side: symbol.side)
        data = (0..<symbol.side).flatMap { row in
            (0..<symbol.side).compactMap { column in
                fixed.contains(column: column, row: row) ? nil : (column, row)
            }
        }
    }

    /// Makes a symbol of a small version by chance.
    init(using generator: inout SeededGenerator) throws {
        try self.init(version: 1 + generator.number(below: 7), using: &generator)
    }

    /// The whole symbol.
    var cells: NoCodeCells {
        var cells = NoCodeCells(columns: side, rows: side)
        cells.fill { symbol.isDark(column: $0, row: $1) }
        return cells
    }
}

/// The modules that hold no codewords (ISO/IEC 18004): finder patterns with format and version beside
/// them, timing patterns and alignment patterns.
private struct FixedModules {
    let version: Int
    let side: Int
    let middles: [Int]

    init(version: Int, side: Int) {
        self.version = version
        self.side = side
        guard version > 1 else {
            middles = []
            return
        }
        let count = version / 7 + 2
        let step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        middles = [6] + (0..<count - 1).map { side - 7 - step * $0 }
    }

    func contains(column: Int, row: Int) -> Bool {
        let (right, bottom) = (side - 1 - column, side - 1 - row)
        if column < 9, row < 9 { return true }
        if right < 8, row < 9 { return true }
        if column < 9, bottom < 8 { return true }
        if column == 6 || row == 6 { return true }
        if version >= 7, min(column, row) < 6, max(column, row) >= side - 11 { return true }
        let across = middles.first { abs($0 - column) <= 2 }
        let down = middles.first { abs($0 - row) <= 2 }
        guard let across, let down else { return false }
        // Where there is a finder pattern there is no alignment pattern.
        let last = side - 7
        return ![(6, 6), (6, last), (last, 6)].contains { $0 == (across, down) }
    }
}

extension NoCodeKind {
    /// Draws a symbol that no honest reader can read, or reads right.
    func brokenSymbol(
        using generator: inout SeededGenerator
    ) throws -> (cells: NoCodeCells, originals: [[UInt8]]) {
        let symbol = try BreakableSymbol(using: &generator)
        var cells = symbol.cells
        let side = symbol.side
        switch self {
        case .randomCodewords:
            for (column, row) in symbol.data { cells[column, row] = generator.unit() < 0.5 }
            return (cells, [])
        case .shuffled:
            var places = symbol.data
            for index in places.indices.reversed() {
                places.swapAt(index, generator.number(below: index + 1))
            }
            let whole = cells
            for (from, to) in zip(places, symbol.data) {
                cells[to.column, to.row] = whole[from.column, from.row]
            }
            return (cells, [])
        case .blended:
            let other = try BreakableSymbol(version: symbol.version, using: &generator)
            guard other.side == side else { return try brokenSymbol(using: &generator) }
            let second = other.cells
            let edge = side / 2 + generator.number(below: 5) - 2
            let isByTurns = generator.unit() < 0.5
            for (column, row) in symbol.data where isByTurns ? generator.unit() < 0.5 : row > edge {
                cells[column, row] = second[column, row]
            }
            return (cells, [symbol.payload, other.payload])
        case .exchangedLines:
            let isAcross = generator.unit() < 0.5
            for _ in 0...generator.number(below: 8) {
                let (first, second) = (generator.number(below: side), generator.number(below: side))
                let whole = cells
                for place in 0..<side {
                    if isAcross {
                        cells[place, first] = whole[place, second]
                        cells[place, second] = whole[place, first]
                    } else {
                        cells[first, place] = whole[second, place]
                        cells[second, place] = whole[first, place]
                    }
                }
            }
        case .wrongMask:
            // The difference of two masks is what both of them leave.
            let masks = Self.masks
            let first = generator.number(below: masks.count)
            let second = (first + 1 + generator.number(below: masks.count - 1)) % masks.count
            for (column, row) in symbol.data
            where masks[first](column, row) != masks[second](column, row) {
                cells[column, row].toggle()
            }
        case .covered:
            let size = Int(Double(side) * generator.number(in: 0.35...0.75))
            let (left, top) = (generator.number(below: side), generator.number(below: side))
            let isDark = generator.unit() < 0.5
            for row in top - size / 2...top + size / 2 {
                for column in left - size / 2...left + size / 2 { cells[column, row] = isDark }
            }
        default:
            let share = generator.number(in: 0.12...0.5)
            for (column, row) in symbol.data where generator.unit() < share {
                cells[column, row] = generator.unit() < 0.5
            }
        }
        return (cells, [symbol.payload])
    }

    /// Which modules the masks 0 to 7 turn.
    private static let masks: [@Sendable (_ column: Int, _ row: Int) -> Bool] = [
        { ($0 + $1) % 2 == 0 }, { _, row in row % 2 == 0 }, { column, _ in column % 3 == 0 },
        { ($0 + $1) % 3 == 0 }, { ($0 / 3 + $1 / 2) % 2 == 0 },
        { $0 * $1 % 2 + $0 * $1 % 3 == 0 }, { ($0 * $1 % 2 + $0 * $1 % 3) % 2 == 0 },
        { (($0 + $1) % 2 + $0 * $1 % 3) % 2 == 0 },
    ]
}
