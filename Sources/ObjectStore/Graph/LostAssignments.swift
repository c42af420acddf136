/// What was assigned to objects that could not be read.
///
/// A property cannot throw. So no save succeeds until the same is assigned again, or taken back.
struct LostAssignments: Sendable {
    /// What was assigned to.
    enum Place: Hashable, Sendable {
        case value(ObjectID, slot: Int)
        case members(ObjectID, MemberPlace)

        fileprivate var object: ObjectID {
            switch self {
            case .value(let id, _), .members(let id, _): id
            }
        }
    }

    private var errors: [Place: any Error] = [:]

    var isEmpty: Bool { errors.isEmpty }

    /// Notes an assignment that was lost for a reason, or that was made if there is none.
    mutating func note(_ place: Place, _ error: (any Error)? = nil) {
        if error == nil && isEmpty { return }
        errors[place] = error
    }

    /// Drops what was assigned to an object.
    mutating func drop(of id: ObjectID) {
        if !isEmpty { errors = errors.filter { $0.key.object != id } }
    }

    /// Throws if an assignment was lost.
    func check(in model: ManagedObjectModel) throws {
        guard let (place, error) = errors.first else { return }
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
