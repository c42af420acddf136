// Which changed rows a query may select, without looking at all of them.

extension ObjectGraph {
    /// The changed rows of an entity that fulfil a condition, and possibly others, deleted ones
    /// included; as few as keys or the followed columns allow.
    ///
    /// All of a later set come after all of an earlier one in the order of identities.
    func candidates(for query: StoreQuery) -> [ObjectSet] {
        sought(by: query).map { [$0.union] }
            ?? between(query, atMost: changed.count(of: query.entity.index) / 4) ?? all(of: query)
    }

    /// The same, each once and in the order of identities; not all of them before a few are asked for.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - count: How many are wanted; nil for all.
    /// - Returns: The objects.
    func orderedCandidates(for query: StoreQuery, first count: Int?) -> some Sequence<ObjectID> {
        if let sets = sought(by: query) {
            // Of many, the next one is found more slowly than all are put in order.
            return MergedObjects(sets.count > 16 ? [sets.union] : sets)
        }
        let most = min(
            Self.few,
            (count ?? Self.few).multipliedReportingOverflow(by: 4).partialValue
        )
        return MergedObjects(between(query, atMost: max(16, most)) ?? all(of: query))
    }

    private func all(of query: StoreQuery) -> [ObjectSet] {
        [changed.stored(of: query.entity.index), changed.new(of: query.entity.index)]
    }

    /// As many as are put in order rather than looked at in the order that they have.
    private static let few = 1000

    /// Those between the bounds of a column, as far as its order is followed; nil if there are no bounds, or more.
    private func between(_ query: StoreQuery, atMost most: Int) -> [ObjectSet]? {
        guard let column = query.boundedColumn,
            let ordered = changed.inOrder([StoreOrder(column: column)], of: query.entity.index)
        else { return nil }
        let (least, greatest) = query.bounds(of: column)
        if ordered.count(from: least, through: greatest) > most { return nil }
        return [ObjectSet(ordered.ids(from: least, through: greatest, before: nil))]
    }

    /// Whether they are so few that all are looked at, rather than the first in an order until enough are found.
    func hasFewCandidates(for query: StoreQuery) -> Bool {
        sought(by: query).map { $0.total <= Self.few } ?? false
    }

    /// Sets of the rows, as far as keys or followed columns say which they are; nil if none does.
    private func sought(by query: StoreQuery) -> [ObjectSet]? {
        query.filter.flatMap { sought(by: $0, query.entity) }
    }

    private func sought(
        by condition: StoreExpression,
        _ entity: ManagedObjectModel.Entity
    ) -> [ObjectSet]? {
        switch condition {
        case .and(let a, let b):
            return [sought(by: a, entity), sought(by: b, entity)].compactMap(\.self)
                .min { $0.total < $1.total }
        case .or(let a, let b):
            guard let these = sought(by: a, entity), let others = sought(by: b, entity) else {
                return nil
            }
            return these + others
        default: break
        }
        if let keys = condition.soughtKeys {
            return [ObjectSet(keys.filter { $0.entity == entity.index && changed.contains($0) })]
        }
        guard let (slot, values) = condition.soughtValues(of: entity) else { return nil }
        let column = ChangedObjects.Column(entity: entity.index, slot: slot)
        var sets: [ObjectSet] = []
        for value in values {
            guard let found = changed.those(with: value, in: column) else { return nil }
            sets.append(found)
        }
        return sets
    }

    /// Makes the changed rows quick to find by the values that a query seeks, or in its order.
    mutating func follow(_ query: StoreQuery) {
        // A few rows are looked at faster than they are indexed.
        let fewRows = 16
        let entity = query.entity
        if changed.count(of: entity.index) > fewRows {
            if let filter = query.filter { follow(filter, entity) }
            if query.end != nil, !query.order.isEmpty, !hasFewCandidates(for: query) {
                follow(query.order, of: entity.index)
            } else if changed.count(of: entity.index) > Self.few, let column = query.boundedColumn,
                sought(by: query) == nil
            {
                // Each edit moves an object in the order, which looking at few does not make up for.
                follow([StoreOrder(column: column)], of: entity.index)
            }
        }
        for place in query.filter?.memberPlaces ?? []
        where changed.count(of: place.entity) > fewRows {
            follow(ChangedObjects.Column(entity: place.entity, slot: place.slot))
        }
    }

    /// Follows the columns whose values a condition seeks.
    private mutating func follow(
        _ condition: StoreExpression,
        _ entity: ManagedObjectModel.Entity
    ) {
        switch condition {
        case .and(let a, let b), .or(let a, let b):
            follow(a, entity)
            follow(b, entity)
        default:
            guard let (slot, _) = condition.soughtValues(of: entity) else { return }
            follow(ChangedObjects.Column(entity: entity.index, slot: slot))
        }
    }
}

extension StoreQuery {
    /// The values from which on, and up to which, a column must be, as far as conditions say so.
    func bounds(of column: Int) -> (least: AttributeValue?, greatest: AttributeValue?) {
        let bounds = (filter?.conjuncts ?? []).compactMap { $0.bound(in: entity) }
            .filter { $0.column == column }
        return (bounds.compactMap(\.least).max(), bounds.compactMap(\.greatest).min())
    }

    /// The first column that conditions bound; nil if there is none.
    fileprivate var boundedColumn: Int? {
        filter?.conjuncts.lazy.compactMap { $0.bound(in: entity) }.first?.column
    }
}

extension [ObjectSet] {
    /// How many objects they have, those that several have counted again.
    fileprivate var total: Int { reduce(0) { $0 + $1.count } }

    /// All of their objects; one set alone is not copied.
    fileprivate var union: ObjectSet {
        dropFirst().reduce(into: first ?? ObjectSet()) { $0.formUnion($1) }
    }
}

extension StoreExpression {
    /// The column and the values of which it must have one, if this is such a condition.
    fileprivate func soughtValues(
        of entity: ManagedObjectModel.Entity
    ) -> (slot: Int, values: Set<AttributeValue>)? {
        let (slot, values): (Int, Set<AttributeValue>)
        switch self {
        case .equal(.column(let column), .constant(let value)),
            .equal(.constant(let value), .column(let column)):
            (slot, values) = (column, [value])
        case .isOneOf(.column(let column), let any): (slot, values) = (column, any)
        default: return nil
        }
        return values.allSatisfy { $0.isNull || entity.columns[slot].holds($0) }
            ? (slot, values) : nil
    }

    /// The column that it bounds, and the values from which on and up to which that must be, if this is such a
    /// condition.
    fileprivate func bound(
        in entity: ManagedObjectModel.Entity
    ) -> (column: Int, least: AttributeValue?, greatest: AttributeValue?)? {
        let bound: (column: Int, least: AttributeValue?, greatest: AttributeValue?)
        switch self {
        case .less(.constant(let value), .column(let column)),
            .lessOrEqual(.constant(let value), .column(let column)):
            bound = (column, value.comparable, nil)
        case .less(.column(let column), .constant(let value)),
            .lessOrEqual(.column(let column), .constant(let value)):
            bound = (column, nil, value.comparable)
        case .hasPrefix(.column(let column), .constant(.text(let beginning))):
            bound = (column, .text(beginning), beginning.afterAllThatBeginSo.map { .text($0) })
        default: return nil
        }
        // One of another kind is in another order.
        let isOfItsKind = entity.columns[bound.column].holds
        return [bound.least, bound.greatest].compactMap(\.self).allSatisfy(isOfItsKind)
            ? bound : nil
    }
}

extension String {
    /// The first text after all that begin with this one, in the order of their UTF-8; nil if there is none.
    fileprivate var afterAllThatBeginSo: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Between these two are surrogates, which no text has.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            return String(String.UnicodeScalarView(scalars + [scalar]))
        }
        return nil
    }
}
