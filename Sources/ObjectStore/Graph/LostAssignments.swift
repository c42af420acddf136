/// What was assigned to objects that could not be read.
///
/// A property cannot throw. So no save succeeds until the same is assigned again, or taken back.
struct LostAssignments: Sendable {
    /// What was assigned to.
    enum Place: Hashable, Sendable {
        case value(ObjectID, slot: Int)
        case members(ObjectID, MemberPlace)

        fileprivate var object: ObjectID {
            get {
                switch self {
                case .value(let id, _), .members(let id, _): id
                }
            }
            set {
                switch self {
                case .value(_, let slot): self = .value(newValue, slot: slot)
                case .members(_, let place): self = .members(newValue, place)
                }
            }
        }
    }

    private var errors: [Place: any Error] = [:]

    /// Notes an assignment that was lost for a reason, or that was made if there is none.
    mutating func note(_ place: Place, _ error: (any Error)? = nil) {
        if error == nil && errors.isEmpty { return }
        errors[place] = error
    }

    /// One of them that is still to be made: nothing is to be assigned to what is deleted, unless that is undone.
    private func first(in graph: ObjectGraph) -> (place: Place, error: any Error)? {
        errors.first { place, _ in
            let row = graph.rows[place.object]
            return row.map { !$0.isDeleted } ?? !place.object.isProvisional
        }.map { ($0.key, $0.value) }
    }

    func isEmpty(in graph: ObjectGraph) -> Bool { first(in: graph) == nil }

    /// Follows objects that were merged into others or got a key.
    mutating func follow(_ forwarding: ObjectMap<ObjectID>) {
        for (place, error) in errors {
            guard let present = forwarding[place.object] else { continue }
            var followed = place
            followed.object = present
            errors[place] = nil
            errors[followed] = error
        }
    }

    /// Drops those that are in others.
    mutating func subtract(_ others: LostAssignments) {
        for place in others.errors.keys { errors[place] = nil }
    }

    /// Drops what was assigned to an object.
    mutating func drop(of id: ObjectID) {
        if !errors.isEmpty { errors = errors.filter { $0.key.object != id } }
    }

    /// Throws if an assignment was lost.
    func check(in graph: ObjectGraph, of model: ManagedObjectModel) throws {
        guard let (place, error) = first(in: graph) else { return }
        let entity = model.entities[place.object.entity]
        let property =
            switch place {
            case .value(_, let slot): entity.columns[slot].name
            case .members: "to-many relationship"
            }
        throw StoreError(
            .failed,
            "\(entity.name).\(property) was assigned while the object could not be read, because of: \(error); "
                + "assign it again, or roll back",
            underlying: error
        )
    }
}
