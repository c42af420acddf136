internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport

/// Writes reports on scans as they come, and a summary at the end.
struct ScanOutput {
    /// Whether everything so far was filed.
    private(set) var isComplete = true

    private let format: OutputFormat
    private let units: MassUnit
    private let terminal = Terminal.current
    private let table: FittedTable
    /// The same table without a limit of its width.
    private let wideTable: FittedTable
    private var progress: Progress
    /// The word for what the tags are in: a picture or a payload.
    private let noun: String
    private var done = 0
    private var counts: [Outcome: Int] = [:]
    /// How many pictures show, beside tags, something that looks like one and could not be read.
    private var withUnread = 0
    /// Why nothing more can be written; the pictures are still filed.
    private var failure: Failure?

    /// Begins.
    ///
    /// - Parameters:
    ///   - noun: The word for what the tags are in.
    ///   - count: How many of them will come, for a progress bar; 0 if nobody knows.
    ///   - format: The format.
    ///   - units: The unit of weights.
    init(of noun: String, count: Int, format: OutputFormat, units: MassUnit) {
        self.noun = noun
        self.format = format
        self.units = units
        progress = Progress(total: count)
        // Nothing is known of later rows, so the columns have their usual widths.
        let columns: [FittedTable.Column] = [
            .init(heading: "OUTCOME", usualWidth: 10), .init(heading: "BAG", usualWidth: 8),
            .init(heading: "OWNER", usualWidth: 8),
            .init(heading: "WEIGHT", isRightAligned: true, usualWidth: 8),
            .init(heading: noun.uppercased(), hasFileNames: true, usualWidth: 16),
        ]
        table = FittedTable(columns, rows: [], isOpen: true, on: terminal)
        wideTable = FittedTable(columns, rows: [], isOpen: true, on: .none)
    }

    /// Writes the reports on one picture or payload.
    mutating func write(_ reports: [ScanReport]) throws {
        progress.hide()
        if reports.first?.unreadRemark != nil { withUnread += 1 }
        for (index, report) in reports.enumerated() {
            if failure == nil {
                do {
                    try write(report, isLast: index == reports.count - 1)
                } catch let failure as Failure {
                    self.failure = failure
                }
            }
            counts[report.outcome, default: 0] += 1
            if !report.outcome.isFiled { isComplete = false }
        }
        done += 1
        progress.show(done)
    }

    /// Writes a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - isLast: Whether it is the last one on its picture, in whose row people read of the rest.
    /// - Throws: ``Failure``.
    private func write(_ report: ScanReport, isLast: Bool) throws {
        switch format {
        case .json: try StandardOutput.jsonLine(report)
        case .table:
            if counts.isEmpty { try StandardOutput.line(table.heading) }
            for line in lines(of: report, isLast: isLast) { try StandardOutput.line(line) }
        }
    }

    /// Removes the progress bar.
    mutating func end() {
        progress.hide()
    }

    /// Writes how many results of each outcome there were; with JSON, only to a person who watches.
    ///
    /// - Throws: ``Failure``, also if an earlier report could not be written.
    mutating func summarize(passedOver: Int, isDryRun: Bool) throws {
        progress.hide()
        if let failure { throw failure }
        let total = counts.values.reduce(0, +)
        let parts = Outcome.allCases.compactMap { outcome in
            counts[outcome].map { "\($0) \(outcome.rawValue)" }
        }
        var line = "\(done.counted(noun)), \(total.counted("result"))"
        if !parts.isEmpty { line += ": " + parts.joined(separator: ", ") }
        if withUnread > 0 {
            line += "; in \(withUnread.counted("picture")) something else looks like a tag"
        }
        if passedOver > 0 { line += "; \(passedOver.counted("other file")) passed over" }
        if isDryRun { line += " (nothing was filed: dry run)" }
        switch format {
        case .table:
            try StandardOutput.line("\n" + terminal.wrap(line))
        case .json: if StandardError.isTerminal { StandardError.line(line) }
        }
    }

    /// The row of a report; the problem goes below it if there is no room after the name.
    private func lines(of report: ScanReport, isLast: Bool) -> [String] {
        let luggage = report.luggage
        let cells = [
            report.outcome.rawValue, luggage?.id.short ?? "-",
            luggage?.owner?.name.description ?? "-", luggage?.weight?.text(in: units) ?? "-",
        ].map { FittedTable.Cell($0) }
        let time = report.implausibleTime.map {
            "its file is from \($0.local), which is too early for a bag, so it counts as taken now"
        }
        let problems = [
            report.error?.message, report.misroutedRemark, time, isLast ? report.unreadRemark : nil,
        ]
        .compactMap(\.self)
        let problem = problems.joined(separator: "; ")
        if problem.isEmpty {
            return [table.line(cells + [.init(report.image)])]
        }
        let line = wideTable.line(cells + [.init("\(report.image): \(problem)")])
        guard let width = terminal.width, line.displayWidth > width else { return [line] }
        return [
            table.line(cells + [.init(report.image)]), terminal.wrap(problem.onOneLine, indent: 2),
        ]
    }
}
