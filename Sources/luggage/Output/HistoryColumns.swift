internal import LuggageTags
internal import ObjectStore

/// The columns for lists of scans.
struct HistoryColumns {
    static let names = [
        "scanned", "bag", "point", "station", "outcome", "reason", "says", "picture", "digest",
        "undone", "closed",
    ]
    /// The default for the scans of all bags.
    static let usual = ["scanned", "bag", "point", "station", "outcome", "reason", "picture"]
    /// The same for a narrow terminal.
    static let narrow = ["scanned", "bag", "point", "station", "result", "picture"]

    private let units: MassUnit
    let identifiers = ShortIdentifiers()
    private let times = LocalTimes()

    init(units: MassUnit = .pounds) {
        self.units = units
    }

    func columns(_ names: [String]) -> [ListColumn<HistoryEntry>] {
        names.compactMap(column)
    }

    private func column(_ name: String) -> ListColumn<HistoryEntry>? {
        switch name {
        case "scanned":
            ListColumn(name, leastWidth: 16, field: "scannedAt", value: \.scannedAt.reportText) {
                [times] in
                .init(times.text($0.scannedAt), isTime: true)
            }
        case "bag":
            ListColumn(name) {
                $0.bag?.text ?? ""
            } cell: { [identifiers] in
                .init($0.bag.map { identifiers.text($0) } ?? "-")
            }
        case "point":
            ListColumn(name, value: \.point.rawValue) { .init($0.point.rawValue) }
        case "station":
            ListColumn(name, leastWidth: 10, value: \.station) { .init($0.station) }
        case "place":
            ListColumn(name, leastWidth: 6) {
                $0.place ?? ""
            } cell: {
                .init($0.place ?? "-")
            }
        case "outcome":
            ListColumn(name, value: \.outcome.rawValue) { $0.cell(saying: $0.outcome.rawValue) }
        case "result":
            // The reason tells more, and implies the outcome.
            ListColumn(name, "OUTCOME", value: \.outcome.rawValue) {
                $0.cell(saying: $0.reason ?? $0.outcome.rawValue)
            }
        case "reason":
            ListColumn(name, leastWidth: 6) {
                $0.reason ?? ""
            } cell: {
                let closed = $0.closed.map { " (\($0.map(\.words).joined(separator: "; ")))" }
                return .init(($0.reason ?? "-") + (closed ?? ""))
            }
        case "says":
            ListColumn(name, "TAG SAYS", leastWidth: 8) { [units] in
                $0.contradiction?.words(units) ?? ""
            } cell: { [units] in
                $0.contradiction.map { .init($0.words(units), .warning) } ?? .init("-")
            }
        case "picture":
            ListColumn(
                name,
                leastWidth: 7,
                hasFileNames: true,
                field: "imageName",
                value: \.imageName
            ) {
                .init($0.imageName, hasWords: $0.isTyped ?? false)
            }
        case "digest":
            ListColumn(name, leastWidth: 8, field: "imageDigest") {
                $0.imageDigest ?? ""
            } cell: {
                .init($0.imageDigest ?? "-")
            }
        case "undone":
            ListColumn(name, leastWidth: 16, field: "undoneAt") {
                $0.undoneAt?.reportText ?? ""
            } cell: { [times] in
                .init($0.undoneAt.map(times.text) ?? "-", isTime: true)
            }
        case "closed":
            ListColumn(name, leastWidth: 6) {
                $0.closed?.map(\.words).joined(separator: "; ") ?? ""
            } cell: {
                .init($0.closed?.map(\.words).joined(separator: "; ") ?? "-")
            }
        default: nil
        }
    }
}

extension HistoryEntry {
    /// A cell with a word for the result of the scan, and whether it was undone, typed or dismissed.
    fileprivate func cell(saying word: String) -> FittedTable.Cell {
        if undoneAt != nil { return .init("\(word), undone", .faint) }
        guard let last = closed?.last else { return .init(word, outcome.tone) }
        return .init("\(word), \(last.kind == .dismiss ? "dismissed" : "typed")", .faint)
    }
}

extension HistoryEntry.Closing {
    /// Who did what, and why: `dismissed by anna: empty belt`, `typed by anna as F432BDB8: creased`.
    fileprivate var words: String {
        let what = kind == .dismiss ? "dismissed" : "typed"
        let bag = bag.map { " as \($0.short)" } ?? ""
        return "\(what) by \(author)\(bag)\(reason.map { ": \($0)" } ?? "")"
    }
}

extension HistoryEntry.Contradiction {
    /// What the tag says differently from the record: `45.0 lb, A/LOV`.
    fileprivate func words(_ units: MassUnit) -> String {
        [weight?.text(in: units), owner?.name.description].compactMap(\.self).joined(
            separator: ", "
        )
    }
}

extension Outcome {
    /// The emphasis of the word on a terminal.
    var tone: Tone? {
        switch self {
        case .new, .updated, .repeated: nil
        case .changed: .warning
        case .misrouted: .bad
        case .invalid, .unreadable, .noCode, .damaged: .bad
        }
    }
}
