/// Objects of an entity in the order of some of their values.
///
/// They are in runs of limited length, so that a change after a copy copies one of them and not all.
struct OrderedObjects: Sendable {
    /// The entity, by its position in the model.
    let entity: Int
    /// The order; equal objects are in the order of their identities.
    let order: [StoreOrder]
    private var runs: [[Entry]] = []

    private struct Entry: Sendable {
        let key: [AttributeValue]
        let id: ObjectID
    }

    private static let longestRun = 64

    init(entity: Int, order: [StoreOrder]) {
        self.entity = entity
        self.order = order
    }

    /// Whether these are the objects of an entity, in an order.
    func fits(_ other: [StoreOrder], of entity: Int) -> Bool {
        entity == self.entity
            && order.elementsEqual(other) {
                $0.column == $1.column && $0.isDescending == $1.isDescending
            }
    }

    /// The objects from one value of the first term on, up to another one, and before a row, in their order; where
    /// one is nil, it is no bound.
    func ids(
        from start: AttributeValue?,
        through last: AttributeValue?,
        before end: StoredRow?
    ) -> some Sequence<ObjectID> {
        let end = end.map { entry($0.id, $0.values) }
        let isBefore = { (entry: Entry) in start.map { self.isBefore(entry.key[0], $0) } ?? false }
        let isBeyond = { (entry: Entry) in last.map { self.isBefore($0, entry.key[0]) } ?? false }
        // It may be the last run that begins before the start in which the first one is.
        let first = max(0, runs.firstPlace { !isBefore($0[0]) } - 1)
        let place = runs.isEmpty ? 0 : runs[first].firstPlace { !isBefore($0) }
        return (first..<max(first, runs.count)).lazy
            .flatMap { run in runs[run][(run == first ? place : 0)...] }
            .prefix { entry in !isBeyond(entry) && end.map { isInOrder(entry, $0) } ?? true }
            .map(\.id)
    }

    /// The number of objects from one value of the first term on, up to another one.
    func count(from start: AttributeValue?, through last: AttributeValue?) -> Int {
        let first = start.map { start in place { !isBefore($0.key[0], start) } } ?? 0
        let end = last.map { last in place { isBefore(last, $0.key[0]) } }
        return max(0, (end ?? runs.reduce(0) { $0 + $1.count }) - first)
    }

    /// The number of objects before the first that fulfils a condition, as all after it do.
    private func place(where isBeyond: (Entry) -> Bool) -> Int {
        if runs.isEmpty { return 0 }
        let run = max(0, runs.firstPlace { isBeyond($0[0]) } - 1)
        return runs[..<run].reduce(0) { $0 + $1.count } + runs[run].firstPlace(where: isBeyond)
    }

    private func isBefore(_ a: AttributeValue, _ b: AttributeValue) -> Bool {
        order[0].isDescending ? b < a : a < b
    }

    /// Adds an object that is not here.
    mutating func insert(_ id: ObjectID, _ row: ObjectRow) {
        let new = entry(id, row)
        guard let (number, place) = place(of: new) else {
            runs = [[new]]
            return
        }
        runs[number].insert(new, at: place)
        guard runs[number].count > Self.longestRun else { return }
        let half = runs[number].count / 2
        runs.insert(Array(runs[number][half...]), at: number + 1)
        runs[number].removeSubrange(half...)
    }

    /// Removes an object; its row is as it was when it was added.
    mutating func remove(_ id: ObjectID, _ row: ObjectRow) {
        guard let (number, place) = place(of: entry(id, row)), place > 0,
            runs[number][place - 1].id == id
        else { return }
        runs[number].remove(at: place - 1)
        if runs[number].isEmpty { runs.remove(at: number) }
    }

    mutating func removeAll() { runs = [] }

    private func entry<Values: RandomAccessCollection<AttributeValue>>(
        _ id: ObjectID,
        _ values: Values
    ) -> Entry where Values.Index == Int {
        Entry(key: order.map { values[$0.column].comparable }, id: id)
    }

    /// The run that an entry belongs to, and its place there: after all that do not come after it.
    private func place(of entry: Entry) -> (run: Int, place: Int)? {
        if runs.isEmpty { return nil }
        let run = max(0, runs.firstPlace { isInOrder(entry, $0[0]) } - 1)
        return (run, runs[run].firstPlace { isInOrder(entry, $0) })
    }

    private func isInOrder(_ a: Entry, _ b: Entry) -> Bool {
        for (place, term) in order.enumerated() where a.key[place] != b.key[place] {
            return (a.key[place] < b.key[place]) != term.isDescending
        }
        return a.id < b.id
    }
}

extension Array {
    /// The first place whose element fulfils a condition, as all elements after it do; the end if none does.
    func firstPlace(where isBeyond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
