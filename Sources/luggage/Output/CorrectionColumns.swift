internal import FoundationEssentials
internal import LuggageTags

/// The columns for lists of a bag's corrections.
enum CorrectionColumns {
    /// All columns, with weights in a unit.
    static func all(_ units: MassUnit) -> [ListColumn<CorrectionReport>] {
        let times = LocalTimes()
        return [
            ListColumn(
                "corrected",
                leastWidth: 16,
                field: "madeAt",
                value: \.madeAt.reportText
            ) { .init(times.text($0.madeAt), isTime: true) },
            ListColumn("by", leastWidth: 6, field: "author", value: \.author) { .init($0.author) },
            ListColumn("what", leastWidth: 24) {
                $0.words(units)
            } cell: {
                .init($0.words(units), $0.undoneAt == nil ? nil : .faint)
            },
            ListColumn("why", leastWidth: 6, field: "reason") {
                $0.reason ?? ""
            } cell: {
                .init($0.reason ?? "-")
            },
        ]
    }
}

extension CorrectionReport {
    private var changeName: String { change.map { "change \($0)" } ?? "a change" }

    /// What was done: `weight 42.0 lb → 50.0 lb`, `change 17 taken back`.
    fileprivate func words(_ units: MassUnit) -> String {
        var parts: [String] = []
        switch kind {
        case .file: parts.append("tag typed" + (picture.map { " from \($0)" } ?? ""))
        case .dismiss: parts.append("picture dismissed")
        case .note: parts.append("alarm noted: \(alarm?.rawValue ?? "")")
        case .undo: parts.append("\(changeName) taken back")
        case .redo: parts.append("\(changeName) brought back")
        default: break
        }
        if let weight {
            parts.append(ChangeText.weight(weight.before, weight.after, in: units))
        }
        if let owner {
            parts.append(
                ChangeText.change(of: "owner", owner.before, owner.after) { $0.name.description }
            )
        }
        // After a purge of the names, no more is known.
        if parts.isEmpty { parts.append("owner or weight") }
        if undoneAt != nil { parts.append("undone since") }
        return parts.joined(separator: ", ")
    }
}
