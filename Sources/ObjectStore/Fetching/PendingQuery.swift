/// Answers a query from a store and the unsaved changes of a context.
///
/// It reads no more of the store than the query without changes would, and the rows that the changes
/// concern. The store selects and sorts the others.
struct PendingQuery {
    private let query: StoreQuery
    private let store: any StoreReading
    private let pending: PendingRows
    /// The changed rows of the store; it does not know whether they are selected.
    private let changed: ObjectSet
    /// The unchanged rows of the store of which the same is true, because related rows have changed.
    private let related: Set<ObjectID>

    /// Finds out which rows the changes concern.
    init(_ query: StoreQuery, _ graph: ObjectGraph, _ store: any StoreReading) throws {
        self.query = query
        self.store = store
        pending = PendingRows(
            graph: graph,
            store: StoreRows(store: store, model: query.model)
        )
        changed = graph.changed.stored(of: query.entity.index)
        related = try pending.related(to: query.filter, of: query.entity.index)
            .filter { !$0.isProvisional && !graph.changed.contains($0) }
    }

    /// The selected rows in the order of the query.
    func rows() throws -> [StoredRow] {
        guard let wanted = query.end else {
            return merge(try store.rows(matching: query.unlimited), try selected())
        }
        let selected = try selected(first: wanted)
        // Some of the rows that the store selects are not selected any more. Mostly few of the first are, so
        // only a few more are asked for, until there are enough.
        var more = min(hiddenCount, max(4, wanted / 4))
        while true {
            var wide = query.unlimited
            let (limit, isBeyond) = wanted.addingReportingOverflow(more)
            if !isBeyond { wide.limit = limit }
            let rows = try store.rows(matching: wide)
            let isEnough = rows.count - rows.count(where: isHidden) >= wanted
            if isEnough || isBeyond || rows.count < limit || more >= hiddenCount {
                return merge(rows, selected)
            }
            more = min(hiddenCount, 4 * more)
        }
    }

    /// The keys of the selected rows, for a query in the order of keys.
    func ids() throws -> [ObjectID] {
        guard query.order.isEmpty, query.limit == nil, query.offset == 0 else {
            return try rows().map(\.id)
        }
        let ids = try store.keys(matching: query).lazy
            .map { ObjectID(entity: query.entity.index, key: $0) }
            .filter { !changed.contains($0) && !related.contains($0) }
        return (ids + (try selected().map(\.id))).sorted()
    }

    /// The number of selected rows.
    func count() throws -> Int {
        var wide = query.unlimited
        wide.order = []
        if let end = query.end {
            let (limit, isBeyond) = end.addingReportingOverflow(hiddenCount)
            if !isBeyond { wide.limit = limit }
        }
        var count = try store.count(matching: wide)
        if hiddenCount > 0 {
            // In the order in which the store has them, so that it finds one beside the other.
            let hidden = (Array(changed) + related).sorted()
            let isHidden = StoreExpression.isOneOf(.key, hidden.map { .reference($0) })
            wide.filter = wide.filter.map { .and(isHidden, $0) } ?? isHidden
            count -= try store.count(matching: wide)
        }
        count = max(0, try count + selectedCount() - query.offset)
        return query.limit.map { min($0, count) } ?? count
    }

    private var hiddenCount: Int { changed.count + related.count }

    /// Whether the store may be wrong about a row.
    private func isHidden(_ row: StoredRow) -> Bool {
        changed.contains(row.id) || related.contains(row.id)
    }

    /// The rows that the changes concern and the query selects, in its order.
    ///
    /// - Parameter count: How many are wanted at most; nil for all.
    /// - Returns: The rows.
    /// - Throws: ``StoreError``.
    private func selected(first count: Int? = nil) throws -> [StoredRow] {
        guard query.order.isEmpty, related.isEmpty else {
            return firstInOrder(count, of: try unorderedRows())
        }
        // In the order of identities only as many rows are looked at as are wanted. New ones come last.
        var rows: [StoredRow] = []
        for ids in pending.graph.candidates(for: query) {
            for id in ids {
                if rows.count == count { return rows }
                if let row = try presentIfSelected(id) { rows.append(row) }
            }
        }
        return rows
    }

    /// The number of rows that the changes concern and the query selects.
    private func selectedCount() throws -> Int {
        guard query.filter == nil else { return try unorderedRows().count }
        // A new object that is deleted is no change any more.
        let graph = pending.graph
        return graph.changed.new(of: query.entity.index).count
            + changed.count { graph.rows[$0]?.isDeleted == false }
    }

    private func unorderedRows() throws -> [StoredRow] {
        let rows = try pending.graph.candidates(for: query).joined().compactMap(presentIfSelected)
        if related.isEmpty { return rows }
        let stored = try store.rows(of: query.entity, keys: related.map(\.key))
        return rows + (try stored.filter { try query.selects($0, among: pending) })
    }

    /// A changed row with its present values; nil if it is deleted, or not selected.
    private func presentIfSelected(_ id: ObjectID) throws -> StoredRow? {
        guard let row = pending.present(id), try query.selects(row, among: pending) else {
            return nil
        }
        return row
    }

    /// The first of some rows in the order of the query.
    private func firstInOrder(_ count: Int?, of rows: [StoredRow]) -> [StoredRow] {
        // Of few, each is put in its place, which is faster than sorting the others as well.
        guard let count, count <= 100, count < rows.count else {
            return rows.sorted(by: query.isInOrder)
        }
        var first: [StoredRow] = []
        for row in rows {
            if first.count == count {
                guard let last = first.last, query.isInOrder(row, last) else { continue }
                first.removeLast()
            }
            let next = first.lastIndex { !query.isInOrder(row, $0) }.map { $0 + 1 } ?? 0
            first.insert(row, at: next)
        }
        return first
    }

    /// The rows of the store that the changes do not concern, and the selected others.
    private func merge(_ stored: [StoredRow], _ selected: [StoredRow]) -> [StoredRow] {
        query.limited(query.merged(stored.filter { !isHidden($0) }, selected))
    }
}

extension StoreQuery {
    /// The number of rows up to the last that is wanted; nil for all.
    fileprivate var end: Int? {
        guard let limit else { return nil }
        let (end, isBeyond) = limit.addingReportingOverflow(offset)
        return isBeyond ? nil : end
    }
}

extension ObjectGraph {
    /// Whether there are changes that could decide what a query selects.
    func hasChanges(concerning query: StoreQuery) -> Bool {
        if changed.isEmpty { return false }
        let related = query.filter?.relatedEntities(from: query.entity.index, in: query.model) ?? []
        return changed.concern(related.union([query.entity.index]))
    }

    /// The changed rows of an entity that fulfil a condition, and possibly others, deleted ones
    /// included; as few as the followed columns allow.
    ///
    /// All of a later set come after all of an earlier one in the order of identities.
    fileprivate func candidates(for query: StoreQuery) -> [ObjectSet] {
        let entity = query.entity
        var fewest: ObjectSet?
        for condition in query.filter?.conjuncts ?? [] {
            guard let (slot, value) = condition.soughtValue, entity.columns[slot].holds(value),
                let found = changed.those(
                    with: value,
                    in: ChangedObjects.Column(entity: entity.index, slot: slot)
                ),
                found.count < fewest?.count ?? .max
            else { continue }
            fewest = found
        }
        return fewest.map { [$0] }
            ?? [changed.stored(of: entity.index), changed.new(of: entity.index)]
    }

    /// Makes the changed rows quick to find by the values that a query seeks.
    mutating func follow(_ query: StoreQuery) {
        // A few rows are looked at faster than they are indexed.
        let fewRows = 16
        let entity = query.entity
        for condition in query.filter?.conjuncts ?? []
        where changed.count(of: entity.index) > fewRows {
            guard let (slot, value) = condition.soughtValue,
                entity.columns[slot].holds(value)
            else { continue }
            follow(ChangedObjects.Column(entity: entity.index, slot: slot))
        }
        for place in query.filter?.memberPlaces ?? []
        where changed.count(of: place.entity) > fewRows {
            follow(ChangedObjects.Column(entity: place.entity, slot: place.slot))
        }
    }
}

extension StoreExpression {
    /// The column and the value that it must have, if this is such a condition.
    fileprivate var soughtValue: (slot: Int, value: AttributeValue)? {
        switch self {
        case .equal(.column(let slot), .constant(let value)),
            .equal(.constant(let value), .column(let slot)):
            value.isNull ? nil : (slot, value)
        default: nil
        }
    }
}

extension ManagedObjectModel.Column {
    /// Whether a value is of the kind that the column holds, so that only the same value is equal.
    fileprivate func holds(_ value: AttributeValue) -> Bool {
        switch (storage, value) {
        case (.integer, .integer), (.real, .real), (.date, .real), (.text, .text),
            (.unsigned, .text), (.data, .data), (nil, .reference):
            true
        default: false
        }
    }
}

/// The rows of a store as they will be after the context has saved its changes.
private struct PendingRows: RelatedRows {
    let graph: ObjectGraph
    let store: StoreRows

    /// A changed row with its present values; nil if it is deleted.
    func present(_ id: ObjectID) -> StoredRow? {
        guard let row = graph.rows[id], !row.isDeleted else { return nil }
        return StoredRow(id: id, version: row.stored?.version ?? 0, values: row.values)
    }

    func row(_ id: ObjectID) throws -> StoredRow? {
        graph.changed.contains(id) ? present(id) : try store.row(id)
    }

    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) throws -> [StoredRow] {
        let stored = id.isProvisional ? [] : try store.rows(of: entity, whose: column, leadsTo: id)
        let place = ChangedObjects.Column(entity: entity, slot: column)
        let sought = AttributeValue.reference(id)
        let changed =
            graph.changed.those(with: sought, in: place).map(Array.init)
            ?? Array(graph.changed.all(of: entity))
        return stored.filter { !graph.changed.contains($0.id) }
            + changed.compactMap(present).filter { $0.values[column] == sought }
    }

    /// The rows of an entity for which a condition may have another value than in the store, because
    /// it finds changed rows related to them.
    func related(to filter: StoreExpression?, of entity: Int) throws -> Set<ObjectID> {
        var ids: Set<ObjectID> = []
        var open = filter.map { [$0] } ?? []
        while let expression = open.popLast() {
            switch expression {
            case .related(let column, let inner):
                let target = store.model.entities[entity].columns[column]
                guard case .reference(let target, _) = target.kind else { continue }
                let targets = try concerned(by: inner, of: target)
                ids.formUnion(try self.ids(of: entity, leadingTo: targets, through: column))
            case .count(let members, let column, let condition):
                let concerned = try concerned(by: condition, of: members)
                ids.formUnion(try targets(of: concerned, of: members, through: column))
            default: open += expression.parts
            }
        }
        return ids
    }

    private func concerned(by filter: StoreExpression, of entity: Int) throws -> Set<ObjectID> {
        try related(to: filter, of: entity).union(graph.changed.all(of: entity))
    }

    /// The stored rows that lead to one of some others.
    private func ids(
        of entity: Int,
        leadingTo targets: Set<ObjectID>,
        through column: Int
    ) throws -> [ObjectID] {
        let stored = targets.filter { !$0.isProvisional }
        if stored.isEmpty { return [] }
        return try store.store.rows(
            of: store.model.entities[entity],
            where: [column],
            areOneOf: stored.map { [.reference($0)] }
        ).map(\.id)
    }

    /// What some rows lead to, in the store and here.
    private func targets(
        of ids: Set<ObjectID>,
        of entity: Int,
        through column: Int
    ) throws -> [ObjectID] {
        let keys = ids.filter { !$0.isProvisional }.map(\.key)
        let rows = try store.store.rows(of: store.model.entities[entity], keys: keys)
        return (rows + ids.compactMap(present)).compactMap { $0.values[column].reference }
    }
}
