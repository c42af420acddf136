internal import LuggageTags
internal import ProgramSupport

/// Reports on scans as they come, and a summary in the end.
struct ScanOutput {
    /// Whether everything was filed so far.
    private(set) var isComplete = true

    private let format: OutputFormat
    private let table = TextTable(columns: [
        .init(heading: "OUTCOME", width: 10),
        .init(heading: "BAG", width: 8),
        .init(heading: "OWNER", width: 8),
        .init(heading: "WEIGHT", width: 8, isRightAligned: true),
        .init(heading: "PICTURE", width: 0),
    ])
    private var progress: Progress
    private let pictures: Int
    private var done = 0
    private var counts: [Outcome: Int] = [:]
    /// Why nothing more can be written: the pictures are filed all the same.
    private var failure: Failure?

    init(format: OutputFormat, pictures: Int) {
        self.format = format
        self.pictures = pictures
        progress = Progress(total: pictures)
    }

    /// Writes the reports on one picture.
    mutating func write(_ reports: [ScanReport]) throws {
        progress.hide()
        for report in reports {
            if failure == nil {
                do {
                    try write(report)
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

    private func write(_ report: ScanReport) throws {
        switch format {
        case .json: try StandardOutput.jsonLine(report)
        case .table:
            if counts.isEmpty { try StandardOutput.line(table.heading) }
            try StandardOutput.line(table.row(cells(of: report)))
        }
    }

    /// Takes the progress away.
    mutating func end() {
        progress.hide()
    }

    /// Writes how many of what there were; beside JSON it goes to a person who watches.
    ///
    /// - Throws: ``Failure`` also where something before could not be written.
    mutating func summarize(passedOver: Int, isDryRun: Bool) throws {
        progress.hide()
        if let failure { throw failure }
        let total = counts.values.reduce(0, +)
        let parts = Outcome.allCases.compactMap { outcome in
            counts[outcome].map { "\($0) \(outcome.rawValue)" }
        }
        var line = "\(pictures.counted("picture")), \(total.counted("result")): "
        line += parts.joined(separator: ", ")
        if passedOver > 0 { line += "; \(passedOver.counted("other file")) passed over" }
        if isDryRun { line += " (nothing was filed: dry run)" }
        switch format {
        case .table: try StandardOutput.line("\n" + line)
        case .json: if StandardError.isTerminal { StandardError.line(line) }
        }
    }

    private func cells(of report: ScanReport) -> [String] {
        let luggage = report.luggage
        let problem = report.error.map { ": \($0.message)" } ?? ""
        return [
            report.outcome.rawValue,
            luggage?.id.short ?? "-",
            luggage?.owner?.name.description ?? "-",
            luggage?.weight.pounds ?? "-",
            report.image + problem,
        ]
    }
}
