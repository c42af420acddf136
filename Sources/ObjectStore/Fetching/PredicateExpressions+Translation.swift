internal import FoundationEssentials

// Translates the operators of predicates to those of a store.

extension PredicateExpressions.Equal: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let (a, b) = try translation.pair(lhs, rhs)
        return .value(.equal(a, b))
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let (a, b) = try translation.pair(lhs, rhs)
        return .value(.not(.equal(a, b)))
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        try translation.requireOrder(of: LHS.Output.self, in: self)
        let (a, b) = try translation.pair(lhs, rhs)
        switch op {
        case .lessThan: return .value(.less(a, b))
        case .lessThanOrEqual: return .value(.lessOrEqual(a, b))
        case .greaterThan: return .value(.less(b, a))
        case .greaterThanOrEqual: return .value(.lessOrEqual(b, a))
        @unknown default: throw translation.unsupported(self, "the operator is not known")
        }
    }
}

/// Conditions joined by one operator; any number of them count as one deep.
private protocol JoinedConditions: PredicateExpression {
    var both: [any PredicateExpression] { get }
}

extension PredicateTranslation {
    /// All conditions that operators of one kind join, in their order.
    fileprivate func conditions<Joined: PredicateExpression>(
        of joined: Joined,
        _ both: (any PredicateExpression) -> [any PredicateExpression]?
    ) throws -> [StoreExpression] {
        var conditions: [StoreExpression] = []
        var open: [any PredicateExpression] = [joined]
        while let expression = open.popLast() {
            if let both = both(expression) {
                open += both.reversed()
            } else {
                conditions.append(try value(expression))
            }
        }
        return conditions
    }
}

private protocol AnyConjunction: JoinedConditions {}
private protocol AnyDisjunction: JoinedConditions {}

extension PredicateExpressions.Conjunction: TranslatableExpression, AnyConjunction {
    fileprivate var both: [any PredicateExpression] { [lhs, rhs] }

    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let all = try translation.conditions(of: self) { ($0 as? any AnyConjunction)?.both }
        return .value(StoreExpression.all(of: all) ?? .always)
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression, AnyDisjunction {
    fileprivate var both: [any PredicateExpression] { [lhs, rhs] }

    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let all = try translation.conditions(of: self) { ($0 as? any AnyDisjunction)?.both }
        return .value(StoreExpression.any(of: all) ?? .always)
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        .value(.not(try translation.value(wrapped)))
    }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        try translation.requireNumbers(LHS.Output.self, in: self)
        let (a, b) = (try translation.value(lhs), try translation.value(rhs))
        switch op {
        case .add: return .value(.sum(a, b))
        case .subtract: return .value(.difference(a, b))
        case .multiply: return .value(.product(a, b))
        @unknown default: throw translation.unsupported(self, "the operator is not known")
        }
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        try translation.requireNumbers(Wrapped.Output.self, in: self)
        return .value(.difference(.constant(.integer(0)), try translation.value(wrapped)))
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        .value(.coalesce(try translation.value(lhs), try translation.value(rhs)))
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let wrapped = try translation.term(wrapped)
        let inner = translation.binding(variable.key, to: wrapped)
        switch (wrapped, try inner.term(transform)) {
        case (_, .object(let entity, let path)):
            // If the wrapped object is missing, the path to this one is missing too.
            return .object(entity: entity, path)
        case (.object(_, let path), .value(let value)):
            return .value(.whenPresent(path(.key), value))
        case (.value(let present), .value(let value)):
            return .value(.whenPresent(present, value))
        default:
            throw translation.unsupported(self, "only a value can be computed of an optional")
        }
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        .value(
            .choose(
                try translation.value(test),
                try translation.value(trueBranch),
                try translation.value(falseBranch)
            )
        )
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        .range(try translation.value(lower), try translation.value(upper), isClosed: true)
    }
}

extension PredicateExpressions.Range: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        .range(try translation.value(lower), try translation.value(upper), isClosed: false)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        try translation.requireOrder(of: Element.Output.self, in: self)
        guard case .range(let lower, let upper, let isClosed) = try translation.term(range) else {
            throw translation.unsupported(self, "the range must be written in the predicate")
        }
        let value = try translation.value(element)
        let form = value.textForm(of: translation.entity, in: translation.model)
        let (least, most) = (lower.formed(form), upper.formed(form))
        let end = isClosed ? StoreExpression.lessOrEqual(value, most) : .less(value, most)
        return .value(.and(.lessOrEqual(least, value), end))
    }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        guard case .constants(let options) = try translation.term(sequence) else {
            throw translation.unsupported(self, "the values must be given")
        }
        let value = try translation.value(element)
        let form = value.textForm(of: translation.entity, in: translation.model)
        let given = options.filter { !$0.isNull }.map { $0.formed(form) }
        let present = StoreExpression.isOneOf(value, Set(given))
        if !options.contains(where: \.isNull) { return .value(present) }
        return .value(.or(present, .equal(value, .constant(.null))))
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let (count, path) = try translation.count(of: sequence, variable.key, where: test)
        return .value(path(.less(.constant(.integer(0)), count)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let (count, path) = try translation.count(
            of: sequence,
            variable.key,
            where: test,
            negated: true
        )
        return .value(path(.equal(count, .constant(.integer(0)))))
    }
}

extension PredicateTranslation {
    /// Rejects comparisons and arithmetic on values whose stored form has another order.
    fileprivate func requireOrder(
        of type: any Any.Type,
        in expression: some PredicateExpression
    ) throws {
        guard let attribute = type as? any AttributeType.Type, !attribute.isOrdered else { return }
        throw unsupported(
            expression,
            "stores keep a \(type) in a form that can only be compared for equality"
        )
    }

    /// Rejects arithmetic on values that are not stored as numbers.
    fileprivate func requireNumbers(
        _ type: any Any.Type,
        in expression: some PredicateExpression
    ) throws {
        guard let attribute = type as? any AttributeType.Type,
            ![.integer, .real].contains(attribute.storage)
        else { return }
        throw unsupported(expression, "stores keep a \(type) in a form that cannot be added to")
    }

    /// The number of members that fulfil a condition, or do not, and the path to it.
    fileprivate func count(
        of sequence: some PredicateExpression,
        _ variable: PredicateExpressions.VariableID,
        where test: some PredicateExpression,
        negated: Bool = false
    ) throws -> (StoreExpression, (StoreExpression) -> StoreExpression) {
        guard case .members(let entity, let column, let path) = try term(sequence) else {
            throw unsupported(sequence, "only a relationship to many can be searched")
        }
        let inner = PredicateTranslation(
            model: model,
            entity: entity,
            variables: [variable: .object(entity: entity) { $0 }],
            depth: depth
        )
        let condition = try inner.value(test)
        return (
            .count(entity: entity, column: column, where: negated ? .not(condition) : condition),
            path
        )
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let (text, start) = try translation.pair(base, prefix)
        return .value(.hasPrefix(text, start))
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func term(in translation: PredicateTranslation) throws -> PredicateTranslation.Term {
        let (text, part) = try translation.pair(base, other)
        return .value(.contains(text, part))
    }
}
