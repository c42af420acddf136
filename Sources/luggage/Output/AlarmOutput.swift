internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// Writes alarms for a person, a line for each.
struct AlarmOutput {
    private let terminal = Terminal.current
    private var output = OutputBuffer()

    /// Writes a table.
    ///
    /// - Parameters:
    ///   - alarms: The alarms; nothing is written if there are none.
    ///   - withNotes: Whether to tell who has taken note of each.
    /// - Throws: ``OutputClosed`` if nobody reads any more, or ``Failure``.
    mutating func write(_ alarms: [Alarm], withNotes: Bool = false) throws {
        if alarms.isEmpty { return }
        let (identifiers, times) = (ShortIdentifiers(), LocalTimes())
        identifiers.prepare(alarms.map(\.id))
        let rows = alarms.map { alarm in
            let note = alarm.note
            var cells = [
                FittedTable.Cell(identifiers.text(alarm.id), note == nil ? .bad : .faint),
                FittedTable.Cell(times.text(alarm.since), isTime: true),
                FittedTable.Cell(alarm.words(times.text)),
            ]
            if withNotes {
                let words = note.map { note in note.author + (note.reason.map { ": \($0)" } ?? "") }
                cells.insert(FittedTable.Cell(words ?? "-"), at: 2)
            }
            return cells
        }
        var columns = [
            FittedTable.Column(heading: "ALARM"),
            FittedTable.Column(heading: "SINCE", leastWidth: 16),
            FittedTable.Column(heading: "WHAT IS WRONG", isSentence: true),
        ]
        if withNotes {
            columns.insert(FittedTable.Column(heading: "NOTED BY", leastWidth: 10), at: 2)
        }
        let table = FittedTable(columns, rows: rows, on: terminal)
        try output.line(table.heading)
        for row in rows { try output.line(row, of: table) }
        try output.line("")
    }

    /// Writes a sentence after the table, and everything that was not written yet.
    mutating func end(_ sentence: String) throws {
        try output.line(sentence)
        try output.flush()
    }
}
