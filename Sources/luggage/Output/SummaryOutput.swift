internal import FoundationEssentials
internal import LuggageTags

/// Writes a summary for a person; on a terminal with bars, which add no information.
struct SummaryOutput {
    private static let longestBar = 30

    let summary: RecordSummary
    let units: MassUnit
    let terminal: Terminal

    private var output = OutputBuffer()

    init(_ summary: RecordSummary, in units: MassUnit, on terminal: Terminal = .current) {
        self.summary = summary
        self.units = units
        self.terminal = terminal
    }

    /// Writes the whole summary.
    mutating func write() throws {
        let until = summary.until.map { " until \($0.local)" } ?? ""
        let since = summary.since.map { "since \($0.local)" } ?? "since the beginning"
        try line("Scans \(since)\(until): \(summary.scans)", .strong)
        let (read, given) = (summary.filed - summary.typed, summary.scans - summary.typed)
        if given > 0 {
            let rate = read.percentage(of: given)
            try line("Read rate \(rate): \(read) of \(given) scans belong to a bag")
        }
        if summary.typed > 0 {
            try line("Typed by hand, because no reader read them: \(summary.typed)")
        }
        if summary.purged > 0 {
            try line("\(summary.purged) of them were purged: only their number is on record")
        }
        if !summary.places.isEmpty { try writePlaces() }
        if !summary.failures.isEmpty { try writeFailures() }
        try writeMissing()
        try output.flush()
    }

    private mutating func writePlaces() throws {
        let rows = summary.places.map { place in
            [
                place.station, place.point.rawValue, "\(place.scans)",
                (place.filed - place.typed).percentage(of: place.scans - place.typed),
            ]
        }
        try table(
            [
                .init(heading: "STATION", leastWidth: 10), .init(heading: "POINT"),
                .init(heading: "SCANS", isRightAligned: true),
                .init(heading: "READ", isRightAligned: true),
            ],
            rows,
            bars: summary.places.map { ($0.scans, .good) }
        )
    }

    private mutating func writeFailures() throws {
        try table(
            [
                .init(heading: "NOT READ, BECAUSE", leastWidth: 8),
                .init(heading: "SCANS", isRightAligned: true),
            ],
            summary.failures.map { [$0.reason.isEmpty ? "-" : $0.reason, "\($0.count)"] },
            bars: summary.failures.map { ($0.count, .bad) }
        )
    }

    private mutating func writeMissing() throws {
        try output.line("")
        guard summary.missing > 0 else { return try line("No bag is missing") }
        let oldest = summary.oldestMissing.count
        let words = oldest < summary.missing ? "; these are the oldest" : ""
        try line("\(summary.missing.counted("bag")) missing\(words)", .strong)
        let columns = LuggageColumns(units: units)
        columns.identifiers.prepare(summary.oldestMissing.map(\.id))
        let chosen = columns.columns(LuggageColumns.ofMissing)
        let cells = summary.oldestMissing.map { report in chosen.map { $0.cell(report) } }
        let table = FittedTable(chosen.map(\.column), rows: cells, on: terminal)
        try output.line(table.heading)
        for row in cells { try output.line(row, of: table) }
    }

    /// Writes a table with a bar after each line, if the terminal has room for it.
    private mutating func table(
        _ columns: [FittedTable.Column],
        _ rows: [[String]],
        bars: [(value: Int, tone: Tone)]
    ) throws {
        var cells = rows.map { $0.map { FittedTable.Cell($0) } }
        var columns = columns
        let plain = FittedTable(columns, rows: cells, on: terminal)
        let room = (terminal.width ?? 0) - plain.width - 2
        let greatest = bars.map(\.value).max() ?? 0
        if room >= 5, greatest > 0, !plain.hasFurtherLines {
            let longest = min(room, Self.longestBar)
            columns.append(.init(heading: "", leastWidth: 0))
            for (place, bar) in bars.enumerated() {
                // Every number but 0 has a visible bar.
                let length = max(1, (bar.value * longest + greatest / 2) / greatest)
                cells[place].append(
                    .init(String(repeating: "#", count: bar.value == 0 ? 0 : length), bar.tone)
                )
            }
        }
        let table = FittedTable(columns, rows: cells, on: terminal)
        try output.line("")
        try output.line(table.heading)
        for row in cells { try output.line(row, of: table) }
    }

    private mutating func line(_ text: String, _ tone: Tone? = nil) throws {
        try output.line(terminal.paint(terminal.wrap(text), tone))
    }
}
