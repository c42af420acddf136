internal import FoundationEssentials
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport

// Words for changes on the record.

extension RecordChange {
    /// The change in a sentence: `bag F432BDB8 weight 42.0 lb → 50.0 lb, by anna at 2026-07-01 09:30 CEST`.
    func sentence(in units: MassUnit) -> String {
        let why = reason.map { " (\($0.onOneLine))" } ?? ""
        let what =
            alarm.map { "alarm \($0.words.onOneLine)" } ?? bag.map { "bag \($0.short)" }
            ?? "\(kind == .imported ? "file" : "picture") \((picture ?? "").onOneLine)"
        return "\(what) \(effect(in: units)), by \(author.onOneLine) at \(date.local)\(why)"
    }

    /// The effect on the bag: `weight 42.0 lb → 50.0 lb`.
    func effect(in units: MassUnit) -> String {
        var parts = details.map { $0.words(in: units) }
        if isNewBag { parts.insert("put on record", at: 0) }
        return parts.isEmpty ? emptyEffect : parts.joined(separator: ", ")
    }

    /// The words for a change that has no effect on the bag, or no longer has one.
    private var emptyEffect: String {
        switch kind {
        case .scan: "scanned, nothing new"
        case .file: "typed, nothing new"
        case .edit: "corrected, changes nothing now"
        case .dismiss: "dismissed"
        case .note: "noted"
        case .imported: hasPurged ? "imported, with a purge that stays" : "imported"
        }
    }

    /// The effect of taking the change back, or bringing it back: `weight 50.0 lb → 42.0 lb`.
    func outlook(_ turning: Turning, in units: MassUnit) -> String {
        let isUndo = turning == .undo
        if kind == .dismiss {
            return isUndo ? "the picture is no longer dismissed" : "the picture is dismissed"
        }
        if kind == .note { return isUndo ? "nobody has noted the alarm" : "the alarm is noted" }
        if kind == .imported {
            let purge = hasPurged ? "; what was purged with it stays purged" : ""
            return
                (isUndo ? "what it brought no longer counts" : "what it brought counts")
                + purge
        }
        if isNewBag { return isUndo ? "the bag goes off record" : "the bag comes on record" }
        if details.isEmpty { return "the bag stays as it is" }
        return details.map { detail in
            var detail = detail
            if isUndo { swap(&detail.before, &detail.after) }
            return detail.words(in: units)
        }.joined(separator: ", ")
    }
}

/// Words for changes of properties.
enum ChangeText {
    /// A change of a property: `weight 42.0 lb → 50.0 lb`, `owner - → D/ZMU`.
    static func change<Value>(
        of property: String,
        _ before: Value?,
        _ after: Value?,
        _ text: (Value) -> String
    ) -> String {
        let texts = [before, after].map { $0.map { text($0).onOneLine } ?? "-" }
        return "\(property) \(texts[0]) → \(texts[1])"
    }

    /// A change of a weight in pounds: `weight 42.0 lb → 50.0 lb`, with enough digits to show it.
    static func weight(_ before: Float?, _ after: Float?, in unit: MassUnit) -> String {
        let words = { (text: (Float) -> String) in change(of: "weight", before, after, text) }
        guard let before, let after, before != after else { return words { $0.text(in: unit) } }
        for digits in 1...6 {
            let texts = [before, after].map { $0.text(in: unit, digits: digits) }
            if texts[0] != texts[1] { return words { $0.text(in: unit, digits: digits) } }
        }
        return words { "\(Float(unit.amount(of: $0))) \(unit.rawValue)" }
    }

    /// The changes of a bag between two reports on it; empty if there are none.
    static func changes(
        _ before: LuggageReport,
        _ after: LuggageReport,
        in units: MassUnit
    ) -> [String] {
        var parts: [String] = []
        if before.weight != after.weight {
            parts.append(weight(before.weight, after.weight, in: units))
        }
        if before.owner != after.owner {
            parts.append(change(of: "owner", before.owner, after.owner, \.name.description))
        }
        return parts
    }
}

extension RecordChange.Detail {
    /// The property and its values.
    func words(in units: MassUnit) -> String {
        let names = ["departedAt": "departed", "arrivedAt": "arrived"]
        if case .weight = before ?? after {
            return ChangeText.weight(before?.pounds, after?.pounds, in: units)
        }
        return ChangeText.change(of: names[property] ?? property, before, after) { value in
            switch value {
            case .weight(let pounds): pounds.text(in: units)
            case .time(let date): date.local
            case .owner(let name): name
            }
        }
    }
}

extension RecordChange.Value {
    /// The weight; nil if it is another kind of value.
    fileprivate var pounds: Float? {
        if case .weight(let pounds) = self { pounds } else { nil }
    }
}
