internal import Foundation
internal import LuggageTags
internal import ProgramSupport

// What was changed on the record, in words.

extension RecordChange {
    /// The change in a sentence: `bag F432BDB8 weight 42.0 → 50.0 lb, by anna at 2026-07-01 09:30 CEST`.
    var sentence: String {
        var parts: [String] = []
        if isNewBag { parts.append("put on record") }
        parts += details.map(\.words)
        if parts.isEmpty { parts.append("scanned, nothing new") }
        let why = reason.map { " (\($0.onOneLine))" } ?? ""
        return "bag \(bag.short) \(parts.joined(separator: ", ")), by \(author.onOneLine) at "
            + date.local + why
    }

    /// What made it: `scan tag.png`.
    var source: String {
        let place = point.map { " at \($0.rawValue)" } ?? ""
        return kind.rawValue + place + (picture.map { " \($0)" } ?? "")
    }
}

extension RecordChange.Detail {
    /// The property and its values: `weight 42.0 → 50.0 lb`.
    var words: String {
        let names = ["departedAt": "departed", "arrivedAt": "arrived"]
        return "\(names[property] ?? property) \(text(before)) → \(text(after))"
    }

    private func text(_ value: RecordChange.Value?) -> String {
        switch value {
        case .weight(let pounds): pounds.pounds
        case .time(let date): date.local
        case .owner(let name): name
        case nil: "-"
        }
    }
}

extension Failure {
    /// Something that cannot be corrected.
    init(_ error: CorrectionError) {
        self.init(.incomplete, error.message)
    }
}
