internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport

/// Writes the results of an import for a person.
struct ImportOutput {
    /// The name of the file.
    let file: String

    /// Writes the numbers to standard output, and the refusals to standard error.
    func write(_ report: ImportReport) throws {
        for refusal in report.refusals {
            let place = place(refusal.record, refusal.line, refusal.kind)
            StandardError.complain(
                "luggage",
                "\(place): \(refusal.error.message); \(refusal.remedy)"
            )
        }
        let told = report.refusals.count { $0.record != nil }
        if report.refusedRecords > told {
            let more = (report.refusedRecords - told).counted("record")
            StandardError.complain("luggage", "\(more) more refused")
        }
        writeStanding(of: report, .bag)
        let tallies = [
            ("bags", report.bags), ("passengers", report.passengers), ("scans", report.scans),
            ("facts", report.facts),
            ("unknown", .init(refused: report.refusedUnknown)),
        ].filter { $0.1.total > 0 }
        if !tallies.isEmpty { try write(tallies) }
        let sentence: String? =
            if report.isClean && tallies.isEmpty {
                "there are no records in \(file.onOneLine)"
            } else if !report.isKept {
                "nothing of \(file.onOneLine) was kept"
            } else if !report.isClean && !report.hasAdded {
                "nothing of \(file.onOneLine) is new: what was not refused was on record"
            } else if !report.isClean {
                "\(file.onOneLine) was kept in part"
            } else {
                nil
            }
        let sentences = [sentence, purge(report.purged)].compactMap(\.self)
        if !tallies.isEmpty && !sentences.isEmpty { try StandardOutput.line("") }
        for sentence in sentences { try StandardOutput.line(Terminal.current.wrap(sentence)) }
    }

    /// Writes to standard error what was not taken though nothing is wrong with it.
    func writeStanding(of report: ImportReport, _ kind: RecordKind?) {
        for standing in report.standing {
            let place = place(standing.record, standing.line, kind)
            StandardError.complain("luggage", "\(place): \(standing.message)")
        }
    }

    /// The sentence about what was purged here as elsewhere; nil if nothing was.
    private func purge(_ purged: ImportReport.Purged) -> String? {
        let parts = [
            (purged.bags, purged.bags.counted("bag")),
            (purged.names, "the names of " + purged.names.counted("bag")),
            (purged.pictures, "what " + purged.pictures.counted("failed picture") + " showed"),
            (purged.remarks, purged.remarks.counted("remark")),
        ].filter { $0.0 > 0 }.map(\.1)
        if parts.isEmpty { return nil }
        return
            "purged here too, as elsewhere: \(parts.joined(separator: ", ")); `luggage undo` does "
            + "not bring that back"
    }

    private func write(_ tallies: [(name: String, tally: ImportReport.Tally)]) throws {
        let numbers: [(name: String, of: (ImportReport.Tally) -> Int)] = [
            ("NEW", \.new), ("UPDATED", \.updated), ("CHANGED", \.changed),
            ("REPEATED", \.repeated), ("REFUSED", \.refused),
        ]
        var headings = numbers.map(\.name)
        var rows = tallies.map { tally in
            [tally.name] + numbers.map { "\($0.of(tally.tally))" }
        }
        if Self.table(headings, rows).hasFurtherLines {
            // There are fewer kinds of records than numbers for each kind.
            headings = tallies.map { $0.name.uppercased() }
            rows = numbers.map { number in
                [number.name.lowercased()] + tallies.map { "\(number.of($0.tally))" }
            }
        }
        let table = Self.table(headings, rows)
        try StandardOutput.line(table.heading)
        for row in rows { try StandardOutput.line(table.line(row.map { .init($0) })) }
    }

    private static func table(_ headings: [String], _ rows: [[String]]) -> FittedTable {
        FittedTable(
            [.init(heading: "")] + headings.map { .init(heading: $0, isRightAligned: true) },
            rows: rows.map { $0.map { FittedTable.Cell($0) } },
            on: .current
        )
    }

    private func place(_ record: Int?, _ line: Int?, _ kind: RecordKind?) -> String {
        var words = file.onOneLine
        if let line { words += ", line \(line)" }
        if let record { words += ", \(kind.map { "\($0.rawValue), " } ?? "")record \(record)" }
        return words
    }
}
