internal import Foundation

// The conditions of a request besides predicates and equality.

extension FetchRequest {
    /// One condition; an object must fulfil all conditions of a request.
    enum Condition {
        case equals(AnyKeyPath, AttributeValue)
        case hasPrefix(AnyKeyPath, String)
        case hasSuffix(AnyKeyPath, String)
        case isMissing(AnyKeyPath, Bool)
        case predicate(Predicate<Object>)
        case bound(AnyKeyPath, Bound, AttributeValue)
        case isOneOf([ObjectID])
        case hasOneOf(AnyKeyPath, [AttributeValue])
        case either([[Condition]])
        case hasMember(AnyKeyPath, MemberFilter)
    }

    /// The comparison with a bound.
    enum Bound {
        case greater, greaterOrEqual, less
    }

    /// The condition on the members of a relationship, with their entity.
    typealias MemberFilter = (_ state: inout ContextState) throws -> StoreExpression

    /// Selects objects in which an attribute is greater than a value, and not missing.
    ///
    /// Unlike the comparison of a predicate, it accepts attributes that may be missing, and an
    /// index can answer it.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        isGreaterThan value: Value
    ) -> Self {
        with { $0.conditions.append(.bound(keyPath, .greater, value.attributeValue)) }
    }

    /// Selects objects in which an attribute is a value or greater, and not missing.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        isAtLeast value: Value
    ) -> Self {
        with { $0.conditions.append(.bound(keyPath, .greaterOrEqual, value.attributeValue)) }
    }

    /// Selects objects in which an attribute is less than a value, and not missing.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        isLessThan value: Value
    ) -> Self {
        with { $0.conditions.append(.bound(keyPath, .less, value.attributeValue)) }
    }

    /// Selects objects in which an attribute has one of several values.
    public func `where`<Value: AttributeType>(
        _ keyPath: KeyPath<Object, Value>,
        isOneOf values: some Sequence<Value>
    ) -> Self {
        let values = values.map(\.attributeValue).filter { $0.reasonNotStorable == nil }
        return with { $0.conditions.append(.hasOneOf(keyPath, values)) }
    }

    /// Selects objects in which an attribute that may be missing has one of several values.
    public func `where`<Value: AttributeType>(
        _ keyPath: KeyPath<Object, Value?>,
        isOneOf values: some Sequence<Value>
    ) -> Self {
        let values = values.map(\.attributeValue).filter { $0.reasonNotStorable == nil }
        return with { $0.conditions.append(.hasOneOf(keyPath, values)) }
    }

    /// Selects objects in which a relationship leads to one of several objects.
    public func `where`<Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>,
        isOneOf targets: some Sequence<ObjectID>
    ) -> Self {
        with { $0.conditions.append(.hasOneOf(keyPath, targets.map { .reference($0) })) }
    }

    /// Selects objects in which an attribute that is stored as text ends with a text, byte for byte.
    ///
    /// No index helps: every object is examined.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; for a UUID, its text in upper case.
    ///   - suffix: The end.
    /// - Returns: The narrower request.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        hasSuffix suffix: String
    ) -> Self {
        with { $0.conditions.append(.hasSuffix(keyPath, suffix)) }
    }

    /// Selects objects that have one of the given identities.
    public func whereObject(isOneOf ids: some Sequence<ObjectID>) -> Self {
        with { $0.conditions.append(.isOneOf(Array(ids))) }
    }

    /// Selects objects that fulfil at least one alternative.
    ///
    /// - Parameter alternatives: Each narrows a request; its orders and limits are ignored.
    /// - Returns: The narrower request; without alternatives it selects nothing.
    public func whereEither(_ alternatives: (Self) -> Self...) -> Self {
        let conditions = alternatives.map { $0(Self()).conditions }
        return with { $0.conditions.append(.either(conditions)) }
    }

    /// Selects objects that have a member which another request selects.
    ///
    /// - Parameters:
    ///   - keyPath: The to-many relationship.
    ///   - request: The request for the members; its order and limits are ignored.
    /// - Returns: The narrower request.
    public func `where`<Member: ManagedObject>(
        _ keyPath: KeyPath<Object, [Member]>,
        contains request: FetchRequest<Member>
    ) -> Self {
        with { copy in
            copy.conditions.append(
                .hasMember(keyPath) { state in
                    let entity = state.model.describedEntity(of: Member.self)
                    return try request.filter(entity, &state) ?? .always
                }
            )
        }
    }
}

extension FetchRequest {
    /// All conditions as one, or nil if there are none.
    func filter(
        _ entity: ManagedObjectModel.Entity,
        _ state: inout ContextState
    ) throws -> StoreExpression? {
        try Self.all(of: conditions) { try filter($0, entity, &state) }
    }

    private static func all(
        of conditions: [Condition],
        _ translate: (Condition) throws -> StoreExpression
    ) rethrows -> StoreExpression? {
        let filters = try conditions.map(translate)
        return filters.first.map { filters.dropFirst().reduce($0) { .and($0, $1) } }
    }

    private func filter(
        _ condition: Condition,
        _ entity: ManagedObjectModel.Entity,
        _ state: inout ContextState
    ) throws -> StoreExpression {
        switch condition {
        case .predicate(let predicate):
            let translation = PredicateTranslation(
                model: state.model,
                variables: [predicate.variable.key: .object(entity: entity.index) { $0 }]
            )
            return try translation.value(predicate.expression)
        // No store keeps such a value, and some would mistake it for another.
        case .equals(let keyPath, let value) where value.reasonNotStorable != nil:
            return .isOneOf(column(keyPath, &state), [])
        case .bound(let keyPath, _, let value) where value.reasonNotStorable != nil:
            return .isOneOf(column(keyPath, &state), [])
        case .hasPrefix(let keyPath, let part) where part.utf8.contains(0),
            .hasSuffix(let keyPath, let part) where part.utf8.contains(0):
            return .isOneOf(column(keyPath, &state), [])
        case .equals(let keyPath, let value):
            return .equal(column(keyPath, &state), .constant(value))
        case .hasPrefix(let keyPath, let prefix):
            return .hasPrefix(column(keyPath, &state), .constant(.text(prefix)))
        case .hasSuffix(let keyPath, let suffix):
            return .hasSuffix(column(keyPath, &state), suffix)
        case .isMissing(let keyPath, let isMissing):
            let missing = StoreExpression.equal(column(keyPath, &state), .constant(.null))
            return isMissing ? missing : .not(missing)
        case .bound(let keyPath, let bound, let value):
            let slot = try orderedSlot(state.slot(of: keyPath), state.model)
            let (column, value) = (StoreExpression.column(slot), StoreExpression.constant(value))
            switch bound {
            case .greater: return .less(value, column)
            case .greaterOrEqual: return .lessOrEqual(value, column)
            case .less: return .less(column, value)
            }
        case .isOneOf(let ids):
            let ids = ids.filter { $0.entity == entity.index }
            return .isOneOf(.key, ids.map { .reference($0) })
        case .hasOneOf(let keyPath, let values):
            return .isOneOf(column(keyPath, &state), values)
        case .either(let alternatives):
            let filters = try alternatives.map { conditions in
                try Self.all(of: conditions) { try filter($0, entity, &state) } ?? .always
            }
            return filters.dropFirst().reduce(filters.first ?? .isOneOf(.key, [])) { .or($0, $1) }
        case .hasMember(let keyPath, let filter):
            guard case .members(let members, let slot) = state.place(of: keyPath) else {
                preconditionFailure("\(keyPath) is no relationship to many")
            }
            let condition = try filter(&state)
            return .less(
                .constant(.integer(0)),
                .count(entity: members, column: slot, where: condition)
            )
        }
    }

    private func column(_ keyPath: AnyKeyPath, _ state: inout ContextState) -> StoreExpression {
        .column(state.slot(of: keyPath))
    }
}
