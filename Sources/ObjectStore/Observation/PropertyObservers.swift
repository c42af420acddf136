internal import Synchronization

/// The observers of a context, found by the objects that they observe.
struct PropertyObservers: Sendable {
    /// What is observed of an object, and who is told.
    enum Observer: Sendable {
        case slot(Int, notify: @Sendable (AttributeValue, AttributeValue) -> Void)
        case members(MemberPlace, notify: @Sendable (MembersChange) -> Void)
    }

    private var last: UInt64 = 0
    private var observers: [ObjectID: [UInt64: Observer]] = [:]
    /// The object of each observer.
    private var objects: [UInt64: ObjectID] = [:]

    mutating func add(_ observer: Observer, of id: ObjectID) -> UInt64 {
        last += 1
        observers[id, default: [:]][last] = observer
        objects[last] = id
        return last
    }

    /// Removes an observer.
    ///
    /// - Returns: The observer, and its object if no other observes it.
    mutating func remove(_ key: UInt64) -> (observer: Observer?, unobserved: ObjectID?) {
        guard let id = objects.removeValue(forKey: key) else { return (nil, nil) }
        let observer = observers[id]?.removeValue(forKey: key)
        guard observers[id]?.isEmpty ?? true else { return (observer, nil) }
        observers[id] = nil
        return (observer, id)
    }

    /// The observers of an object, in the order of registration.
    func of(_ id: ObjectID) -> [(key: UInt64, observer: Observer)] {
        (observers[id] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Makes the observers of an object follow it to its present identity.
    mutating func forward(_ id: ObjectID, to target: ObjectID) {
        guard let moved = observers.removeValue(forKey: id) else { return }
        observers[target, default: [:]].merge(moved) { first, _ in first }
        for key in moved.keys { objects[key] = target }
    }
}

extension ContextState {
    /// The notifications of observers after a change.
    @inline(never)
    mutating func takeNotifications() -> [@Sendable () -> Void] {
        if graph.watched.isEmpty || !graph.watched.hasNotes { return [] }
        var notifications: [(key: UInt64, notify: @Sendable () -> Void)] = []
        for (id, before) in graph.watched.before {
            let now = graph.rows[graph.watched.followed[id] ?? id]
            for (key, observer) in observers.of(id) {
                guard case .slot(let slot, let notify) = observer else { continue }
                let old = present(before?.shownValue(slot))
                let new = present(now?.shownValue(slot))
                if old != new { notifications.append((key, { notify(old, new) })) }
            }
        }
        for (members, moves) in netMoves() {
            guard let change = MembersChange(moves) else { continue }
            for (key, observer) in observers.of(members.owner) {
                guard case .members(members.place, let notify) = observer else { continue }
                notifications.append((key, { notify(change) }))
            }
        }
        let followed = graph.watched.followed
        graph.watched.removeNotes()
        for (id, target) in followed {
            observers.forward(id, to: target)
            graph.watched.unwatch(id)
        }
        return notifications.sorted { $0.key < $1.key }.map(\.notify)
    }

    /// A value with the present identity of an object that it leads to.
    private func present(_ value: AttributeValue?) -> AttributeValue {
        guard let id = value?.reference else { return value ?? .null }
        return .reference(present(id))
    }

    /// The present identity of an object, also of one that was inserted again and merged with another.
    private func present(_ id: ObjectID) -> ObjectID {
        forwarded[id] ?? graph.watched.forwarding[id] ?? id
    }

    /// How often each object came or went, by the owner that observers know.
    private func netMoves() -> [WatchedChanges.Members: [ObjectID: Int]] {
        var sources: [ObjectID: ObjectID] = [:]
        for members in graph.watched.moves.keys {
            if let target = graph.watched.followed[members.owner] {
                sources[target] = members.owner
            }
        }
        var net: [WatchedChanges.Members: [ObjectID: Int]] = [:]
        for (members, moves) in graph.watched.moves {
            let owner = sources[members.owner] ?? members.owner
            let known = WatchedChanges.Members(place: members.place, owner: owner)
            for move in moves {
                net[known, default: [:]][present(move.id), default: 0] += move.isInserted ? 1 : -1
            }
        }
        return net
    }
}

extension MembersChange {
    /// The change, or nil if there is none.
    fileprivate init?(_ net: [ObjectID: Int]) {
        inserted = net.filter { $0.value > 0 }.keys.sorted()
        removed = net.filter { $0.value < 0 }.keys.sorted()
        if inserted.isEmpty && removed.isEmpty { return nil }
    }
}

extension ManagedObjectContext {
    func addObserver(
        of object: ManagedObject,
        _ keyPath: AnyKeyPath,
        _ notify: @escaping @Sendable (AttributeValue, AttributeValue) -> Void
    ) -> UInt64 {
        state.withLock { state in
            let id = object.objectID
            // Loaded now, so that the first read later is no change.
            state.load(id)
            guard case .slot(_, let slot) = state.place(of: keyPath) else {
                // By its type it has a column; only a mistake in the program gives it another wrapper.
                fatalError("\(keyPath) is a relationship to many")
            }
            state.graph.watched.watch(id)
            return state.observers.add(.slot(slot, notify: notify), of: id)
        }
    }

    func addObserver(
        ofMembers object: ManagedObject,
        _ keyPath: AnyKeyPath,
        _ notify: @escaping @Sendable (MembersChange) -> Void
    ) -> UInt64 {
        whenSaved { state in
            let id = object.objectID
            guard case .members(let entity, let slot) = state.place(of: keyPath) else {
                // As above.
                fatalError("\(keyPath) is no relationship to many")
            }
            let place = MemberPlace(entity: entity, slot: slot)
            // Read now, for the same reason.
            _ = state.members(of: id, place)
            state.graph.watched.watch(WatchedChanges.Members(place: place, owner: id))
            return state.observers.add(.members(place, notify: notify), of: id)
        }
    }

    func removeObserver(_ key: UInt64) {
        let observer = state.withLock { state in
            let (observer, unobserved) = state.observers.remove(key)
            if let unobserved { state.graph.watched.unwatch(unobserved) }
            return observer
        }
        // Released without the lock: what its closure holds may remove another observer as it goes.
        withExtendedLifetime(observer) {}
    }
}
