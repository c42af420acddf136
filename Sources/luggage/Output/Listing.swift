internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

enum ListFormat: String, CaseIterable {
    /// For people.
    case table
    /// One JSON array.
    case json
    /// One JSON object on each line.
    case jsonl
    /// Comma-separated values with a header.
    case csv
}

struct ListColumn<Row> {
    /// The word with which the user chooses it.
    let name: String
    let column: FittedTable.Column
    /// Its header in CSV.
    let field: String
    /// Returns what people see of a row.
    let cell: (Row) -> FittedTable.Cell
    /// Returns what programs get of a row.
    let value: (Row) -> String

    init(
        _ name: String,
        _ heading: String? = nil,
        isRightAligned: Bool = false,
        leastWidth: Int? = nil,
        hasFileNames: Bool = false,
        usualWidth: Int = 0,
        field: String? = nil,
        value: @escaping (Row) -> String,
        cell: @escaping (Row) -> FittedTable.Cell
    ) {
        self.name = name
        column = FittedTable.Column(
            heading: heading ?? name.uppercased(),
            isRightAligned: isRightAligned,
            leastWidth: leastWidth,
            hasFileNames: hasFileNames,
            usualWidth: usualWidth
        )
        self.field = field ?? name
        self.value = value
        self.cell = cell
    }
}

extension ListColumn {
    private init(
        _ name: String,
        _ column: FittedTable.Column,
        _ field: String,
        _ value: @escaping (Row) -> String,
        _ cell: @escaping (Row) -> FittedTable.Cell
    ) {
        self.name = name
        self.column = column
        self.field = field
        self.value = value
        self.cell = cell
    }

    /// The same column for a row type that contains this one.
    func lifted<Whole>(_ part: @escaping (Whole) -> Row) -> ListColumn<Whole> {
        ListColumn<Whole>(name, column, field, { value(part($0)) }, { cell(part($0)) })
    }
}

/// Writes a list row by row, in any format; keeps little of a long list in memory.
struct Listing<Row: Encodable> {
    /// How many rows of a table are collected before its column widths are fixed.
    private static var preview: Int { 5000 }

    let format: ListFormat
    private(set) var columns: [ListColumn<Row>]
    /// Fewer columns with the same content, for terminals that would cut the others.
    private let narrow: [ListColumn<Row>]?
    let terminal: Terminal
    /// Whether more, unknown rows will come.
    private let isOpen: Bool
    /// Gets the first rows before their cells are made.
    private let prepare: ([Row]) -> Void

    private(set) var count = 0
    private var first: [Row]? = []
    private var table: FittedTable?
    private var output = OutputBuffer()
    private let json: (Row) throws -> [UInt8]

    init(
        _ format: ListFormat,
        _ columns: [ListColumn<Row>],
        narrow: [ListColumn<Row>]? = nil,
        on terminal: Terminal = .current,
        isOpen: Bool = false,
        json: ((Row) throws -> [UInt8])? = nil,
        prepare: @escaping ([Row]) -> Void = { _ in }
    ) {
        self.format = format
        self.columns = columns
        self.narrow = narrow
        self.terminal = terminal
        self.isOpen = isOpen
        let encoder = JSONEncoder.forReports()
        self.json = json ?? { Array(try encoder.encode($0)) }
        self.prepare = prepare
    }

    /// Writes rows, or keeps them until the table's widths are fixed.
    mutating func write(_ rows: [Row]) throws {
        switch format {
        case .table:
            if first != nil {
                first?.append(contentsOf: rows)
                count += rows.count
                if let first, first.count >= Self.preview { try layOut(first) }
                return
            }
            for row in rows { try writeLine(row) }
        case .json:
            for (place, row) in rows.enumerated() {
                try output.write(Array((count + place == 0 ? "[\n" : ",\n").utf8))
                try output.write(json(row))
            }
        case .jsonl:
            for row in rows {
                try output.write(json(row) + [UInt8(ascii: "\n")])
            }
        case .csv:
            if count == 0 { try writeHeader() }
            for row in rows { try output.line(ofValues: columns.map { seen($0.value(row)) }) }
        }
        count += rows.count
    }

    /// Writes the rest, and the end of a list.
    ///
    /// - Parameter sentence: Returns the sentence after a table, given the number of rows.
    /// - Throws: ``OutputClosed`` if nobody reads any more, or ``Failure``.
    mutating func end(_ sentence: ((Int) -> String)? = nil) throws {
        switch format {
        case .table:
            if let first, !first.isEmpty { try layOut(first) }
            if let sentence {
                if count > 0 { try output.line("") }
                try output.line(sentence(count))
            }
        case .json: try output.line(count == 0 ? "[]" : "\n]")
        case .jsonl: break
        case .csv: if count == 0 { try writeHeader() }
        }
        try output.flush()
    }

    /// Writes all rows so far, for a reader who waits for them.
    mutating func flush() throws {
        if format == .table, let first { try layOut(first) }
        try output.flush()
    }

    private mutating func layOut(_ rows: [Row]) throws {
        prepare(rows)
        var (cells, table) = fitted(rows)
        if table.cutsWords, let narrow {
            columns = narrow
            (cells, table) = fitted(rows)
        }
        try output.line(table.heading)
        for row in cells { try output.line(row, of: table) }
        self.table = table
        first = nil
    }

    private func fitted(_ rows: [Row]) -> ([[FittedTable.Cell]], FittedTable) {
        let cells = rows.map { row in columns.map { $0.cell(row) } }
        let table = FittedTable(columns.map(\.column), rows: cells, isOpen: isOpen, on: terminal)
        return (cells, table)
    }

    private mutating func writeLine(_ row: Row) throws {
        guard let table else { return }
        try output.line(columns.map { $0.cell(row) }, of: table)
    }

    /// A value for programs; on a terminal, without what could steer it.
    private func seen(_ value: String) -> String {
        terminal.isSeen ? value.onOneLine : value
    }

    private mutating func writeHeader() throws {
        try output.line(ofValues: columns.map(\.field))
    }
}
