internal import Synchronization

extension PersistentContainer {
    /// The result of a request, and its changes with every save.
    ///
    /// The first element reports every object as inserted. A save that does not change the result
    /// adds no element. Elements are made when they are asked for: of who waits with that, only what the saves
    /// have changed is in memory.
    ///
    /// An object of the result counts as updated when its values change, when its members in a
    /// to-many relationship come or go, and when the values of an object change that the request
    /// prefetches with it. So a list of passengers with the number of their bags hears of a bag that
    /// goes from one to the other.
    ///
    /// A save costs what it changes and a copy of the list of identities, unless the request has a limit or an
    /// offset, or a condition on related objects: then the result is read anew.
    ///
    /// - Parameter request: The objects, and their order.
    /// - Returns: The changes, without end; it ends with a ``StoreError`` if the store cannot be read. It is for one
    ///   task: of several each gets a part of the elements, waits for the others, and ends when one is cancelled.
    /// - Throws: ``UnsupportedPredicateError``.
    public func observe<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws -> AsyncThrowingStream<FetchedResultsChange, any Error> {
        let context = makeContext()
        let query = try context.query(for: request)
        let prefetched = try context.places(of: request.prefetched)
        let observation = ResultObservation(
            of: FetchedResults(query: query, prefetched: prefetched),
            in: self
        )
        return AsyncThrowingStream { try await observation.next() }
    }
}

/// Makes the elements of an observed result, one after the other.
private actor ResultObservation {
    private let container: PersistentContainer
    private var results: FetchedResults
    /// Begins before the first fetch, so that no save is missed.
    private var saves: AsyncStream<SaveResult>.AsyncIterator?
    private var hasBegun = false
    /// Whether a task waits for an element, or makes one.
    private var isInUse = false
    /// The tasks that wait for that one.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of results: FetchedResults, in container: PersistentContainer) {
        self.results = results
        self.container = container
        saves = container.storeChanges.stream().makeAsyncIterator()
    }

    func next() async throws -> FetchedResultsChange? {
        // Saves are told in their order, to whoever asks.
        if isInUse { await withCheckedContinuation { waiting.append($0) } }
        isInUse = true
        defer { if waiting.isEmpty { isInUse = false } else { waiting.removeFirst().resume() } }
        // Given back with an element alone. After an error nothing follows: what could not be read would be missing.
        guard var saves = saves.take() else { return nil }
        if !hasBegun {
            hasBegun = true
            let change = try results.change(after: nil, in: container)
            self.saves = saves
            return change
        }
        while let save = await saves.next(isolation: self) {
            guard results.concerns(save) else { continue }
            let change = try results.change(after: save, in: container)
            if change.isEmpty { continue }
            self.saves = saves
            return change
        }
        return nil
    }
}

/// The last reported result of a query.
private struct FetchedResults: Sendable {
    private let query: StoreQuery
    /// The relationships whose objects belong to what is shown of an object.
    private let prefetched: [ManagedObjectModel.PropertyPlace]
    /// The entities that decide which objects are in the result.
    private let related: Set<Int>
    /// The columns whose values are kept.
    private let kept: Set<Int>
    /// The objects in their order, with the values that are kept.
    private var rows: [StoredRow] = []
    private var present: [ObjectID: StoredRow] = [:]
    private var ids: [ObjectID] = []
    /// The last save that the result includes; nil if the store keeps no history.
    private var token: HistoryToken?
    /// The last save of which everything was told: what was read may include later ones.
    private var told: HistoryToken?

    init(query: StoreQuery, prefetched: [ManagedObjectModel.PropertyPlace]) {
        self.query = query
        self.prefetched = prefetched
        related = query.relatedEntities
        let targets = prefetched.compactMap { place -> Int? in
            if case .slot(_, let slot) = place { slot } else { nil }
        }
        kept = Set(query.order.map(\.column) + targets)
    }

    /// Whether a save may have changed the result, or what is shown of it.
    func concerns(_ save: SaveResult) -> Bool {
        if !save.isComplete { return true }
        if let told, let saved = save.token, saved <= told { return false }
        let entity = query.entity
        return save.changes.contains { id, change in
            guard change.kind != .unchanged else { return false }
            return id.entity == entity.index || related.contains(id.entity)
                || entity.memberPlaces.contains { $0.entity == id.entity }
                || prefetched.contains { $0.entity(in: entity) == id.entity }
        }
    }

    mutating func change(
        after save: SaveResult?,
        in container: PersistentContainer
    ) throws -> FetchedResultsChange {
        let isWindow = query.limit != nil || query.offset > 0
        guard let save, save.isComplete, let saved = save.token, let token else {
            return try readAll(after: save, container, from: ids)
        }
        told = saved
        if saved <= token {
            // What came and went was told when it was read.
            return FetchedResultsChange(from: ids, to: ids, changed: updated(by: save))
        }
        if isWindow || save.changes.contains(where: { related.contains($0.key.entity) }) {
            return try readAll(after: save, container, from: ids)
        }
        self.token = saved
        let before = ids
        return try container.store.read { try follow(save, $0) }
            // Not all were where they belong: another tool may have written what sorts otherwise on file.
            ?? readAll(after: save, container, from: before)
    }

    // MARK: Reading everything

    private mutating func readAll(
        after save: SaveResult?,
        _ container: PersistentContainer,
        from before: [ObjectID]
    ) throws -> FetchedResultsChange {
        let (found, token) = try container.store.read { store in
            (try store.rows(matching: query), try? store.lastHistoryToken() ?? .none)
        }
        self.token = token ?? nil
        rows = found.map(shortened)
        ids = rows.map(\.id)
        present = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // If the changed objects are unknown, all may have changed.
        guard let save, save.isComplete else {
            told = self.token
            return FetchedResultsChange(from: before, to: ids, changed: Set(ids))
        }
        return FetchedResultsChange(from: before, to: ids, changed: updated(by: save))
    }

    // MARK: Following a save

    /// Takes in what a save has changed; nil if that needs another reading.
    private mutating func follow(
        _ save: SaveResult,
        _ store: any StoreReading
    ) throws -> FetchedResultsChange? {
        let all = StoreRows(store: store, model: query.model)
        let before = ids
        var (gone, come): ([StoredRow], [StoredRow]) = ([], [])
        for (id, change) in save.changes where id.entity == query.entity.index {
            let old = present[id]
            var new: StoredRow?
            if let after = change.after {
                let row = StoredRow(id: id, version: 0, values: after.values)
                if try query.selects(row, among: all) { new = shortened(row) }
            }
            if old == new { continue }
            if let old { gone.append(old) }
            if let new { come.append(new) }
            present[id] = new
        }
        guard let deleted = places(of: gone) else { return nil }
        replace(deleted.map(\.position).sorted(), by: query.sorted(come))
        let updated = updated(by: save)
        let staying = Set(gone.map(\.id)).intersection(come.map(\.id))
        guard staying.count <= 1 else {
            return FetchedResultsChange(from: before, to: ids, changed: updated)
        }
        guard let inserted = places(of: come) else { return nil }
        let newcomers = Set(inserted.filter { !staying.contains($0.id) }.map(\.position))
        let leavers = deleted.filter { !staying.contains($0.id) }.map(\.position)
        var moved: [FetchedResultsChange.Move] = []
        for (id, from) in deleted where staying.contains(id) {
            for case (id, let to) in inserted
            where from - leavers.count(where: { $0 < from }) != to
                - newcomers.count(where: { $0 < to })
            {
                moved.append(FetchedResultsChange.Move(from: from, to: to))
            }
        }
        guard let shown = places(of: updated.compactMap { present[$0] }) else { return nil }
        return FetchedResultsChange(
            ids: ids,
            deleted: leavers.sorted(),
            inserted: newcomers.sorted(),
            moved: moved,
            updated: shown.map(\.position).filter { !newcomers.contains($0) }.sorted()
        )
    }

    /// Removes the rows at some positions, and inserts others in their places.
    private mutating func replace(_ positions: [Int], by others: [StoredRow]) {
        let fewRows = 16
        guard positions.count + others.count <= fewRows else {
            let gone = Set(positions)
            let rest = rows.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
            rows = query.merged(rest, others)
            ids = rows.map(\.id)
            return
        }
        for position in positions.reversed() {
            rows.remove(at: position)
            ids.remove(at: position)
        }
        for row in others {
            let position = position(of: row)
            rows.insert(row, at: position)
            ids.insert(row.id, at: position)
        }
    }

    /// The positions of rows of the result; nil if one is not where the order puts it.
    private func places(of some: [StoredRow]) -> [(id: ObjectID, position: Int)]? {
        let places = some.map { (id: $0.id, position: position(of: $0)) }
        return places.allSatisfy { rows.indices.contains($0.position) && ids[$0.position] == $0.id }
            ? places : nil
    }

    /// The position of a row in the order of the result.
    private func position(of row: StoredRow) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if query.isInOrder(rows[middle], row) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A row with only the values that decide its place, and what is prefetched with it.
    private func shortened(_ row: StoredRow) -> StoredRow {
        let values =
            kept.isEmpty
            ? [] : row.values.indices.map { kept.contains($0) ? row.values[$0] : .null }
        return StoredRow(id: row.id, version: 0, values: RowValues(values))
    }

    /// The objects of which something is shown that a save has changed.
    private func updated(by save: SaveResult) -> Set<ObjectID> {
        var updated: Set<ObjectID> = []
        var targets: Set<ObjectID> = []
        for (id, change) in save.changes where change.kind != .unchanged {
            if id.entity == query.entity.index && change.kind == .updated { updated.insert(id) }
            if change.kind == .updated { targets.insert(id) }
            let sides = [change.before, change.after]
            for place in query.entity.memberPlaces where place.entity == id.entity {
                let owners = sides.map { $0?.values[place.slot].reference }
                let isShown = prefetched.contains(.members(entity: place.entity, slot: place.slot))
                if owners[0] != owners[1] || isShown {
                    updated.formUnion(owners.compactMap(\.self))
                }
            }
        }
        for case .slot(_, let slot) in prefetched where !targets.isEmpty {
            updated.formUnion(
                rows.filter { $0.values[slot].reference.map(targets.contains) ?? false }.map(\.id)
            )
        }
        return updated
    }
}

extension ManagedObjectModel.PropertyPlace {
    /// The entity of the objects that the property of an entity leads to.
    fileprivate func entity(in owner: ManagedObjectModel.Entity) -> Int? {
        switch self {
        case .members(let entity, _): entity
        case .slot(_, let slot):
            if case .reference(let target, _) = owner.columns[slot].kind { target } else { nil }
        }
    }
}

extension ManagedObjectContext {
    /// The places of relationships.
    fileprivate func places(
        of paths: [PropertyPath]
    ) throws -> [ManagedObjectModel.PropertyPlace] {
        try state.withLock { state in try paths.map { try state.requestedPlace(of: $0.keyPath) } }
    }
}
