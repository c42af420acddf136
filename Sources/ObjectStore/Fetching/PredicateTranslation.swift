internal import FoundationEssentials

/// The error of a predicate with a part that no store can evaluate.
public struct UnsupportedPredicateError: Error, Sendable, CustomStringConvertible {
    /// The part, named by its type.
    public let expression: String
    /// Why it cannot be translated.
    public let reason: String

    /// The error as a sentence.
    public var description: String {
        "a fetch cannot use \(expression): \(reason)"
    }
}

extension UnsupportedPredicateError {
    static func tooDeep(_ expression: String) -> UnsupportedPredicateError {
        UnsupportedPredicateError(
            expression: expression,
            reason: "it has too many conditions one within the other; put conditions side by side"
        )
    }
}

/// Translates a predicate, with the meaning of its variables.
struct PredicateTranslation {
    /// The meaning of a part of a predicate.
    enum Term {
        /// An object, and how to reach an expression on it from the tested row.
        case object(entity: Int, (StoreExpression) -> StoreExpression)
        /// The members of a to-many relationship.
        case members(entity: Int, column: Int, (StoreExpression) -> StoreExpression)
        /// A value.
        case value(StoreExpression)
        /// Given values.
        case constants([AttributeValue])
        /// The values between two bounds.
        case range(StoreExpression, StoreExpression, isClosed: Bool)
    }

    let model: ManagedObjectModel
    /// The entity of the tested row.
    let entity: Int
    var variables: [PredicateExpressions.VariableID: Term]
    /// How many expressions contain the present one.
    var depth = 0

    func term(_ expression: some PredicateExpression) throws -> Term {
        guard let translatable = expression as? any TranslatableExpression else {
            throw unsupported(expression, "it has no counterpart in a store")
        }
        var inner = self
        inner.depth += 1
        guard inner.depth <= StoreExpression.greatestDepth else {
            throw UnsupportedPredicateError.tooDeep(name(of: expression))
        }
        return try translatable.term(in: inner)
    }

    func value(_ expression: some PredicateExpression) throws -> StoreExpression {
        switch try term(expression) {
        case .value(let value): return value
        // In a comparison, an object stands for its identity.
        case .object(_, let path): return path(.key)
        case .members, .constants, .range:
            throw unsupported(expression, "a single value is needed here")
        }
    }

    /// Two expressions that are compared, with given texts in the form of the property they meet.
    func pair(
        _ a: some PredicateExpression,
        _ b: some PredicateExpression
    ) throws -> (StoreExpression, StoreExpression) {
        let (a, b) = (try value(a), try value(b))
        return (
            a.formed(b.textForm(of: entity, in: model)), b.formed(a.textForm(of: entity, in: model))
        )
    }

    /// The same translation, with a meaning for one more variable.
    func binding(_ variable: PredicateExpressions.VariableID, to term: Term) -> Self {
        var copy = self
        copy.variables[variable] = term
        return copy
    }

    func unsupported(
        _ expression: some PredicateExpression,
        _ reason: String
    ) -> UnsupportedPredicateError {
        UnsupportedPredicateError(expression: name(of: expression), reason: reason)
    }

    /// The name of a type without what it is made of, which may be long.
    private func name(of expression: some PredicateExpression) -> String {
        String("\(type(of: expression))".prefix { $0 != "<" })
    }
}

/// A kind of expression that has a counterpart in a store.
protocol TranslatableExpression: PredicateExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term
}

extension PredicateExpressions.Variable: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        guard let term = translation.variables[key] else {
            throw translation.unsupported(self, "the variable is not known here")
        }
        return term
    }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        switch try translation.term(root) {
        case .object(let entity, let path):
            if keyPath as AnyKeyPath == \ManagedObject.objectID || isObjectID {
                return .value(path(.key))
            }
            switch translation.model.place(of: keyPath) {
            case .slot(entity, let slot):
                if case .reference(let target, _) = translation.model.entities[entity].columns[slot]
                    .kind
                {
                    return .object(entity: target) { path(.related(column: slot, $0)) }
                }
                return .value(path(.column(slot)))
            case .members(let members, let slot):
                return .members(entity: members, column: slot, path)
            default:
                throw translation.unsupported(
                    self,
                    "\(keyPath) is not a property that the model declares"
                )
            }
        case .members(let entity, let column, let path):
            let count = StoreExpression.count(entity: entity, column: column, where: .always)
            if kind == .collectionCount { return .value(path(count)) }
            if kind == .collectionIsEmpty {
                return .value(path(.equal(count, .constant(.integer(0)))))
            }
            throw translation.unsupported(
                self,
                "of a relationship only count and isEmpty can be used"
            )
        case .value(let value) where Root.Output.self == String.self && kind == .collectionIsEmpty:
            return .value(.equal(value, .constant(.text(""))))
        case .value, .constants, .range:
            throw translation.unsupported(
                self,
                "\(keyPath) is not a property that the model declares"
            )
        }
    }

    private var isObjectID: Bool { Output.self == ObjectID.self }
}

extension PredicateExpressions.Value: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        if Output.self == ObjectID?.self, (value as? ObjectID) == nil {
            return .value(.constant(.null))
        }
        if let id = value as? ObjectID { return .value(.constant(.reference(id))) }
        if let single = value as? any AttributeConvertible {
            return .value(.constant(try checked(single.attributeValue, translation)))
        }
        // Checked before sequences: a range of integers is a sequence too, with too many elements
        // to list.
        if let range = value as? any GivenRange {
            return .range(
                .constant(try checked(range.bounds.lower, translation)),
                .constant(try checked(range.bounds.upper, translation)),
                isClosed: range.isClosed
            )
        }
        if let several = value as? any Sequence {
            return .constants(try constants(several, translation))
        }
        throw translation.unsupported(self, "no attribute can hold a \(Output.self)")
    }

    private func constants(
        _ several: some Sequence,
        _ translation: PredicateTranslation
    ) throws -> [AttributeValue] {
        try several.map { element in
            if let id = element as? ObjectID { return .reference(id) }
            guard let element = element as? any AttributeConvertible else {
                throw translation.unsupported(self, "no attribute can hold a \(type(of: element))")
            }
            return try checked(element.attributeValue, translation)
        }
    }

    private func checked(
        _ value: AttributeValue,
        _ translation: PredicateTranslation
    ) throws -> AttributeValue {
        guard let reason = value.reasonNotStorable else { return value }
        throw translation.unsupported(self, "the value \(reason)")
    }
}

/// A range captured by a predicate.
private protocol GivenRange {
    var bounds: (lower: AttributeValue, upper: AttributeValue) { get }
    var isClosed: Bool { get }
}

extension ClosedRange: GivenRange where Bound: AttributeConvertible {
    fileprivate var bounds: (lower: AttributeValue, upper: AttributeValue) {
        (lowerBound.attributeValue, upperBound.attributeValue)
    }
    fileprivate var isClosed: Bool { true }
}

extension Range: GivenRange where Bound: AttributeConvertible {
    fileprivate var bounds: (lower: AttributeValue, upper: AttributeValue) {
        (lowerBound.attributeValue, upperBound.attributeValue)
    }
    fileprivate var isClosed: Bool { false }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func term(in translation: PredicateTranslation) -> PredicateTranslation.Term {
        .value(.constant(.null))
    }
}
