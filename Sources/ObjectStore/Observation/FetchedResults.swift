/// The change of a request's result, as positions for updating a table view.
///
/// Old positions refer to the result before, new positions to ``ids``. To update a table: remove
/// deleted and moved rows, from the end; insert inserted and moved rows, from the beginning; reload
/// updated rows.
public struct FetchedResultsChange: Sendable, Equatable {
    /// The new result.
    public let ids: [ObjectID]
    /// Old positions of objects that left the result, in ascending order.
    public let deleted: [Int]
    /// New positions of objects that entered the result, in ascending order.
    public let inserted: [Int]
    /// Objects whose order among the remaining ones has changed.
    public let moved: [Move]
    /// New positions of remaining objects with changed values, in ascending order.
    public let updated: [Int]

    /// A move of an object.
    public struct Move: Sendable, Hashable {
        /// The old position.
        public let from: Int
        /// The new position.
        public let to: Int
    }

    /// Compares two results.
    ///
    /// - Parameters:
    ///   - before: The old result, without duplicates.
    ///   - now: The new result, without duplicates.
    ///   - changed: Objects with changed values.
    init(from before: [ObjectID], to now: [ObjectID], changed: Set<ObjectID>) {
        ids = now
        let origins = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
        let present = Set(now)
        deleted = before.indices.filter { !present.contains(before[$0]) }
        inserted = now.indices.filter { origins[now[$0]] == nil }
        updated = now.indices.filter { changed.contains(now[$0]) && origins[now[$0]] != nil }
        let stayed = now.enumerated().compactMap { position, id in
            origins[id].map { Move(from: $0, to: position) }
        }
        let inOrder = Self.longestRise(of: stayed.map(\.from))
        moved = stayed.indices.filter { !inOrder.contains($0) }.map { stayed[$0] }
    }

    /// The positions of a longest increasing subsequence.
    ///
    /// `difference(from:)` would need time and memory by the square of the number of differences,
    /// and in a first or newly sorted result every element differs.
    private static func longestRise(of numbers: [Int]) -> Set<Int> {
        // For each length, the end of a rise of that length with the smallest last number.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (position, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var rise: Set<Int> = []
        var next = ends.last
        while let position = next {
            rise.insert(position)
            next = previous[position]
        }
        return rise
    }

    /// Whether there is nothing to report.
    var isEmpty: Bool {
        deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
    }
}

extension PersistentContainer {
    /// The result of a request, and its changes with every save.
    ///
    /// The first element reports every object as inserted. A save that does not change the result
    /// adds no element; several saves between two reads may be combined into one element.
    ///
    /// - Parameter request: The objects, and their order.
    /// - Returns: The changes, without end; it throws ``StoreError`` if the store cannot be read.
    /// - Throws: ``UnsupportedPredicateError``.
    public func observe<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws -> AsyncThrowingStream<FetchedResultsChange, any Error> {
        let query = try makeContext().query(for: request)
        // The stream starts before the first fetch, so that no save is missed.
        let saves = storeChanges.stream()
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    var results = FetchedResults(query: query)
                    continuation.yield(try results.change(after: nil, in: self))
                    for await save in saves where results.concerns(save) {
                        let change = try results.change(after: save, in: self)
                        if !change.isEmpty { continuation.yield(change) }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    fileprivate func ids(matching query: StoreQuery) throws -> [ObjectID] {
        try store.read { try $0.rows(matching: query).map(\.id) }
    }
}

/// The last reported result of a query.
private struct FetchedResults: Sendable {
    private let query: StoreQuery
    private let entities: Set<Int>
    private var ids: [ObjectID] = []

    init(query: StoreQuery) {
        self.query = query
        let related = query.filter?.relatedEntities(from: query.entity.index, in: query.model) ?? []
        entities = related.union([query.entity.index])
    }

    /// Whether a save may have changed the result.
    func concerns(_ save: SaveResult) -> Bool {
        !save.isComplete
            || save.changes.contains {
                entities.contains($0.key.entity) && $0.value.kind != .unchanged
            }
    }

    mutating func change(
        after save: SaveResult?,
        in container: PersistentContainer
    ) throws -> FetchedResultsChange {
        let now = try container.ids(matching: query)
        defer { ids = now }
        // If the changed objects are unknown, all may have changed.
        if let save, !save.isComplete {
            return FetchedResultsChange(from: ids, to: now, changed: Set(now))
        }
        let changed = (save?.changes ?? [:]).filter { $0.value.kind == .updated }
        return FetchedResultsChange(from: ids, to: now, changed: Set(changed.keys))
    }
}
