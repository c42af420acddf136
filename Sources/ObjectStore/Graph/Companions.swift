/// Groups of objects that came into a context together and are read together.
///
/// A program that looks at one object of a list mostly goes on to the next. The first read covers
/// few objects, and each later read more: a look at one object costs little, and a walk through all
/// of them takes few queries.
struct Companions: Sendable {
    /// The most objects that are read at a time.
    static let largestBatch = 1000
    private static let smallestBatch = 16
    /// The most lists that are kept for one entity; the oldest is dropped first.
    private static let limit = 8

    private struct List: Sendable {
        let ids: [ObjectID]
        /// The position of each object; empty until the first lookup.
        var positions: [ObjectID: Int] = [:]
        var batch = Companions.smallestBatch

        mutating func position(of id: ObjectID) -> Int? {
            if positions.isEmpty {
                positions = Dictionary(
                    zip(ids, ids.indices),
                    uniquingKeysWith: { first, _ in first }
                )
            }
            return positions[id]
        }
    }

    /// The lists of each entity, the newest last.
    private var lists: [Int: [List]] = [:]

    /// Keeps a list of objects of one entity.
    mutating func add(_ ids: [ObjectID]) {
        guard ids.count > 1, let entity = ids.first?.entity else { return }
        var known = lists[entity, default: []]
        if known.count == Self.limit { known.removeFirst() }
        known.append(List(ids: ids))
        lists[entity] = known
    }

    /// The objects to read together with an object that must be read.
    ///
    /// - Parameters:
    ///   - id: The object.
    ///   - isWanted: Whether another object must be read too.
    /// - Returns: The objects, this one included, or nil if it did not come with others.
    mutating func batch(
        with id: ObjectID,
        where isWanted: (ObjectID) -> Bool
    ) -> [ObjectID]? {
        guard let count = lists[id.entity]?.count else { return nil }
        for index in (0..<count).reversed() {
            guard let place = lists[id.entity]?[index].position(of: id),
                let list = lists[id.entity]?[index]
            else { continue }
            func wanted(_ range: Range<Int>) -> [ObjectID] {
                list.ids[range.clamped(to: list.ids.indices)].filter { $0 != id && isWanted($0) }
            }
            let next = wanted(place + 1..<place + list.batch)
            // A walk backwards finds the objects that come next already read.
            let others = next.isEmpty ? wanted(place - list.batch + 1..<place) : next
            lists[id.entity]?[index].batch = min(Self.largestBatch, 4 * list.batch)
            return [id] + others
        }
        return nil
    }
}
