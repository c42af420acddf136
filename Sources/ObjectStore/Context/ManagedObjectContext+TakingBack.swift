internal import HashTreeCollections

extension ManagedObjectContext {
    /// Undoes saves of any author in this context.
    ///
    /// The history keeps the undone saves: the next save of this context is a new one. Deleted
    /// objects return with the identity that they had.
    ///
    /// - Parameters:
    ///   - saves: The saves, in their order.
    ///   - rule: Decides about each change.
    ///   - mayLose: Whether an object may lose a relationship to an object that is deleted here.
    /// - Throws: ``HistoryConflictError`` if later changes depend on these, or ``StoreError``; the
    ///   context is then unchanged.
    public func takeBack(
        _ saves: [HistoryTransaction],
        rule: (HistoryChange) -> TakeBackRule = { _ in .always },
        mayLose: (ObjectID) -> Bool = { _ in false }
    ) throws {
        try whenSaved(isStep: true) { state in
            let before = state.graph
            var undoing = HistoryUndoing(model: model)
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

/// Decides whether a change is undone when its save is undone.
public enum TakeBackRule: Sendable {
    /// The change is undone.
    case always
    /// The change stays.
    case never
    /// An inserted object stays if other objects lead to it; any other change is undone.
    case unlessUsed
}

/// The error of an undo on which later changes depend.
public struct HistoryConflictError: Error, Sendable, CustomStringConvertible {
    /// One obstacle to undoing the change of an object.
    public struct Conflict: Hashable, Sendable {
        /// What happened to the object since.
        public enum Kind: Hashable, Sendable {
            /// A property has another value than the change gave it.
            case changed(property: String, given: AttributeValue, found: AttributeValue)
            /// The object was deleted.
            case gone
            /// The object exists again.
            case present
            /// A number of objects lead to it through a relationship.
            case used(by: String, count: Int)
        }

        /// The name of the entity.
        public let entity: String
        /// The object.
        public let id: ObjectID
        /// What happened to the object since.
        public let kind: Kind
    }

    /// All conflicts.
    public let conflicts: [Conflict]

    /// All conflicts, one per line.
    public var description: String {
        conflicts.map(\.description).joined(separator: "\n")
    }
}

extension HistoryConflictError.Conflict: CustomStringConvertible {
    /// The conflict as a sentence.
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

/// Undoes saves, one by one, on the objects of a context.
private struct HistoryUndoing {
    let model: ManagedObjectModel
    private(set) var conflicts: [HistoryConflictError.Conflict] = []
    /// The inserted objects, deleted when no object leads to them any more.
    private var inserted: [(id: ObjectID, rule: TakeBackRule)] = []

    init(model: ManagedObjectModel) {
        self.model = model
    }

    mutating func takeBack(
        _ save: HistoryTransaction,
        _ rule: (HistoryChange) -> TakeBackRule,
        in state: inout ContextState
    ) throws {
        let changes = save.changes.filter { rule($0) != .never }
        // Deleted objects return before the objects that lead to them.
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
        guard !state.load(change.id) else {
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
        guard state.load(change.id),
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
        // Objects that stay if they are used may be used by others of this list.
        for (id, rule) in inserted where rule == .unlessUsed {
            if try !users(of: id, apartFrom: doomed, mayLose, in: &state).isEmpty {
                doomed.remove(id)
            }
        }
        for (id, _) in inserted where doomed.contains(id) {
            guard state.load(id) else {
                note(.gone, id)
                continue
            }
            let users = try users(of: id, apartFrom: doomed, mayLose, in: &state)
            for (relationship, count) in users { note(.used(by: relationship, count: count), id) }
            if users.isEmpty { try state.delete(id) }
        }
    }

    /// The relationships through which other objects lead to an object, with their numbers.
    private func users(
        of id: ObjectID,
        apartFrom doomed: Set<ObjectID>,
        _ mayLose: (ObjectID) -> Bool,
        in state: inout ContextState
    ) throws -> [(String, Int)] {
        try model.entities[id.entity].incoming.compactMap { origin, slot, _ in
            let query = StoreQuery(model: model, entity: origin, whose: slot, leadsTo: id)
            let count = try state.ids(matching: query)
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
    /// A version greater than those of all rows that this save deleted.
    ///
    /// So a context that read the row before cannot mistake the restored row for it. Each write of
    /// a row adds one to its version. A transaction may write a row many times and still be one
    /// save in the history, but not a million times.
    fileprivate var versionAfterAll: Int64 { rawValue &<< 20 }
}
