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

    /// The failure as a sentence.
    public var description: String { "\(entity).\(property) \(reason)" }
}

extension ManagedObjectModel.Entity {
    /// Every rule that a row breaks.
    func failures(of values: some Collection<AttributeValue>, id: ObjectID) -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        check(values, of: id, into: &failures)
        return failures
    }

    /// Adds every rule that a row breaks.
    func check(
        _ values: some Collection<AttributeValue>,
        of id: ObjectID,
        into failures: inout [ValidationFailure]
    ) {
        func note(_ slot: Int, _ reason: String) {
            let property = columns[slot].name
            failures.append(
                ValidationFailure(id: id, entity: name, property: property, reason: reason)
            )
        }
        for (slot, value) in values.enumerated() {
            for reason in columns[slot].reasonsAgainst(value) { note(slot, reason) }
        }
        let all = rules.isEmpty ? [] : Array(values)
        for rule in rules {
            if let reason = rule.violation(all) { note(rule.slot, reason) }
        }
    }
}

extension ManagedObjectModel.Column {
    fileprivate func reasonsAgainst(_ value: AttributeValue) -> [String] {
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
