// What a condition says of the rows that fulfil it, so that others need not be looked at.

extension StoreExpression {
    /// The conditions that are all true if this one is.
    package var conjuncts: [StoreExpression] {
        var conjuncts: [StoreExpression] = []
        var open = [self]
        while let condition = open.popLast() {
            if case .and(let a, let b) = condition {
                open += [b, a]
            } else {
                conjuncts.append(condition)
            }
        }
        return conjuncts
    }

    /// The objects of which it must be one, if this is such a condition.
    var soughtKeys: [ObjectID]? {
        switch self {
        case .equal(.key, .constant(.reference(let id))),
            .equal(.constant(.reference(let id)), .key):
            [id]
        case .isOneOf(.key, let values): values.compactMap(\.reference)
        default: nil
        }
    }

    /// The column and the values of which it must have one, if this is such a condition.
    ///
    /// They are of the column's kind, or missing: an integer can be equal to a real.
    func soughtValues(
        of entity: ManagedObjectModel.Entity
    ) -> (column: Int, values: Set<AttributeValue>)? {
        let (column, values): (Int, Set<AttributeValue>)
        switch self {
        case .equal(.column(let place), .constant(let value)),
            .equal(.constant(let value), .column(let place)):
            (column, values) = (place, [value])
        case .isOneOf(.column(let place), let any): (column, values) = (place, any)
        default: return nil
        }
        return values.allSatisfy { $0.isNull || entity.columns[column].holds($0) }
            ? (column, values) : nil
    }

    /// The column that it bounds, and how, if this is such a condition.
    func bounds(in entity: ManagedObjectModel.Entity) -> ValueBounds? {
        let (column, value): (Int, AttributeValue)
        let isBelow, isAbove: (AttributeValue) -> Bool
        switch self {
        case .less(.constant(let least), .column(let place)):
            (column, value) = (place, least)
            (isBelow, isAbove) = ({ $0 <= least }, { _ in false })
        case .lessOrEqual(.constant(let least), .column(let place)):
            (column, value) = (place, least)
            (isBelow, isAbove) = ({ $0 < least }, { _ in false })
        case .less(.column(let place), .constant(let greatest)):
            (column, value) = (place, greatest)
            (isBelow, isAbove) = (\.isNull, { $0 >= greatest })
        case .lessOrEqual(.column(let place), .constant(let greatest)):
            (column, value) = (place, greatest)
            (isBelow, isAbove) = (\.isNull, { $0 > greatest })
        case .hasPrefix(.column(let place), .constant(.text(let beginning))):
            (column, value) = (place, .text(beginning))
            let bytes = Array(beginning.utf8)
            isBelow = { $0 < .text(beginning) }
            // Those that begin so are one after the other, the beginning itself first.
            isAbove = { value in
                guard case .text(let text) = value else { return value > .text(beginning) }
                return value > .text(beginning) && Array(text.utf8.prefix(bytes.count)) != bytes
            }
        default: return nil
        }
        // One of another kind is in another order.
        guard entity.columns[column].holds(value.comparable) else { return nil }
        return ValueBounds(column: column, isBelow: isBelow, isAbove: isAbove)
    }

    /// Sets in which all rows are that fulfil the condition.
    ///
    /// - Parameter search: Gives these for a condition that does not consist of others; nil if it cannot tell.
    /// - Returns: The sets; nil if it cannot be told.
    func sets(_ search: (StoreExpression) -> [ObjectSet]?) -> [ObjectSet]? {
        switch self {
        case .and(let a, let b):
            return [a.sets(search), b.sets(search)].compactMap(\.self)
                .min { $0.total < $1.total }
        case .or(let a, let b):
            guard let these = a.sets(search), let others = b.sets(search) else { return nil }
            return these + others
        default: return search(self)
        }
    }
}

/// The values of a column between which a condition can be true, in the order that values have.
struct ValueBounds {
    let column: Int
    /// Whether a value, and all that are less, are too little or missing.
    let isBelow: (AttributeValue) -> Bool
    /// Whether a value, and all that are greater, are too great.
    let isAbove: (AttributeValue) -> Bool
}
