extension StoreExpression {
    /// How deep conditions of a request may be, one within the other, so that walking them by
    /// recursion is safe.
    static let greatestDepth = 100

    /// How much of an expression a parser may have to remember; that of SQLite has a stack of 100.
    private static let greatestWeight = 80

    /// Whether an expression is too much for the parser of a store.
    ///
    /// What comes first in a pair only opens a parenthesis; what comes next also keeps the first and
    /// the operator on the stack.
    var isTooDeep: Bool {
        var open = [(self, 1)]
        while let (expression, weight) = open.popLast() {
            if weight > Self.greatestWeight { return true }
            let first =
                switch expression {
                case .related, .count, .choose, .whenPresent: 6
                default: 1
                }
            for (place, part) in expression.parts.enumerated() {
                open.append((part, weight + first + 2 * place))
            }
        }
        return false
    }

    /// Conditions that must all be true, as one; nil if there are none.
    ///
    /// They form a tree of little depth, however many they are: whatever walks an expression, here
    /// and in SQLite, walks it by recursion.
    static func all(of conditions: some Collection<StoreExpression>) -> StoreExpression? {
        balanced(Array(conditions)[...]) { .and($0, $1) }
    }

    /// Conditions of which one must be true, as one; nil if there are none.
    static func any(of conditions: some Collection<StoreExpression>) -> StoreExpression? {
        balanced(Array(conditions)[...]) { .or($0, $1) }
    }

    private static func balanced(
        _ parts: ArraySlice<StoreExpression>,
        _ join: (StoreExpression, StoreExpression) -> StoreExpression
    ) -> StoreExpression? {
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        let middle = parts.startIndex + parts.count / 2
        return join(
            balanced(parts[..<middle], join) ?? first,
            balanced(parts[middle...], join) ?? first
        )
    }

    /// The expressions that this one consists of.
    ///
    /// Those within ``related(column:_:)`` and ``count(entity:column:where:)`` are on other rows.
    var parts: [StoreExpression] {
        switch self {
        case .key, .column, .constant: []
        case .related(_, let inner), .count(_, _, let inner): [inner]
        case .isOneOf(let a, _), .hasSuffix(let a, _), .not(let a): [a]
        case .equal(let a, let b), .less(let a, let b), .lessOrEqual(let a, let b),
            .hasPrefix(let a, let b), .contains(let a, let b), .and(let a, let b),
            .or(let a, let b), .sum(let a, let b), .difference(let a, let b),
            .product(let a, let b), .coalesce(let a, let b), .whenPresent(let a, let b):
            [a, b]
        case .choose(let a, let b, let c): [a, b, c]
        }
    }

    /// The relationships to many whose members the expression counts.
    var memberPlaces: Set<MemberPlace> {
        var places: Set<MemberPlace> = []
        var open = [self]
        while let expression = open.popLast() {
            if case .count(let entity, let column, _) = expression {
                places.insert(MemberPlace(entity: entity, slot: column))
            }
            open += expression.parts
        }
        return places
    }

    /// The entities whose rows decide the value, besides the row of the expression.
    func relatedEntities(from entity: Int, in model: ManagedObjectModel) -> Set<Int> {
        var entities: Set<Int> = []
        var open = [(self, entity)]
        while let (expression, entity) = open.popLast() {
            var inner = entity
            switch expression {
            case .related(let column, _):
                guard case .reference(let target, _) = model.entities[entity].columns[column].kind
                else { continue }
                inner = target
            case .count(let members, _, _): inner = members
            default: break
            }
            if case .related = expression { entities.insert(inner) }
            if case .count = expression { entities.insert(inner) }
            open += expression.parts.map { ($0, inner) }
        }
        return entities
    }
}
