/// How the result of a request has changed, in positions, as a table of them needs it.
///
/// Positions before are those of the result before, positions now those of ``ids``. To bring a table
/// up to date: take away what was deleted and what moves, from the end; put in what was inserted and
/// what has moved, from the beginning; draw anew what was updated.
public struct FetchedResultsChange: Sendable, Equatable {
    /// The result now.
    public let ids: [ObjectID]
    /// Positions before of objects that are no longer in the result, in ascending order.
    public let deleted: [Int]
    /// Positions now of objects that are new in the result, in ascending order.
    public let inserted: [Int]
    /// Objects that stand in another order among those that have stayed.
    public let moved: [Move]
    /// Positions now of objects that have stayed and have other values, in ascending order.
    public let updated: [Int]

    /// A change of place.
    public struct Move: Sendable, Hashable {
        /// The position before.
        public let from: Int
        /// The position now.
        public let to: Int
    }

    /// Compares two results.
    ///
    /// - Parameters:
    ///   - before: The result before; no object is in it twice.
    ///   - now: The result now, likewise.
    ///   - changed: Objects that have other values.
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

    /// The positions of as many numbers as possible that rise from each to the next.
    ///
    /// `difference(from:)` would need room and time by the square of the number of differences: all of
    /// them are, in a first result or one that is sorted anew.
    private static func longestRise(of numbers: [Int]) -> Set<Int> {
        // For each length, where a rise of that length ends, with the smallest number that one can.
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

    /// Whether there is nothing to tell.
    var isEmpty: Bool {
        deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
    }
}

extension PersistentContainer {
    /// The result of a request, and how it changes with what its contexts and others save.
    ///
    /// The first element has everything as inserted. Saves that change nothing about the result give
    /// none; several that come while nobody takes an element may give one together.
    ///
    /// - Parameter request: Which objects, in which order.
    /// - Returns: The changes, without end; it throws ``StoreError`` where the store cannot be read.
    /// - Throws: ``UnsupportedPredicateError``.
    public func observe<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws -> AsyncThrowingStream<FetchedResultsChange, any Error> {
        let query = try makeContext().query(for: request)
        // Listening begins before the first fetch, so that no save falls in between.
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
        try readStore { try $0.rows(matching: query).map(\.id) }
    }
}

/// The result of a query as it was last told.
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
        // Where it is not known what has changed, everything may have.
        if let save, !save.isComplete {
            return FetchedResultsChange(from: ids, to: now, changed: Set(now))
        }
        let changed = (save?.changes ?? [:]).filter { $0.value.kind == .updated }
        return FetchedResultsChange(from: ids, to: now, changed: Set(changed.keys))
    }
}
