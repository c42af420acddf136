/// The error of a save with objects that break rules of the model; the save stored nothing.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
    /// Every broken rule.
    public let failures: [ValidationFailure]

    /// The failures, one per line: the first 20, and how many there are besides.
    public var description: String { failures.firstLines }
}

extension Array where Element: CustomStringConvertible {
    /// The first 20 of them, one per line, and how many there are besides.
    var firstLines: String {
        let most = 20
        let more = count > most ? ["and \(count - most) more"] : []
        return (prefix(most).map(\.description) + more).joined(separator: "\n")
    }
}

/// One rule that one property broke.
public struct ValidationFailure: Hashable, Sendable, CustomStringConvertible {
    /// The object, as the context knew it before the save.
    public let id: ObjectID
    /// The entity's name.
    public let entity: String
    /// The property's name.
    public let property: String
    /// The reason, which follows the name of the property: `must be at least 0, not -1`.
    public let reason: String

    static let unreadable = "has a value of another type"

    /// The failure as a sentence.
    public var description: String { "\(entity).\(property) \(reason)" }
}

extension ManagedObjectModel.Entity {
    /// Adds every rule that a row breaks.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - id: The object.
    ///   - stored: What is on record now, if that is known. A value that cannot be read breaks no rule where it
    ///     is or was on record: another version of the program may know it.
    ///   - failures: What is broken.
    func check(
        _ row: ObjectRow,
        of id: ObjectID,
        onRecord stored: RowValues? = nil,
        into failures: inout [ValidationFailure]
    ) {
        func note(_ slot: Int, _ reason: String) {
            let property = columns[slot].name
            failures.append(
                ValidationFailure(id: id, entity: name, property: property, reason: reason)
            )
        }
        for (slot, value) in row.enumerated() {
            if let reasons = columns[slot].reasonsAgainst(value) {
                for reason in reasons { note(slot, reason) }
            } else if stored?[slot] != value, row.stored?.values[slot] != value,
                row.deletedValues?[slot] != value
            {
                note(slot, ValidationFailure.unreadable)
            }
        }
        let all = rules.isEmpty ? [] : Array(row)
        for rule in rules {
            if let reason = rule.violation(all) { note(rule.slot, reason) }
        }
    }
}

extension ManagedObjectModel.Column {
    /// The reasons against a value; nil if it is none of the type.
    fileprivate func reasonsAgainst(_ value: AttributeValue) -> [String]? {
        switch kind {
        case .reference(_, let isOptional):
            return value.isNull && !isOptional ? ["is required, and missing"] : []
        case .attribute(let attribute):
            if value.isNull { return attribute.isOptional ? [] : ["is required, and missing"] }
            if let reason = value.reasonNotStorable { return [reason] }
            return attribute.violations(value)
        }
    }
}
