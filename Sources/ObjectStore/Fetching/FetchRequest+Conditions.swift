internal import FoundationEssentials
internal import SystemSupport

// The conditions of a request besides predicates and equality.

extension FetchRequest {
    /// One condition; an object must fulfil all conditions of a request.
    enum Condition: Sendable {
        case equals(PropertyPath, AttributeValue)
        case hasPrefix(PropertyPath, String)
        case hasSuffix(PropertyPath, String)
        case contains(PropertyPath, String)
        case isMissing(PropertyPath, Bool)
        case predicate(Predicate<Object>)
        case bound(PropertyPath, Bound, AttributeValue)
        case isOneOf([ObjectID])
        case hasOneOf(PropertyPath, [AttributeValue])
        case either([[Condition]], depth: Int)
        case hasMember(PropertyPath, MemberFilter, depth: Int)
        /// A condition that no fetch accepts, with the reason.
        case unsupported(UnsupportedPredicateError)

        /// How many conditions this one contains, one within the other.
        var depth: Int {
            switch self {
            case .either(_, let depth), .hasMember(_, _, let depth): depth
            default: 0
            }
        }
    }

    /// The comparison with a bound.
    enum Bound: Sendable {
        case greater, greaterOrEqual, less
    }

    /// The condition on the members of a relationship, with their entity.
    typealias MemberFilter = @Sendable (_ state: inout ContextState) throws -> StoreExpression

    /// Selects objects in which an attribute is greater than a value, and not missing.
    ///
    /// Unlike the comparison of a predicate, it accepts attributes that may be missing, and an
    /// index can answer it.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        isGreaterThan value: Value
    ) -> Self {
        with { $0.conditions.append(.bound(PropertyPath(keyPath), .greater, value.attributeValue)) }
    }

    /// Selects objects in which an attribute is a value or greater, and not missing.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        isAtLeast value: Value
    ) -> Self {
        with {
            $0.conditions.append(
                .bound(PropertyPath(keyPath), .greaterOrEqual, value.attributeValue)
            )
        }
    }

    /// Selects objects in which an attribute is less than a value, and not missing.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        isLessThan value: Value
    ) -> Self {
        with { $0.conditions.append(.bound(PropertyPath(keyPath), .less, value.attributeValue)) }
    }

    /// Selects objects in which an attribute has one of several values.
    public func `where`<Value: AttributeType>(
        _ keyPath: KeyPath<Object, Value>,
        isOneOf values: some Sequence<Value>
    ) -> Self {
        let values = values.map(\.attributeValue).filter { $0.reasonNotStorable == nil }
        return with { $0.conditions.append(.hasOneOf(PropertyPath(keyPath), values)) }
    }

    /// Selects objects in which an attribute that may be missing has one of several values.
    public func `where`<Value: AttributeType>(
        _ keyPath: KeyPath<Object, Value?>,
        isOneOf values: some Sequence<Value>
    ) -> Self {
        let values = values.map(\.attributeValue).filter { $0.reasonNotStorable == nil }
        return with { $0.conditions.append(.hasOneOf(PropertyPath(keyPath), values)) }
    }

    /// Selects objects in which a relationship leads to one of several objects.
    public func `where`<Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>,
        isOneOf targets: some Sequence<ObjectID>
    ) -> Self {
        with {
            $0.conditions.append(.hasOneOf(PropertyPath(keyPath), targets.map { .reference($0) }))
        }
    }

    /// Selects objects in which an attribute that is stored as text ends with a text, in the form of its texts.
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
        with { $0.conditions.append(.hasSuffix(PropertyPath(keyPath), suffix)) }
    }

    /// Selects objects in which an attribute that is stored as text contains a text, in the form of its texts.
    ///
    /// No index helps: every object is examined.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; for a UUID, its text in upper case.
    ///   - part: The part.
    /// - Returns: The narrower request.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        contains part: String
    ) -> Self {
        with { $0.conditions.append(.contains(PropertyPath(keyPath), part)) }
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
        whereEither(alternatives)
    }

    /// Selects objects that fulfil at least one of any number of alternatives.
    ///
    /// - Parameter alternatives: Each narrows a request; its orders and limits are ignored.
    /// - Returns: The narrower request; without alternatives it selects nothing.
    public func whereEither(_ alternatives: [(Self) -> Self]) -> Self {
        let conditions = alternatives.flatMap { alternative -> [[Condition]] in
            let narrowed = alternative(Self()).conditions
            // An alternative that is nothing but alternatives.
            if case .either(let inner, _) = narrowed.first, narrowed.count == 1 { return inner }
            return [narrowed]
        }
        let depth = 1 + (conditions.joined().map(\.depth).max() ?? 0)
        return with { copy in
            copy.conditions.append(
                depth > StoreExpression.greatestDepth
                    ? .unsupported(.tooDeep("whereEither")) : .either(conditions, depth: depth)
            )
        }
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
        let depth = 1 + (request.conditions.map(\.depth).max() ?? 0)
        let filter: MemberFilter = { state in
            let entity = state.model.describedEntity(of: Member.self)
            return try request.filter(entity, &state) ?? .always
        }
        return with { copy in
            copy.conditions.append(
                depth > StoreExpression.greatestDepth
                    ? .unsupported(.tooDeep("where(_:contains:)"))
                    : .hasMember(PropertyPath(keyPath), filter, depth: depth)
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
        StoreExpression.all(of: try conditions.map { try filter($0, entity, &state) })
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
                entity: entity.index,
                variables: [predicate.variable.key: .object(entity: entity.index) { $0 }]
            )
            return try translation.value(predicate.expression)
        // No store keeps such a value, and some would mistake it for another.
        case .equals(let keyPath, let value) where value.reasonNotStorable != nil:
            return .isOneOf(try column(keyPath, &state), [])
        case .bound(let keyPath, _, let value) where value.reasonNotStorable != nil:
            return .isOneOf(try column(keyPath, &state), [])
        case .hasPrefix(let keyPath, let part) where part.utf8.contains(0),
            .hasSuffix(let keyPath, let part) where part.utf8.contains(0),
            .contains(let keyPath, let part) where part.utf8.contains(0):
            return .isOneOf(try column(keyPath, &state), [])
        case .equals(let keyPath, let value):
            let form = try form(keyPath, entity, &state)
            return .equal(try column(keyPath, &state), .constant(value.formed(form)))
        case .hasPrefix(let keyPath, let prefix):
            let form = try form(keyPath, entity, &state)
            return .hasPrefix(try column(keyPath, &state), .constant(.text(prefix).formed(form)))
        case .hasSuffix(let keyPath, let suffix):
            let isComposed = try form(keyPath, entity, &state) == .composed
            return .hasSuffix(try column(keyPath, &state), isComposed ? suffix.composed : suffix)
        case .contains(let keyPath, let part):
            let form = try form(keyPath, entity, &state)
            return .contains(try column(keyPath, &state), .constant(.text(part).formed(form)))
        case .isMissing(let keyPath, let isMissing):
            let missing = StoreExpression.equal(try column(keyPath, &state), .constant(.null))
            return isMissing ? missing : .not(missing)
        case .bound(let keyPath, let bound, let value):
            let slot = try orderedSlot(try state.slot(of: keyPath.keyPath), state.model)
            let column = StoreExpression.column(slot)
            let value = StoreExpression.constant(value.formed(entity.textForms[slot]))
            switch bound {
            case .greater: return .less(value, column)
            case .greaterOrEqual: return .lessOrEqual(value, column)
            case .less: return .less(column, value)
            }
        case .isOneOf(let ids):
            let ids = ids.filter { $0.entity == entity.index }
            return .isOneOf(.key, Set(ids.map { .reference($0) }))
        case .hasOneOf(let keyPath, let values):
            let form = try form(keyPath, entity, &state)
            return .isOneOf(try column(keyPath, &state), Set(values.map { $0.formed(form) }))
        case .unsupported(let error): throw error
        case .either(let alternatives, _):
            let filters = try alternatives.map { conditions in
                StoreExpression.all(of: try conditions.map { try filter($0, entity, &state) })
                    ?? .always
            }
            return StoreExpression.any(of: filters) ?? .isOneOf(.key, [])
        case .hasMember(let path, let filter, _):
            let keyPath = path.keyPath
            guard case .members(let members, let slot) = try state.requestedPlace(of: keyPath)
            else {
                throw UnsupportedPredicateError(
                    expression: "\(keyPath)",
                    reason: "it is no relationship to many"
                )
            }
            let condition = try filter(&state)
            return .less(
                .constant(.integer(0)),
                .count(entity: members, column: slot, where: condition)
            )
        }
    }

    private func form(
        _ path: PropertyPath,
        _ entity: ManagedObjectModel.Entity,
        _ state: inout ContextState
    ) throws -> TextForm {
        entity.textForms[try state.slot(of: path.keyPath)]
    }

    private func column(
        _ path: PropertyPath,
        _ state: inout ContextState
    ) throws -> StoreExpression {
        .column(try state.slot(of: path.keyPath))
    }
}
