internal import HashTreeCollections

extension ManagedObjectContext {
    /// The saves of every process that came after a place in the history, in their order.
    ///
    /// In a transaction these are all that there are and will be until it ends, its own included. What
    /// is saved in it afterwards is another save for the history.
    ///
    /// - Parameters:
    ///   - token: The last save that was dealt with; nil for everything that is kept.
    ///   - limit: The greatest number of saves to give; nil for all.
    /// - Returns: The saves.
    /// - Throws: ``StoreError``, as ``PersistentContainer/history(after:limit:)`` does.
    public func history(
        after token: HistoryToken?,
        limit: Int? = nil
    ) throws -> [HistoryTransaction] {
        try recordRest()
        return try source.read { try $0.history(after: token, limit: limit, in: model) }
    }

    /// The token of the last save of any process, or nil where nothing was ever saved.
    ///
    /// - Returns: The token.
    /// - Throws: ``StoreError``.
    public func lastHistoryToken() throws -> HistoryToken? {
        try recordRest()
        return try source.read { try $0.lastHistoryToken() }
    }

    /// Forgets the saves before a place in the history, in the transaction of this context.
    ///
    /// - Parameter token: The first save to keep.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken) throws {
        try recordRest()
        _ = try source.transaction { try $0.deleteHistory(before: token, limit: nil) }
    }

    /// Forgets some of the saves before a place in the history, the oldest first, in the transaction of
    /// this context.
    ///
    /// - Parameters:
    ///   - token: The first save to keep.
    ///   - limit: The greatest number of saves to forget, at least 1.
    /// - Returns: Whether there are more of them.
    /// - Throws: ``StoreError``.
    public func deleteHistory(before token: HistoryToken, limit: Int) throws -> Bool {
        try recordRest()
        return try source.transaction { try $0.deleteHistory(before: token, limit: limit) }
    }

    /// Takes back in this context what saves have done, whoever made them.
    ///
    /// Nothing is erased from the history: the next save of this context is a new one. Objects that
    /// were deleted are there again with the identity that they had.
    ///
    /// - Parameters:
    ///   - saves: The saves, in their order.
    ///   - rule: What becomes of each change.
    ///   - mayLose: Whether an object may lose a relationship to one that is deleted here.
    /// - Throws: ``HistoryConflictError`` where later changes depend on these, or ``StoreError``; the
    ///   context is then as it was.
    public func takeBack(
        _ saves: [HistoryTransaction],
        rule: (HistoryChange) -> TakeBackRule = { _ in .always },
        mayLose: (ObjectID) -> Bool = { _ in false }
    ) throws {
        try whenSaved(isStep: true) { state in
            let before = state.graph
            var undoing = HistoryUndoing(model: model, source: source)
            do {
                for save in saves.reversed() { try undoing.takeBack(save, rule, in: &state) }
                try undoing.deleteInserted(mayLose, in: &state)
                if !undoing.conflicts.isEmpty {
                    throw HistoryConflictError(conflicts: undoing.conflicts)
                }
                try state.throwFailure()
            } catch {
                state.graph = before
                throw error
            }
        }
    }
}

/// What becomes of a change when the save is taken back that made it.
public enum TakeBackRule: Sendable {
    /// It is taken back.
    case always
    /// It stays.
    case never
    /// An object that was inserted stays where others lead to it; any other change is taken back.
    case unlessUsed
}

/// Later changes depend on one that was to be taken back.
public struct HistoryConflictError: Error, Sendable, CustomStringConvertible {
    /// What stands in the way of taking back one change of an object.
    public struct Conflict: Hashable, Sendable {
        /// What has happened to the object since.
        public enum Kind: Hashable, Sendable {
            /// A property has another value than the one that the change gave it.
            case changed(property: String, given: AttributeValue, found: AttributeValue)
            /// It was deleted.
            case gone
            /// It is there again.
            case present
            /// A number of objects lead to it by a relationship.
            case used(by: String, count: Int)
        }

        /// The name of the entity.
        public let entity: String
        /// The object.
        public let id: ObjectID
        /// What has happened to it since.
        public let kind: Kind
    }

    /// Everything that stands in the way.
    public let conflicts: [Conflict]

    /// All of it, one a line.
    public var description: String {
        conflicts.map(\.description).joined(separator: "\n")
    }
}

extension HistoryConflictError.Conflict: CustomStringConvertible {
    /// What stands in the way, as a sentence.
    public var description: String {
        switch kind {
        case .changed(let property, let given, let found):
            "\(entity).\(property) has become \(found) since it was made \(given)"
        case .gone: "\(entity) \(id.key) was deleted since"
        case .present: "\(entity) \(id.key) is there again"
        case .used(let relationship, let count):
            "\(relationship) of \(count) objects leads to \(entity) \(id.key)"
        }
    }
}

/// Goes back from one save to the one before, on the objects of a context.
private struct HistoryUndoing {
    let model: ManagedObjectModel
    let source: any RowSource
    private(set) var conflicts: [HistoryConflictError.Conflict] = []
    /// What was inserted, and is deleted when nothing leads there any more.
    private var inserted: [(id: ObjectID, rule: TakeBackRule)] = []

    init(model: ManagedObjectModel, source: any RowSource) {
        self.model = model
        self.source = source
    }

    mutating func takeBack(
        _ save: HistoryTransaction,
        _ rule: (HistoryChange) -> TakeBackRule,
        in state: inout ContextState
    ) throws {
        let changes = save.changes.filter { rule($0) != .never }
        // Objects come before whatever leads to them.
        for change in changes where change.kind == .deleted {
            putBack(change, version: save.token.versionAfterAll, in: &state)
        }
        for change in changes where change.kind == .updated { giveBack(change, in: &state) }
        for change in changes where change.kind == .inserted {
            inserted.append((change.id, rule(change)))
        }
    }

    private mutating func putBack(
        _ change: HistoryChange,
        version: Int64,
        in state: inout ContextState
    ) {
        guard !state.load(change.id, model: model, source: source) else {
            return note(.present, change.id)
        }
        let entity = model.entities[change.id.entity]
        var values = entity.columns.map { _ in AttributeValue.null }
        for property in change.properties {
            if let slot = entity.slot(of: property.name) { values[slot] = property.before }
        }
        state.graph.register([StoredRow(id: change.id, version: version, values: values)])
        for (slot, value) in values.enumerated() {
            state.graph.assign(value, to: change.id, slot: slot)
        }
    }

    private mutating func giveBack(_ change: HistoryChange, in state: inout ContextState) {
        guard state.load(change.id, model: model, source: source),
            let row = state.graph.rows[change.id], !row.isDeleted
        else { return note(.gone, change.id) }
        let entity = model.entities[change.id.entity]
        for property in change.properties {
            guard let slot = entity.slot(of: property.name) else { continue }
            let found = state.graph.value(of: change.id, slot: slot) ?? .null
            if found == property.after {
                state.graph.assign(property.before, to: change.id, slot: slot)
            } else {
                note(
                    .changed(property: property.name, given: property.after, found: found),
                    change.id
                )
            }
        }
    }

    mutating func deleteInserted(
        _ mayLose: (ObjectID) -> Bool,
        in state: inout ContextState
    ) throws {
        var doomed = Set(inserted.map(\.id))
        // Those that are kept if they are used may be so by others of them.
        for (id, rule) in inserted where rule == .unlessUsed {
            if try !users(of: id, apartFrom: doomed, mayLose, in: &state).isEmpty {
                doomed.remove(id)
            }
        }
        for (id, _) in inserted where doomed.contains(id) {
            guard state.load(id, model: model, source: source) else {
                note(.gone, id)
                continue
            }
            let users = try users(of: id, apartFrom: doomed, mayLose, in: &state)
            for (relationship, count) in users { note(.used(by: relationship, count: count), id) }
            if users.isEmpty { try state.delete(id, model: model, source: source) }
        }
    }

    /// The relationships by which others lead to an object, and how many do.
    private func users(
        of id: ObjectID,
        apartFrom doomed: Set<ObjectID>,
        _ mayLose: (ObjectID) -> Bool,
        in state: inout ContextState
    ) throws -> [(String, Int)] {
        try model.entities[id.entity].incoming.compactMap { origin, slot, _ in
            let query = StoreQuery(model: model, entity: origin, whose: slot, leadsTo: id)
            let count = try state.ids(matching: query, source: source)
                .count { !doomed.contains($0) && !mayLose($0) }
            let entity = model.entities[origin]
            return count == 0 ? nil : ("\(entity.name).\(entity.columns[slot].name)", count)
        }
    }

    private mutating func note(_ kind: HistoryConflictError.Conflict.Kind, _ id: ObjectID) {
        conflicts.append(.init(entity: model.entities[id.entity].name, id: id, kind: kind))
    }
}

extension HistoryToken {
    /// A version that no row had which this save has deleted: nobody who has read it before is to take
    /// it for what is put back.
    ///
    /// Each time that a row is written its version grows by one, and a transaction may write it many
    /// times that are one save for the history; but not a million times.
    fileprivate var versionAfterAll: Int64 { rawValue &<< 20 }
}
