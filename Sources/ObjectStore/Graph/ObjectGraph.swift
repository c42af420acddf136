/// The objects of a context as values, which a transaction in the context keeps and restores.
struct ObjectGraph: Sendable {
    /// Every object that the context has read or inserted.
    private(set) var rows = ObjectMap<ObjectRow>() {
        didSet { rowsVersion += 1 }
    }
    /// Counts everything that may alter a row, or release it.
    private(set) var rowsVersion: UInt64 = 0
    /// The objects with unsaved changes.
    private(set) var changed = ChangedObjects()
    /// The members of the to-many relationships that were read; follows every change of ``rows``.
    var members = MemberIndex()
    /// What observers are told of.
    var watched = WatchedChanges()
    /// What could not be assigned.
    var lost = LostAssignments()
    /// Counts insertions and assignments, to tell later ones from earlier ones.
    private var clock: UInt64 = 0
    /// Counts edits: insertions, assignments and deletions.
    private(set) var edits = 0
    /// Counts everything that may alter what a save stores, undone changes included.
    private(set) var revision: UInt64 = 0
    /// Counts everything that may alter which objects have changes, or are deleted.
    private(set) var presence: UInt64 = 0
    /// The objects edited since the last undo step, if steps are kept.
    private(set) var touched = ObjectSet()
    /// Whether steps are kept.
    var keepsSteps = false {
        didSet { touched = ObjectSet() }
    }

    init() {}

    /// Makes one of some rows of another, with its clock, and nothing else.
    init(_ other: ObjectGraph, of ids: ObjectSet) {
        advance(to: other.time)
        for id in ids { if let row = other.rows[id] { set(row, for: id) } }
    }

    /// The objects edited since the last call.
    mutating func takeTouched() -> ObjectSet {
        defer { touched = ObjectSet() }
        return touched
    }

    /// Counts as edited what was in another graph.
    mutating func touch(asIn other: ObjectGraph) { touched = other.touched }

    private mutating func noteEdit(of id: ObjectID) {
        edits += 1
        revision += 1
        if keepsSteps { touched.insert(id) }
    }

    /// The present time of the clock: every later assignment has a later time.
    var time: UInt64 { clock }

    /// Makes the clock go on from a time, if it is later: that of another graph, whose rows this one takes.
    mutating func advance(to time: UInt64) { clock = max(clock, time) }

    mutating func tick() -> UInt64 {
        clock += 1
        return clock
    }

    // MARK: Rows

    /// The value of an object, null if the object was deleted; nil if it was not read.
    // Inlined, because a call would take a copy of the graph.
    @inline(__always)
    func value(of id: ObjectID, slot: Int) -> AttributeValue? {
        rows.withValue(of: id) { $0.shownValue(slot) }
    }

    /// The same, and takes the place of the row.
    @inline(__always)
    func value(of id: ObjectID, slot: Int, _ place: inout RowPlace) -> AttributeValue? {
        rows.withValue(of: id) { row in
            place = RowPlace(of: row, at: rowsVersion)
            return row.shownValue(slot)
        }
    }

    // Not inlined, nor `set`: what undoes and merges sets rows in many places, each of which would have all of this.
    @inline(never)
    private mutating func put(_ row: ObjectRow?, for id: ObjectID) {
        if !members.isEmpty { members.replace(rows[id], row, of: id) }
        if !changed.followsNothing { changed.replace(rows[id], row, of: id) }
        if !watched.isEmpty && watched.concerns(id) { watched.note(id, rows[id], row) }
        rows[id] = row
        presence += 1
    }

    /// Makes the changed rows quick to find by the values of a column.
    mutating func follow(_ column: ChangedObjects.Column) {
        changed.follow(column, in: rows)
    }

    /// Makes the changed rows of an entity come in an order.
    mutating func follow(_ order: [StoreOrder], of entity: Int) {
        changed.follow(order, of: entity, in: rows)
    }

    /// Sets a row, or removes it if nil.
    @inline(never)
    mutating func set(_ row: ObjectRow?, for id: ObjectID) {
        revision += 1
        put(row, for: id)
        if row?.isChanged ?? false { changed.insert(id) } else { changed.remove(id) }
    }

    // MARK: Edits

    mutating func insert(_ id: ObjectID, values: [AttributeValue]) {
        put(ObjectRow(inserting: values), for: id)
        changed.insert(id)
        noteEdit(of: id)
    }

    /// Assigns a value of an object.
    ///
    /// - Returns: Whether the object has a row here; nothing is assigned otherwise.
    @discardableResult
    mutating func assign(_ value: AttributeValue, to id: ObjectID, slot: Int) -> Bool {
        let now = tick()
        let isWatched = !watched.isEmpty && watched.concerns(id)
        let column = ChangedObjects.Column(entity: id.entity, slot: slot)
        // A copy, which makes the assignment copy the values.
        let old = isWatched || changed.isSorted(by: column) ? rows[id] : nil
        let known = rows.modifyValue(of: id) { row in
            let isNew = !row.isChanged
            let (isPresent, before) = (!row.isDeleted, row[slot])
            row.assign(value, at: slot, time: now)
            return (isNew, isPresent, before)
        }
        guard let (isNew, isPresent, before) = known else { return false }
        if !members.isEmpty && isPresent {
            members.move(id, slot: slot, from: before.reference, to: value.reference)
        }
        if !changed.followsNothing && isPresent {
            if isNew || old != nil {
                changed.replace(old, rows[id], of: id, only: isNew ? nil : slot)
            } else {
                changed.move(id, before.comparable, value.comparable, column)
            }
        }
        if isWatched { watched.note(id, old, rows[id]) }
        if isNew {
            changed.insert(id)
            presence += 1
        }
        noteEdit(of: id)
        return true
    }

    mutating func delete(_ id: ObjectID) {
        guard var row = rows[id] else { return }
        noteEdit(of: id)
        if row.stored == nil {
            put(nil, for: id)
            changed.remove(id)
        } else {
            row.delete(at: tick())
            put(row, for: id)
            changed.insert(id)
        }
    }

    // MARK: Reading

    /// Stores rows that were read; objects with unsaved changes keep them.
    mutating func register(_ stored: some Sequence<StoredRow>) {
        for row in stored where !changed.contains(row.id) {
            let new = ObjectRow(row)
            let known = rows.updateValue(new, of: row.id)
            if !members.isEmpty { members.replace(known, new, of: row.id) }
            if !watched.isEmpty && watched.concerns(row.id) { watched.note(row.id, known, new) }
        }
    }

    /// Whether a row that is not here is a member of an object whose members are here.
    func lacks(_ id: ObjectID, _ values: RowValues) -> Bool {
        guard rows[id] == nil else { return false }
        return members.concerns(id, values) || watched.concerns(id, values)
    }

    // MARK: Taking back, and saving

    /// The changed objects, which count as unchanged from now on, before they are: nothing is followed then, so that
    /// they are not moved one by one.
    private mutating func takeChanged() -> ChangedObjects {
        defer { changed = ChangedObjects() }
        return changed
    }

    /// Discards every change since the last save.
    mutating func rollback() {
        for id in takeChanged() { put(rows[id]?.withoutChanges, for: id) }
        lost = LostAssignments()
        touched = ObjectSet()
        revision += 1
    }

    /// Forgets every object.
    mutating func forget() {
        watched.noteForgetting(rows)
        rows = ObjectMap()
        changed = ChangedObjects()
        members = MemberIndex()
        lost = LostAssignments()
        touched = ObjectSet()
        revision += 1
        presence += 1
    }

    /// Discards every change since an earlier graph.
    ///
    /// Stored values stay, and so do rows read since.
    mutating func restore(_ earlier: ObjectGraph) {
        goBack(to: earlier, of: changed.union(earlier.changed))
        lost = earlier.lost
        touched = earlier.touched
    }

    /// Applies the result of a save.
    mutating func apply(_ outcome: SaveOutcome) {
        watched.follow(outcome.forwarding)
        let saved = takeChanged()
        if saved.count == rows.count && members.isEmpty && watched.isEmpty {
            // A context that was made for this one save: faster than removing one after the other.
            rows = ObjectMap()
        } else {
            for id in saved { put(nil, for: id) }
            for id in outcome.removed { put(nil, for: id) }
        }
        presence += 1
        touched.follow(outcome.forwarding)
        lost.follow(outcome.forwarding)
        // Unchanged objects refer only to stored objects, whose identities stay.
        register(outcome.rows)
    }

    /// Makes references follow objects that were merged into others or got a key.
    mutating func forwardReferences(_ forwarding: ObjectMap<ObjectID>) {
        if forwarding.isEmpty { return }
        // Unchanged objects refer only to stored objects, whose identities stay.
        for id in changed {
            guard let row = rows[id], row.contains(where: { $0.isForwarded(forwarding) })
            else { continue }
            var forwarded = row
            forwarded.forwardReferences(forwarding, in: row.indices)
            put(forwarded, for: id)
        }
    }
}

extension AttributeValue {
    fileprivate func isForwarded(_ forwarding: ObjectMap<ObjectID>) -> Bool {
        reference.map { forwarding[$0] != nil } ?? false
    }
}
