internal import Foundation
internal import LuggageTags
internal import ProgramSupport

// What was changed on the record, in words.

extension RecordChange {
    /// The change in a sentence: `bag F432BDB8 weight 42.0 lb → 50.0 lb, by anna at 2026-07-01 09:30 CEST`.
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

/// What became of properties, as a text.
enum ChangeText {
    /// What became of a property: `weight 42.0 lb → 50.0 lb`, `owner - → D/ZMU`.
    static func change<Value>(
        of property: String,
        _ before: Value?,
        _ after: Value?,
        _ text: (Value) -> String
    ) -> String {
        let texts = [before, after].map { $0.map { text($0).onOneLine } ?? "-" }
        return "\(property) \(texts[0]) → \(texts[1])"
    }

    /// What became of the bag between two reports on it; empty where nothing has.
    static func changes(_ before: LuggageReport, _ after: LuggageReport) -> [String] {
        var parts: [String] = []
        if before.weight != after.weight {
            parts.append(change(of: "weight", before.weight, after.weight, \.pounds))
        }
        if before.owner != after.owner {
            parts.append(change(of: "owner", before.owner, after.owner, \.name.description))
        }
        return parts
    }
}

extension RecordChange.Detail {
    /// The property and its values.
    var words: String {
        let names = ["departedAt": "departed", "arrivedAt": "arrived"]
        return ChangeText.change(of: names[property] ?? property, before, after) { value in
            switch value {
            case .weight(let pounds): pounds.pounds
            case .time(let date): date.local
            case .owner(let name): name
            }
        }
    }
}
