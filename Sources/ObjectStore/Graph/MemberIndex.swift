/// A to-many relationship as stored: the entity of its members, and the slot that leads back.
struct MemberPlace: Hashable, Sendable {
    let entity: Int
    let slot: Int
}

/// The rows that lead to each object, for the to-many relationships that were read.
///
/// It follows every change of the rows, so it includes unsaved changes, and an object whose members
/// were read needs no second query. It stays empty until the first such relationship is read.
struct MemberIndex: Sendable {
    private struct Relationship: Sendable {
        let place: MemberPlace
        /// The rows that lead to each object, without deleted ones.
        var members = ObjectMap<ObjectSet>()
        /// The objects whose stored members were all read.
        var loaded = ObjectSet()

        mutating func move(_ id: ObjectID, from old: ObjectID?, to new: ObjectID?) {
            if old == new { return }
            if let old {
                let isLast = members.modifyValue(of: old) { members in
                    members.remove(id)
                    return members.isEmpty
                }
                if isLast ?? false { members[old] = nil }
            }
            if let new {
                if !members.contains(new) { members[new] = ObjectSet() }
                members.modifyValue(of: new) { $0.insert(id) }
            }
        }
    }

    private var relationships: [Relationship] = []

    /// Whether no to-many relationship was read.
    var isEmpty: Bool { relationships.isEmpty }

    private func position(of place: MemberPlace) -> Int? {
        relationships.firstIndex { $0.place == place }
    }

    /// Begins to follow a relationship.
    mutating func follow(_ place: MemberPlace, in rows: ObjectMap<ObjectRow>) {
        guard position(of: place) == nil else { return }
        var relationship = Relationship(place: place)
        for (id, row) in rows where id.entity == place.entity {
            relationship.move(id, from: nil, to: row.target(of: place.slot))
        }
        relationships.append(relationship)
    }

    /// The rows that lead to an object, in the order of their identities.
    func leading(to id: ObjectID, _ place: MemberPlace) -> [ObjectID] {
        guard let position = position(of: place) else { return [] }
        return relationships[position].members[id].map(Array.init) ?? []
    }

    /// Whether every stored member of an object was read.
    func isLoaded(_ id: ObjectID, _ place: MemberPlace) -> Bool {
        position(of: place).map { relationships[$0].loaded.contains(id) } ?? false
    }

    /// Records that every stored member of some objects was read.
    mutating func setLoaded(_ ids: [ObjectID], _ place: MemberPlace) {
        guard let position = position(of: place) else { return }
        for id in ids { relationships[position].loaded.insert(id) }
    }

    /// Makes the next request read the members of some objects anew, or of all objects if nil.
    mutating func setUnloaded(_ ids: [ObjectID]?) {
        for position in relationships.indices {
            guard let ids else {
                relationships[position].loaded = ObjectSet()
                continue
            }
            for id in ids { relationships[position].loaded.remove(id) }
        }
    }

    /// Whether a row that others saved is a member of an object whose members were read.
    func concerns(_ id: ObjectID, _ values: RowValues) -> Bool {
        relationships.contains { relationship in
            guard relationship.place.entity == id.entity else { return false }
            let target = values[relationship.place.slot].reference
            return target.map(relationship.loaded.contains) ?? false
        }
    }

    /// Follows a row that was added, removed or changed.
    mutating func replace(_ old: ObjectRow?, _ new: ObjectRow?, of id: ObjectID) {
        for position in relationships.indices {
            let place = relationships[position].place
            guard place.entity == id.entity else { continue }
            let (before, now) = (old?.target(of: place.slot), new?.target(of: place.slot))
            relationships[position].move(id, from: before, to: now)
        }
    }

    /// Follows one value of a row that is not deleted.
    mutating func move(_ id: ObjectID, slot: Int, from old: ObjectID?, to new: ObjectID?) {
        let place = MemberPlace(entity: id.entity, slot: slot)
        if let position = position(of: place) {
            relationships[position].move(id, from: old, to: new)
        }
    }
}

extension ObjectRow {
    /// The target of a reference, or nil if the object is deleted.
    func target(of slot: Int) -> ObjectID? {
        shownValue(slot).reference
    }
}
