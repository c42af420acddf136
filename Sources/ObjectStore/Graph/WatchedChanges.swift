/// Notes the changes of observed objects as they are made.
///
/// So a change costs what it changes, however many objects are observed.
struct WatchedChanges: Sendable {
    /// The members of one object in a to-many relationship.
    struct Members: Hashable, Sendable {
        let place: MemberPlace
        let owner: ObjectID
    }

    /// A row that has become a member, or is one no more.
    struct Move: Sendable {
        let id: ObjectID
        let isInserted: Bool
    }

    private var objects = ObjectSet()
    private(set) var owners: [MemberPlace: Set<ObjectID>] = [:]
    /// The observed objects that were changed, as they were before; nil if they were not here.
    private(set) var before: [ObjectID: ObjectRow?] = [:]
    /// The members that came and went, in order.
    private(set) var moves: [Members: [Move]] = [:]

    /// The present identities of the observed objects that have got another one.
    private(set) var followed: [ObjectID: ObjectID] = [:]
    /// The present identities of all objects that have got another one.
    private(set) var forwarding = ObjectMap<ObjectID>()

    var isEmpty: Bool { objects.isEmpty && owners.isEmpty }

    /// Whether there is something to report.
    var hasNotes: Bool { !before.isEmpty || !moves.isEmpty || !forwarding.isEmpty }

    mutating func watch(_ id: ObjectID) { objects.insert(id) }

    mutating func watch(_ members: Members) {
        owners[members.place, default: []].insert(members.owner)
    }

    mutating func unwatch(_ id: ObjectID) {
        objects.remove(id)
        before[id] = nil
        followed[id] = nil
        for place in owners.keys {
            owners[place]?.remove(id)
            if owners[place]?.isEmpty ?? false { owners[place] = nil }
            moves[Members(place: place, owner: id)] = nil
        }
    }

    /// Also watches the objects that observed ones are about to become.
    mutating func follow(_ forwarding: ObjectMap<ObjectID>) {
        if isEmpty { return }
        self.forwarding = forwarding
        for (source, target) in forwarding {
            var isWatched = false
            if objects.contains(source) {
                objects.insert(target)
                isWatched = true
            }
            for (place, watched) in owners where watched.contains(source) {
                owners[place]?.insert(target)
                isWatched = true
            }
            if isWatched { followed[source] = target }
        }
    }

    /// Whether a change of a row must be noted.
    func concerns(_ id: ObjectID) -> Bool {
        objects.contains(id) || owners.contains { $0.key.entity == id.entity }
    }

    /// Whether a row that others saved is a member of an observed relationship.
    func concerns(_ id: ObjectID, _ values: RowValues) -> Bool {
        owners.contains { place, watched in
            guard place.entity == id.entity else { return false }
            return values[place.slot].reference.map(watched.contains) ?? false
        }
    }

    mutating func note(_ id: ObjectID, _ old: ObjectRow?, _ new: ObjectRow?) {
        if objects.contains(id), before[id] == nil { before[id] = .some(old) }
        for (place, watched) in owners where place.entity == id.entity {
            let (from, to) = (old?.target(of: place.slot), new?.target(of: place.slot))
            if from == to { continue }
            for (owner, isInserted) in [(from, false), (to, true)] {
                guard let owner, watched.contains(owner) else { continue }
                moves[Members(place: place, owner: owner), default: []]
                    .append(Move(id: id, isInserted: isInserted))
            }
        }
    }

    /// Notes that every row is about to be forgotten.
    mutating func noteForgetting(_ rows: ObjectMap<ObjectRow>) {
        for id in objects where before[id] == nil { before[id] = .some(rows[id]) }
        if owners.isEmpty { return }
        for (id, row) in rows { note(id, row, nil) }
    }

    mutating func removeNotes() {
        before = [:]
        moves = [:]
        followed = [:]
        forwarding = ObjectMap()
    }
}
