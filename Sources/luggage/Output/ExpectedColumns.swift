internal import FoundationEssentials
internal import LuggageTags

/// The columns for lists of where a bag is expected.
enum ExpectedColumns {
    /// All columns, at a moment.
    static func all(at now: Date) -> [ListColumn<ExpectedPassage>] {
        let times = LocalTimes()
        return [
            ListColumn("expected", leastWidth: 16, field: "due", value: \.due.reportText) {
                .init(times.text($0.due), isTime: true)
            },
            ListColumn("point", leastWidth: 11, value: \.point.rawValue) {
                .init($0.point.rawValue)
            },
            ListColumn("place", leastWidth: 5) {
                $0.place ?? ""
            } cell: {
                .init($0.place ?? "-")
            },
            ListColumn("seen", leastWidth: 16, field: "metAt") {
                $0.metAt?.reportText ?? ""
            } cell: { passage in
                if let seen = passage.metAt { return .init(times.text(seen), isTime: true) }
                return .init(passage.isOverdue(at: now) ? "overdue" : "not yet")
            },
            ListColumn("trip", leastWidth: 6, field: "route") {
                $0.route?.words ?? ""
            } cell: {
                .init($0.route?.words ?? "-")
            },
        ]
    }
}
