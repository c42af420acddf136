/// Answers a query from a store and the unsaved changes of a context.
///
/// It reads no more of the store than the query without changes would, and the rows that the changes
/// concern. The store selects and sorts the others.
struct PendingQuery {
    private var query: StoreQuery
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
            let stored = try store.rows(matching: query.unlimited).filter { !isHidden($0) }
            return query.limited(query.merged(stored, try selected()))
        }
        let stored = try shown(first: wanted, store.rows) { isHidden($0) }
        // Whatever comes after as many rows as are wanted is not looked at.
        let last = stored.count < wanted ? nil : stored.prefix(wanted).last
        return query.limited(query.merged(stored, try selected(first: wanted, before: last)))
    }

    /// The first rows that the store selects and the changes do not concern, possibly some more; or their keys.
    private func shown<Row>(
        first wanted: Int,
        _ read: (StoreQuery) throws -> [Row],
        where isHidden: (Row) -> Bool
    ) throws -> [Row] {
        // Some of the rows that the store selects are not selected any more. Mostly few of the first are, so
        // only a few more are asked for, until there are enough.
        var more = min(hiddenCount, max(4, wanted / 4))
        while true {
            var wide = query.unlimited
            let (limit, isBeyond) = wanted.addingReportingOverflow(more)
            if !isBeyond { wide.limit = limit }
            let rows = try read(wide)
            let shown = rows.filter { !isHidden($0) }
            let isEnough = shown.count >= wanted || rows.count < limit
            if isEnough || isBeyond || more >= hiddenCount { return shown }
            more = min(hiddenCount, 4 * more)
        }
    }

    /// The keys of the selected rows, for a query in the order of keys.
    func ids() throws -> [ObjectID] {
        guard query.order.isEmpty, query.limit == nil, query.offset == 0 else {
            return try rows().map(\.id)
        }
        let ids = try store.keys(matching: query).lazy.filter { !isHidden($0) }
            .map { ObjectID(entity: query.entity.index, key: $0) }
        return (ids + (try selected().map(\.id))).sorted()
    }

    /// The number of selected rows.
    ///
    /// - Parameter known: What the context knows of the changed rows.
    /// - Returns: The number.
    /// - Throws: ``StoreError``.
    func count(knowing known: inout ObjectsOnRecord) throws -> Int {
        if query.filter != nil, let end = query.end, end <= Self.fewRows {
            var unordered = self
            unordered.query = query.unordered
            return max(0, try unordered.count(upTo: end) - query.offset)
        }
        var wide = query.unlimited.unordered
        if let end = query.end {
            let (limit, isBeyond) = end.addingReportingOverflow(hiddenCount)
            if !isBeyond { wide.limit = limit }
        }
        var count = try store.count(matching: wide)
        if let filter = query.filter {
            if count <= hiddenCount {
                // To look at the fewer: those that are found, or those that may be wrong.
                if count > 0 { count = try store.keys(matching: wide).count { !isHidden($0) } }
            } else if hiddenCount > 0 {
                let hidden = Array(changed) + related
                wide.filter = .and(.isOneOf(.key, Set(hidden.map { .reference($0) })), filter)
                count -= try store.count(matching: wide)
            }
            let candidates = Candidates(query.unordered, among: pending.graph.changed)
            count += try selected(of: candidates).count
        } else {
            count += try known.surplus(for: query, pending.graph, store)
        }
        count = max(0, count - query.offset)
        return query.limit.map { min($0, count) } ?? count
    }

    /// The number of selected rows, at most a few.
    private func count(upTo most: Int) throws -> Int {
        let stored = try shown(first: most, store.keys) { isHidden($0) }.count
        if stored >= most { return most }
        return stored + (try selected(first: most - stored).count)
    }

    /// As many rows as are handled one by one rather than all together.
    private static let fewRows = 100

    private var hiddenCount: Int { changed.count + related.count }

    /// Whether the store may be wrong about a row.
    private func isHidden(_ row: StoredRow) -> Bool { isHidden(row.id.key) }

    private func isHidden(_ key: Int64) -> Bool {
        let id = ObjectID(entity: query.entity.index, key: key)
        return changed.contains(id) || related.contains(id)
    }

    /// The rows that the changes concern and the query selects, in its order.
    ///
    /// - Parameters:
    ///   - count: How many are wanted at most; nil for all.
    ///   - end: The row before which they are wanted; others may come too. Nil for all.
    /// - Returns: The rows.
    /// - Throws: ``StoreError``.
    private func selected(
        first count: Int? = nil,
        before end: StoredRow? = nil
    ) throws -> [StoredRow] {
        let candidates = Candidates(query, among: pending.graph.changed)
        guard related.isEmpty, let count, let inOrder = candidates.inOrder(before: end) else {
            return firstInOrder(count, of: try selected(of: candidates))
        }
        var (rows, looked): ([StoredRow], Int) = ([], 0)
        for id in inOrder {
            if rows.count == count { break }
            // From here on it costs less to look at the candidates, wherever they are in the order.
            if looked == candidates.count {
                return firstInOrder(count, of: try selected(of: candidates))
            }
            looked += 1
            if let row = try presentIfSelected(id) { rows.append(row) }
        }
        return rows
    }

    /// The same, all of them in any order.
    private func selected(of candidates: Candidates) throws -> [StoredRow] {
        let rows = try candidates.ids.compactMap(presentIfSelected)
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
        guard let count, count <= Self.fewRows, count < rows.count else {
            return query.sorted(rows)
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
}

extension ObjectGraph {
    /// Whether there are changes that could decide what a query selects.
    func hasChanges(concerning query: StoreQuery) -> Bool {
        if changed.isEmpty { return false }
        return changed.concern(query.relatedEntities.union([query.entity.index]))
    }
}

/// The rows of a store as they will be after the context has saved its changes.
private final class PendingRows: RelatedRows {
    let graph: ObjectGraph
    let store: StoreRows

    init(graph: ObjectGraph, store: StoreRows) {
        (self.graph, self.store) = (graph, store)
    }

    /// A changed row with its present values; nil if it is deleted.
    func present(_ id: ObjectID) -> StoredRow? {
        guard let row = graph.rows[id], !row.isDeleted else { return nil }
        return StoredRow(
            id: id,
            version: row.stored?.version ?? 0,
            values: RowValues(plain: row.map(\.comparable))
        )
    }

    func row(_ id: ObjectID) throws -> StoredRow? {
        graph.changed.contains(id) ? present(id) : try store.row(id)
    }

    func rows(of entity: Int, whose column: Int, leadsTo id: ObjectID) throws -> [StoredRow] {
        let stored = id.isProvisional ? [] : try store.rows(of: entity, whose: column, leadsTo: id)
        let place = ChangedObjects.Column(entity: entity, slot: column)
        let sought = AttributeValue.reference(id)
        let changed =
            graph.changed.those(with: [sought], in: place).map { Array($0.joined()) }
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
