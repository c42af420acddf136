/// One deletion, with all that the delete rules make of it.
///
/// It keeps a list of what is left to do and does not call itself, so a long chain of cascades needs
/// no deep stack.
struct DeletionRun {
    /// A deleted object, and the relationships that lead to it and are still to be settled.
    private struct Step {
        let id: ObjectID
        var incoming: ArraySlice<(entity: Int, slot: Int, rule: DeleteRule)>
    }

    private let model: ManagedObjectModel
    private var steps: [Step] = []

    init(in model: ManagedObjectModel) {
        self.model = model
    }

    /// Deletes an object.
    ///
    /// - Throws: ``DeleteDeniedError`` or ``StoreError``; the caller must restore the graph then.
    mutating func delete(_ id: ObjectID, in state: inout ContextState) throws {
        try begin(id, in: &state)
        while let last = steps.indices.last {
            guard let (entity, slot, rule) = steps[last].incoming.popFirst() else {
                steps.removeLast()
                continue
            }
            let id = steps[last].id
            let query = StoreQuery(model: model, entity: entity, whose: slot, leadsTo: id)
            let members = try state.ids(matching: query)
            switch rule {
            case .deny where !members.isEmpty:
                throw DeleteDeniedError(id.entity, entity, slot, count: members.count, in: model)
            case .deny: break
            // The last first, because what is begun last is settled first.
            case .cascade: for member in members.reversed() { try begin(member, in: &state) }
            case .nullify:
                for member in members where state.graph.rows.contains(member) {
                    state.graph.assign(.null, to: member, slot: slot)
                }
            }
        }
    }

    /// Deletes an object before the rules are applied, so that a circle of cascades ends.
    private mutating func begin(_ id: ObjectID, in state: inout ContextState) throws {
        if !state.load(id) { try state.throwFailure() }
        guard let row = state.graph.rows[id] else {
            // Of what others have deleted nothing is left to be assigned; what is new here may come back.
            if !id.isProvisional { state.graph.lost.drop(of: id) }
            return
        }
        if row.isDeleted { return }
        state.graph.delete(id)
        steps.append(Step(id: id, incoming: model.entities[id.entity].incoming[...]))
    }
}

/// The error of a deletion that a delete rule forbids.
public struct DeleteDeniedError: Error, Sendable, CustomStringConvertible {
    /// The entity of the object.
    public let entity: String
    /// The relationship whose rule forbids it, as `Entity.property`.
    public let relationship: String
    /// The number of objects that point at it.
    public let count: Int

    init(_ entity: Int, _ origin: Int, _ slot: Int, count: Int, in model: ManagedObjectModel) {
        self.entity = model.entities[entity].name
        let owner = model.entities[origin]
        relationship = "\(owner.name).\(owner.columns[slot].name)"
        self.count = count
    }

    /// The reason as a sentence.
    public var description: String {
        "\(entity): cannot be deleted while \(relationship) of \(count) objects leads to it"
    }
}
