internal import Synchronization

/// Tells what is saved to a store, whoever saves, in the order of its history.
///
/// What the contexts of the container save is told by them, as soon as nothing comes before it. What
/// others have saved is read from the history when the store says that there may be something, or
/// when a save of a context shows that something must have come before it. Where nobody else can write,
/// there is nothing to be read.
final class StoreChanges: SaveReporting {
    /// The most saves of others that are told one by one after a time in which none was read.
    private static let limit: Int64 = 10_000

    fileprivate enum OwnSave {
        /// It has its place in the history, but may still fail. In a group of savers, the one after it
        /// then gets the same place, so they are counted.
        case pending(Int)
        case durable(SaveResult)
    }

    fileprivate struct State {
        /// Whether anybody listens.
        var isHeard = false
        /// What makes the store tell of commits; nil while others are not listened to.
        var watch: (any StoreWatch)?
        /// The last save that was told; nil where the history could not be read so far.
        var told: HistoryToken?
        /// Saves of this container that were not told yet.
        var own: [HistoryToken: OwnSave] = [:]
        /// Whether the history has more, which waits for a save of this container.
        var isBehind = false
    }

    private let store: any PersistentStore
    private let model: ManagedObjectModel
    private let hub = ChangeHub()
    private let state = Mutex(State())
    /// The number of those who listen; its lock is held while watching begins or ends.
    private let listeners = Mutex(0)

    init(of store: any PersistentStore, _ model: ManagedObjectModel) {
        self.store = store
        self.model = model
    }

    // MARK: Listening

    func stream() -> AsyncStream<SaveResult> {
        listeners.withLock { listeners in
            if listeners == 0 { begin() }
            listeners += 1
        }
        return hub.stream { [weak self] in
            self?.listeners.withLock { listeners in
                listeners -= 1
                if listeners == 0 { self?.end() }
            }
        }
    }

    private func begin() {
        state.withLock { $0.isHeard = true }
        // Watched first: a commit after the reading is then noticed.
        guard let watch = store.watchCommits({ [weak self] in self?.read() }) else { return }
        let told = try? store.read { try $0.lastHistoryToken() ?? HistoryToken(rawValue: 0) }
        state.withLock { state in
            state.watch = watch
            state.told = told
        }
    }

    private func end() {
        let watch = state.withLock { state in
            defer { state = State() }
            return state.watch
        }
        watch?.cancel()
    }

    // MARK: Saves of this container

    func record(
        _ changes: [ObjectID: ObjectChange],
        by author: String?,
        in transaction: any StoreTransaction
    ) throws -> HistoryToken? {
        try transaction.record(changes, by: author, in: model)
    }

    /// False: a save that is not in a transaction with others is written at once.
    var hasRest: Bool { false }

    func recordRest(in transaction: any StoreTransaction) {}

    func expect(_ token: HistoryToken) {
        state.withLock { state in
            if state.isHeard { state.expect(token) }
        }
    }

    func abandon(_ token: HistoryToken) {
        let reader = state.withLock { state in
            state.abandon(token)
            return state.flush(to: hub) ? state.watch : nil
        }
        reader?.tellSoon()
    }

    func send(_ result: SaveResult) {
        let reader = state.withLock { state -> (any StoreWatch)? in
            guard state.isHeard, let token = result.token else {
                hub.send(result)
                return nil
            }
            // One that began before anybody listened may have been read in the history.
            let isTold = state.watch != nil && state.told.map { token <= $0 } ?? false
            state.own[token] = isTold ? nil : .durable(result)
            return state.flush(to: hub) ? state.watch : nil
        }
        reader?.tellSoon()
    }

    // MARK: Saves of others

    /// Reads the history on, if there is more of it.
    private func read() {
        let (told, waits) = state.withLock { state in
            (state.told, state.watch == nil || state.waitsForOwn())
        }
        if waits { return }
        do {
            let read = try store.read { reading -> (HistoryToken, [SaveResult]?)? in
                let last = try reading.lastHistoryToken() ?? HistoryToken(rawValue: 0)
                guard let told, last.rawValue - told.rawValue <= Self.limit, last >= told else {
                    return (last, nil)
                }
                if last == told { return nil }
                do {
                    return (last, try HistoryReplay(reading, model).saves(after: told))
                } catch let error as StoreError where error.code == .historyExpired {
                    return (last, nil)
                }
            }
            guard let (last, saves) = read else { return }
            state.withLock { $0.tell(saves, upTo: last, to: hub) }
        } catch {
            // The store says so again when there is something else, and it can be read then.
        }
    }
}

extension StoreChanges.State {
    fileprivate mutating func expect(_ token: HistoryToken) {
        if case .pending(let count) = own[token] {
            own[token] = .pending(count + 1)
        } else {
            own[token] = .pending(1)
        }
    }

    fileprivate mutating func abandon(_ token: HistoryToken) {
        guard case .pending(let count) = own[token] else { return }
        own[token] = count > 1 ? .pending(count - 1) : nil
    }

    /// Whether what comes next is a save of this container that is not durable yet.
    fileprivate mutating func waitsForOwn() -> Bool {
        guard let told, case .pending = own[told.next] else { return false }
        isBehind = true
        return true
    }

    /// Tells the saves of this container that come next.
    ///
    /// - Returns: Whether the history has to be read to go on.
    fileprivate mutating func flush(to hub: ChangeHub) -> Bool {
        guard watch != nil, let told else {
            // There is nothing to be read: whatever was expected first comes first.
            while let next = own.keys.min(), case .durable(let result) = own[next] {
                hub.send(result)
                own[next] = nil
            }
            return false
        }
        var next = told.next
        while case .durable(let result) = own[next] {
            hub.send(result)
            own[next] = nil
            self.told = next
            next = next.next
        }
        if own[next] != nil { return false }
        defer { isBehind = false }
        return isBehind || !own.isEmpty
    }

    /// Tells saves that were read from the history, and in their place those of this container.
    ///
    /// - Parameters:
    ///   - saves: The saves in their order; nil where the history does not have them.
    ///   - last: The last save that there is.
    ///   - hub: Whom to tell.
    fileprivate mutating func tell(
        _ saves: [SaveResult]?,
        upTo last: HistoryToken,
        to hub: ChangeHub
    ) {
        guard watch != nil else { return }
        guard let saves else {
            told = last
            own = own.filter { $0.key > last }
            hub.send(SaveResult(changes: [:], token: last, isForeign: true, isComplete: false))
            return
        }
        for save in saves {
            guard let token = save.token, let told, token > told else { continue }
            switch own.removeValue(forKey: token) {
            case .durable(let result): hub.send(result)
            case nil: hub.send(save)
            case .pending(let count):
                own[token] = .pending(count)
                isBehind = true
                return
            }
            self.told = token
        }
    }
}

extension HistoryToken {
    fileprivate var next: HistoryToken { HistoryToken(rawValue: rawValue &+ 1) }
}
