internal import LuggageTags
internal import ObjectStore

/// The columns for lists of changes that may be taken back or brought back.
enum ChangeColumns {
    /// All columns, and those for a narrow terminal.
    static func make(
        _ turning: Turning,
        in units: MassUnit
    ) -> (all: [ListColumn<RecordChange>], narrow: [ListColumn<RecordChange>]) {
        let times = LocalTimes()
        var all = [
            ListColumn<RecordChange>("number", isRightAligned: true, value: { "\($0.number)" }) {
                .init("\($0.number)")
            },
            ListColumn("made", leastWidth: 16, value: \.date.reportText) {
                .init(times.text($0.date), isTime: true)
            },
            ListColumn("bag") {
                $0.bag?.text ?? ""
            } cell: {
                .init($0.bag?.short ?? "-")
            },
            ListColumn("what", leastWidth: 30) {
                $0.words(in: units)
            } cell: {
                .init($0.words(in: units))
            },
            ListColumn("picture", leastWidth: 7, hasFileNames: true) {
                $0.picture ?? ""
            } cell: {
                .init($0.picture ?? "-", hasWords: $0.picture == nil)
            },
            ListColumn("by", leastWidth: 6, value: \.author) { .init($0.author) },
            ListColumn("why", leastWidth: 6) {
                $0.reason ?? ""
            } cell: {
                .init($0.reason ?? "-")
            },
        ]
        if turning == .redo {
            let takenBack = ListColumn<RecordChange>("undone by", leastWidth: 9) {
                $0.undoneBy ?? ""
            } cell: {
                .init($0.undoneBy ?? "-")
            }
            all.insert(takenBack, at: all.count - 1)
        }
        return (all, all.filter { !["picture", "why"].contains($0.name) })
    }
}

extension RecordChange {
    /// The kind of change and its effect: `scan at origin: put on record`.
    fileprivate func words(in units: MassUnit) -> String {
        let about = alarm?.words ?? point.map { "at \($0.rawValue)" }
        return "\(kind.rawValue)\(about.map { " \($0)" } ?? ""): \(effect(in: units))"
    }
}
