internal import HashTreeCollections

/// The objects of a context as values: what a transaction in the context keeps and gives back.
struct ObjectGraph: Sendable {
    /// Every object that the context has read or inserted.
    private(set) var rows: TreeDictionary<ObjectID, ObjectRow> = [:]
    /// The objects with changes that are not saved.
    private(set) var changed: TreeSet<ObjectID> = []
    /// Counts insertions and assignments, so that later ones can be told from earlier ones.
    private var clock: UInt64 = 0
    /// Counts saves.
    private(set) var saves = 0
    /// Counts edits: insertions, assignments and deletions.
    private(set) var edits = 0
    /// The objects that were edited since the last step that can be undone, where steps are kept.
    private var touched: TreeSet<ObjectID> = []
    /// Whether steps are kept.
    var keepsSteps = false {
        didSet { touched = [] }
    }

    /// The objects that were edited since this was asked last.
    mutating func takeTouched() -> TreeSet<ObjectID> {
        defer { touched = [] }
        return touched
    }

    private mutating func noteEdit(of id: ObjectID) {
        edits += 1
        if keepsSteps { touched.insert(id) }
    }

    mutating func tick() -> UInt64 {
        clock += 1
        return clock
    }

    mutating func insert(_ id: ObjectID, values: [AttributeValue]) {
        rows[id] = ObjectRow(inserting: values, order: tick())
        changed.insert(id)
        noteEdit(of: id)
    }

    func row(_ id: ObjectID) -> ObjectRow? { rows[id] }

    /// The value of an object, null where it was deleted; nil where it has not been read.
    func value(of id: ObjectID, slot: Int) -> AttributeValue? {
        rows[id].map { $0.isDeleted ? .null : $0.values[slot] }
    }

    /// Puts a row in its place, or takes it away.
    mutating func set(_ row: ObjectRow?, for id: ObjectID) {
        rows[id] = row
        if row?.isChanged ?? false { changed.insert(id) } else { changed.remove(id) }
    }

    /// Assigns a value of an object that has a row here.
    mutating func assign(_ value: AttributeValue, to id: ObjectID, slot: Int) {
        let now = tick()
        // In place: an optional one would be taken out of the tree and put back.
        let isNew = rows.updateValue(forKey: id, default: ObjectRow(inserting: [], order: 0)) {
            row in
            let isNew = !row.isChanged
            row.assign(value, at: slot, time: now)
            return isNew
        }
        if isNew { changed.insert(id) }
        noteEdit(of: id)
    }

    mutating func delete(_ id: ObjectID) {
        guard let row = rows[id] else { return }
        noteEdit(of: id)
        if row.stored == nil {
            rows[id] = nil
            changed.remove(id)
        } else {
            let now = tick()
            rows[id]?.isDeleted = true
            rows[id]?.deletedAt = now
            changed.insert(id)
        }
    }

    /// Takes over rows as they were read; objects with changes of their own keep them.
    mutating func register(_ stored: some Sequence<StoredRow>) {
        for row in stored where !changed.contains(row.id) {
            let order = tick()
            if let known = rows.updateValue(ObjectRow(row, order: order), forKey: row.id) {
                rows[row.id]?.order = known.order
            }
        }
    }

    /// Takes back every change since the last save.
    mutating func rollback() {
        for id in changed {
            if let row = rows[id], let stored = row.stored {
                rows[id] = ObjectRow(stored, order: row.order)
            } else {
                rows[id] = nil
            }
        }
        changed = []
    }

    /// Forgets every object; what an open group began with is then not to be put back.
    mutating func forget() {
        rows = [:]
        changed = []
        touched = []
        saves += 1
    }

    /// Takes back every change since an earlier graph, and no save: what is stored stays.
    mutating func restore(_ earlier: ObjectGraph) {
        if saves == earlier.saves { self = earlier } else { rollback() }
    }

    /// Takes over what a save has stored.
    mutating func apply(_ outcome: SaveOutcome) {
        if changed.count == rows.count {
            // As in a context that was made for this one save: quicker than one after the other.
            rows = [:]
        } else {
            for id in changed { rows[id] = nil }
            for id in outcome.removed { rows[id] = nil }
        }
        changed = []
        saves += 1
        touched.follow(outcome.forwarding)
        // What has no changes refers to stored objects only, and those stay where they are.
        register(outcome.rows.values)
    }

    /// Makes references follow objects that have been merged into others or given a key.
    mutating func forwardReferences(_ forwarding: [ObjectID: ObjectID]) {
        if forwarding.isEmpty { return }
        for (id, row) in rows where row.values.contains(where: { $0.isForwarded(forwarding) }) {
            rows[id]?.values.forwardReferences(forwarding, in: row.values.indices)
        }
    }
}

extension TreeSet<ObjectID> {
    /// Adds what objects are known by now that were merged or given a key.
    mutating func follow(_ forwarding: [ObjectID: ObjectID]) {
        for id in self {
            if let target = forwarding[id] { insert(target) }
        }
    }
}

extension AttributeValue {
    fileprivate func isForwarded(_ forwarding: [ObjectID: ObjectID]) -> Bool {
        reference.map { forwarding[$0] != nil } ?? false
    }
}

/// Everything that a context keeps, guarded by its lock.
struct ContextState: Sendable {
    var graph = ObjectGraph()
    var mergePolicy: MergePolicy
    /// Who makes the changes, for the history.
    var author: String?
    var undo = UndoStack()
    /// Who is told of changes of properties, in the order of asking.
    var observers: [UInt64: PropertyObserver] = [:]
    var lastObserver: UInt64 = 0
    /// What makes the context take over what others save.
    var following: ContextFollowing?
    /// The handle of each object, while somebody holds it.
    var handles: [ObjectID: WeakHandle] = [:]
    /// Where objects are now that had a provisional identity, which other tasks may still hold.
    var forwarded: [ObjectID: ObjectID] = [:]
    /// The number of handles at which those that nobody holds are cleared away.
    var handleLimit = 1024
    /// The targets of references that were read, but have not been read themselves.
    var unread: [Int: Set<ObjectID>] = [:]
    /// Places of properties by the identity of the key path that asks.
    ///
    /// Most uses in a program have one key path for good, and comparing identities is far quicker
    /// than comparing key paths. It is kept alive here, since another one could get its identity.
    var places: [ObjectIdentifier: (PropertyPath, place: ManagedObjectModel.PropertyPlace)] = [:]
    /// A failure to read that a property could not throw; the next fetch or save does.
    var failure: (any Error)?
}

/// A handle that the context does not keep alive.
///
/// Unchecked because handles are not sendable, so that a program keeps them in one task. The context
/// may nevertheless keep them under its lock: a handle is a constant context and an atomic key.
struct WeakHandle: @unchecked Sendable {
    weak var object: ManagedObject?
}
