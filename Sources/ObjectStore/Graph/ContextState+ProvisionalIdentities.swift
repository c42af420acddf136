extension ContextState {
    /// The condition with the present identities of its objects.
    ///
    /// A request may have captured the identity of an object that was not saved yet. It means that
    /// object for ever.
    ///
    /// - Throws: ``UnsupportedPredicateError`` if this context has no such object: otherwise the
    ///   request would silently find nothing.
    func resolve(_ expression: StoreExpression) throws -> StoreExpression {
        // A closure that captured the whole state would copy it for each constant.
        let (forwarded, rows) = (forwarded, graph.rows)
        return try expression.mapConstants { value in
            guard let id = value.reference, id.isProvisional else { return value }
            if let saved = forwarded[id] { return .reference(saved) }
            if rows.contains(id) { return value }
            throw UnsupportedPredicateError(
                expression: "the identity \(id)",
                reason: "it is provisional, and this context does not have the object; it was "
                    + "taken back, or another context has it: ask for the objectID once that one "
                    + "has saved"
            )
        }
    }
}

extension StoreExpression {
    /// The same expression with other constants.
    fileprivate func mapConstants(
        _ change: (AttributeValue) throws -> AttributeValue
    ) throws -> StoreExpression {
        func map(_ part: StoreExpression) throws -> StoreExpression {
            try part.mapConstants(change)
        }
        switch self {
        case .key, .column: return self
        case .constant(let value): return .constant(try change(value))
        case .related(let column, let inner): return .related(column: column, try map(inner))
        case .count(let entity, let column, let condition):
            return .count(entity: entity, column: column, where: try map(condition))
        case .equal(let a, let b): return .equal(try map(a), try map(b))
        case .less(let a, let b): return .less(try map(a), try map(b))
        case .lessOrEqual(let a, let b): return .lessOrEqual(try map(a), try map(b))
        case .isOneOf(let a, let options): return .isOneOf(try map(a), Set(try options.map(change)))
        case .hasPrefix(let a, let b): return .hasPrefix(try map(a), try map(b))
        case .hasSuffix(let a, let suffix): return .hasSuffix(try map(a), suffix)
        case .contains(let a, let b): return .contains(try map(a), try map(b))
        case .and(let a, let b): return .and(try map(a), try map(b))
        case .or(let a, let b): return .or(try map(a), try map(b))
        case .not(let a): return .not(try map(a))
        case .sum(let a, let b): return .sum(try map(a), try map(b))
        case .difference(let a, let b): return .difference(try map(a), try map(b))
        case .product(let a, let b): return .product(try map(a), try map(b))
        case .coalesce(let a, let b): return .coalesce(try map(a), try map(b))
        case .whenPresent(let a, let b): return .whenPresent(try map(a), try map(b))
        case .choose(let a, let b, let c): return .choose(try map(a), try map(b), try map(c))
        }
    }
}
