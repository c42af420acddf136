/// Changes of objects that could not be read, until they can be: a property cannot throw.
struct LateAssignments: Sendable {
    fileprivate enum Change: Sendable {
        case value(AttributeValue, of: ObjectID, slot: Int)
        case members([ObjectID], of: ObjectID, MemberPlace)

        var object: ObjectID {
            switch self {
            case .value(_, let id, _), .members(_, let id, _): id
            }
        }
    }

    private var changes: [Change] = []

    var isEmpty: Bool { changes.isEmpty }

    mutating func assign(_ value: AttributeValue, to id: ObjectID, slot: Int) {
        changes.append(.value(value, of: id, slot: slot))
    }

    mutating func setMembers(_ members: [ObjectID], of id: ObjectID, _ place: MemberPlace) {
        changes.append(.members(members, of: id, place))
    }

    /// Takes the values of objects that have been read since, in their order.
    fileprivate mutating func takeValues(where isRead: (ObjectID) -> Bool) -> [Change] {
        var taken: [Change] = []
        changes.removeAll { change in
            guard case .value = change, isRead(change.object) else { return false }
            taken.append(change)
            return true
        }
        return taken
    }

    /// Drops what was changed of an object.
    mutating func drop(of id: ObjectID) { changes.removeAll { $0.object == id } }

    fileprivate mutating func takeAll() -> [Change] {
        defer { changes = [] }
        return changes
    }
}

extension ContextState {
    /// Assigns what was assigned to objects that are here now.
    mutating func assignToRead() {
        if graph.late.isEmpty { return }
        let rows = graph.rows
        for change in graph.late.takeValues(where: rows.contains) { make(change) }
    }

    /// Reads the objects that could not be read, and makes the changes; what still cannot be read keeps its own.
    ///
    /// - Throws: Why one could not be read.
    mutating func makeLateChanges() throws {
        if graph.late.isEmpty { return }
        for change in graph.late.takeAll() { make(change) }
        try throwFailure()
    }

    private mutating func make(_ change: LateAssignments.Change) {
        switch change {
        case .value(let value, let id, let slot): assign(value, to: id, slot: slot)
        case .members(let members, let id, let place): setMembers(members, of: id, place)
        }
    }
}
