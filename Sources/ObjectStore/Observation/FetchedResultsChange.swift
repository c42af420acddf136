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

    /// Describes a change whose positions are known.
    init(ids: [ObjectID], deleted: [Int], inserted: [Int], moved: [Move], updated: [Int]) {
        self.ids = ids
        self.deleted = deleted
        self.inserted = inserted
        self.moved = moved
        self.updated = updated
    }

    /// Compares two results.
    ///
    /// - Parameters:
    ///   - before: The old result, without duplicates.
    ///   - now: The new result, without duplicates.
    ///   - changed: Objects with changed values.
    init(from before: [ObjectID], to now: [ObjectID], changed: Set<ObjectID>) {
        ids = now
        // A file in which something else has written may hold an object twice.
        let origins = Dictionary(
            before.enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let present = Set(now)
        deleted = before.indices.filter { place in
            !present.contains(before[place]) || origins[before[place]] != place
        }
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
