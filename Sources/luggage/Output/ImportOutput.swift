internal import LuggageTags
internal import ProgramSupport

/// Writes for a person what came of an imported file.
struct ImportOutput {
    /// The name of the file.
    let file: String

    init(file: String) {
        self.file = file
    }

    /// Writes the numbers to standard output, and what was refused to standard error.
    func write(_ report: ImportReport) throws {
        for refusal in report.refusals {
            let place = place(refusal.record, refusal.line, refusal.kind)
            StandardError.line("luggage: \(place): \(refusal.error.message); \(refusal.remedy)")
        }
        let told = report.refusals.count { $0.record != nil }
        if report.refusedRecords > told {
            let more = (report.refusedRecords - told).counted("record")
            StandardError.line("luggage: \(more) more refused")
        }
        for standing in report.standing {
            let place = place(standing.record, standing.line, .bag)
            StandardError.line("luggage: \(place): \(standing.message)")
        }
        let tallies = [
            ("bags", report.bags), ("passengers", report.passengers), ("scans", report.scans),
            ("unknown", .init(refused: report.refusedUnknown)),
        ].filter { $0.1.total > 0 }
        if !tallies.isEmpty { try write(tallies) }
        let sentence: String? =
            if report.isClean && tallies.isEmpty {
                "there are no records in \(file.onOneLine)"
            } else if !report.isKept {
                "nothing of \(file.onOneLine) was kept"
            } else if !report.isClean {
                "\(file.onOneLine) was kept in part"
            } else {
                nil
            }
        guard let sentence else { return }
        if !tallies.isEmpty { try StandardOutput.line("") }
        try StandardOutput.line(sentence)
    }

    private func write(_ tallies: [(name: String, tally: ImportReport.Tally)]) throws {
        let numbers = ["NEW", "UPDATED", "CHANGED", "REPEATED", "REFUSED"]
        let cells = tallies.map { name, tally in
            let numbers = [
                tally.new, tally.updated, tally.changed, tally.repeated, tally.refused,
            ]
            return ([name] + numbers.map(String.init)).map { FittedTable.Cell($0) }
        }
        let table = FittedTable(
            [.init(heading: "")]
                + numbers.map { .init(heading: $0, isRightAligned: true) },
            rows: cells,
            on: .current
        )
        try StandardOutput.line(table.heading)
        for row in cells { try StandardOutput.line(table.line(row)) }
    }

    private func place(_ record: Int?, _ line: Int?, _ kind: RecordKind?) -> String {
        var words = file.onOneLine
        if let line { words += ", line \(line)" }
        if let record { words += ", \(kind.map { "\($0.rawValue), " } ?? "")record \(record)" }
        return words
    }
}
