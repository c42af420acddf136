internal import SystemSupport

/// The form in which the texts of an attribute are kept, and so which texts are equal.
///
/// Stores compare texts by their bytes, in constraints, in conditions and in their order. Some texts
/// that are equal in Swift have different bytes: `é` may be one code point, or an `e` and an accent.
public enum TextForm: String, Sendable, Codable {
    /// As it is assigned, byte for byte: for names of files, and for texts of programs.
    case asAssigned
    /// In Unicode's composed form (NFC), so that texts are equal in the store as they are in Swift: for
    /// names of people and places, and whatever people type.
    ///
    /// Texts take this form when they are assigned, and in the conditions of requests. Texts that were
    /// saved before the attribute was declared so stay as they are until they are assigned again, which
    /// `updateAll(FetchRequest(Bag.self)) { $0.name = $0.name }` does. Where a constraint then holds two of
    /// them for one, it throws ``MergeConflictError`` and changes nothing: rename or delete one before.
    case composed
}

extension AttributeValue {
    /// The value in the form of an attribute.
    func formed(_ form: TextForm) -> AttributeValue {
        guard form == .composed, case .text(let text) = self else { return self }
        return .text(text.composed)
    }
}

extension StoreExpression {
    /// The form of the texts that an expression on a row of an entity gives.
    func textForm(of entity: Int, in model: ManagedObjectModel) -> TextForm {
        switch self {
        case .column(let slot): model.entities[entity].textForms[slot]
        case .related(let slot, let inner):
            if case .reference(let target, _) = model.entities[entity].columns[slot].kind {
                inner.textForm(of: target, in: model)
            } else {
                .asAssigned
            }
        case .coalesce(let a, _), .whenPresent(_, let a), .choose(_, let a, _):
            a.textForm(of: entity, in: model)
        default: .asAssigned
        }
    }

    /// A given text in a form; other expressions stay as they are.
    func formed(_ form: TextForm) -> StoreExpression {
        guard form == .composed else { return self }
        return switch self {
        case .constant(let value): .constant(value.formed(form))
        case .coalesce(let a, let b): .coalesce(a.formed(form), b.formed(form))
        case .choose(let test, let a, let b): .choose(test, a.formed(form), b.formed(form))
        case .whenPresent(let a, let b): .whenPresent(a, b.formed(form))
        default: self
        }
    }
}
