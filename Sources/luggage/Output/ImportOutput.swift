internal import LuggageTags
internal import ProgramSupport

/// Writes for a person what came of an imported file.
struct ImportOutput {
    /// The name of the file.
    let file: String

    private let table = TextTable(columns: [
        .init(heading: "", width: 10),
        .init(heading: "NEW", width: 8, isRightAligned: true),
        .init(heading: "UPDATED", width: 8, isRightAligned: true),
        .init(heading: "CHANGED", width: 8, isRightAligned: true),
        .init(heading: "REPEATED", width: 8, isRightAligned: true),
        .init(heading: "REFUSED", width: 8, isRightAligned: true),
    ])

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
        ].filter { $0.1.total > 0 }
        if !tallies.isEmpty { try StandardOutput.line(table.heading) }
        for (name, tally) in tallies {
            let numbers = [
                tally.new, tally.updated, tally.changed, tally.repeated, tally.refused,
            ]
            try StandardOutput.line(table.row([name] + numbers.map(String.init)))
        }
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

    private func place(_ record: Int?, _ line: Int?, _ kind: RecordKind?) -> String {
        var words = file.onOneLine
        if let line { words += ", line \(line)" }
        if let record { words += ", \(kind.map { "\($0.rawValue), " } ?? "")record \(record)" }
        return words
    }
}
