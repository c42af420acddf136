internal import Synchronization
internal import SystemSupport

/// Reports all saves to a store, of any writer, in the order of its history.
///
/// Contexts of the container report their own saves, which are sent as soon as no earlier save is
/// missing. The saves of others are read from the history when the store reports a possible commit,
/// or when a context's save shows that an earlier one is missing. If nobody else can write, the
/// history is not read.
final class StoreChanges: SaveReporting {
    /// The most foreign saves that are reported one by one after a time without reading, and the most objects.
    private static let limit: (saves: UInt64, objects: Int) = (10_000, 50_000)

    let waiters = WorkThreads(limit: 64)

    fileprivate enum OwnSave {
        /// It has its token, but may still fail. In a group of savers, the next one then gets the
        /// same token, so pending saves are counted.
        case pending(Int)
        case durable(SaveResult)
    }

    fileprivate struct State {
        /// Whether there are listeners.
        var isHeard = false
        /// Makes the store report commits; nil while the saves of others are not followed.
        var watch: (any StoreWatch)?
        /// The last reported save; nil if the history could not be read so far.
        var told: HistoryToken?
        /// Saves of this container that are not yet reported.
        var own: [HistoryToken: OwnSave] = [:]
        /// Whether the history has more saves, which wait for a save of this container.
        var isBehind = false

        init() {}

        /// What stays when nobody listens any more.
        init(pendingOf state: State) {
            own = state.own.filter { if case .pending = $0.value { true } else { false } }
        }
    }

    private let store: any PersistentStore
    private let model: ManagedObjectModel
    let keeping: HistoryKeeping
    private let hub = ChangeHub()
    private let state = Mutex(State())
    /// The number of listeners; locked while watching begins or ends.
    private let listeners = Mutex(0)

    init(
        of store: any PersistentStore,
        _ model: ManagedObjectModel,
        keeping: HistoryKeeping = .all
    ) {
        self.store = store
        self.model = model
        self.keeping = keeping
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
        // The watch starts first, so that it notices a commit after the reading.
        guard let watch = store.watchCommits({ [weak self] in self?.read() }) else { return }
        let told = try? store.read { try $0.lastHistoryToken() ?? HistoryToken(rawValue: 0) }
        state.withLock { state in
            state.watch = watch
            state.told = told
        }
    }

    private func end() {
        let watch = state.withLock { state in
            defer { state = State(pendingOf: state) }
            return state.watch
        }
        watch?.cancel()
    }

    // MARK: Saves of this container

    func record(
        _ outcome: SaveOutcome,
        by author: String?,
        in transaction: any StoreTransaction
    ) throws -> HistoryToken? {
        try transaction.record(outcome.history(in: model), by: author, in: model, keeping)
    }

    /// False: a save outside a transaction is recorded at once.
    var hasRest: Bool { false }

    func recordRest(in transaction: any StoreTransaction) {}

    func expect(_ token: HistoryToken) {
        // Also while nobody listens: whoever begins to must hear of it before the next.
        state.withLock { $0.expect(token) }
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
                if let token = result.token { state.own[token] = nil }
                hub.send(result)
                return nil
            }
            // A save that began before the first listener came may already be in the history that
            // was read.
            let isTold = state.watch != nil && state.told.map { token <= $0 } ?? false
            state.own[token] = isTold ? nil : .durable(result)
            return state.flush(to: hub) ? state.watch : nil
        }
        reader?.tellSoon()
    }

    // MARK: Saves of others

    /// Reads new saves from the history, if there are any.
    private func read() {
        let (told, waits) = state.withLock { state in
            (state.told, state.watch == nil || state.waitsForOwn())
        }
        if waits { return }
        do {
            let read = try store.read { reading -> (HistoryToken, [SaveResult]?)? in
                let last = try reading.lastHistoryToken() ?? HistoryToken(rawValue: 0)
                guard let told, last >= told,
                    // Whatever numbers a damaged store has.
                    UInt64(bitPattern: last.rawValue &- told.rawValue) <= Self.limit.saves
                else {
                    return (last, nil)
                }
                if last == told { return nil }
                do {
                    let replay = HistoryReplay(reading, model)
                    return (last, try replay.saves(after: told, ofAtMost: Self.limit.objects))
                } catch let error as StoreError where error.code == .historyExpired {
                    return (last, nil)
                }
            }
            guard let (last, saves) = read else { return }
            state.withLock { $0.tell(saves, upTo: last, to: hub) }
        } catch {
            // The store reports again after the next commit, and the reading is repeated then.
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

    /// Whether the next save is one of this container that is not yet durable.
    fileprivate mutating func waitsForOwn() -> Bool {
        guard let told, case .pending = own[told.next] else { return false }
        isBehind = true
        return true
    }

    /// Sends the saves of this container that come next.
    ///
    /// - Returns: Whether the history must be read to continue.
    fileprivate mutating func flush(to hub: ChangeHub) -> Bool {
        guard watch != nil, let told else {
            // There is nothing to read: the saves are sent in the order of their tokens.
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

    /// Sends saves read from the history, with those of this container in their places.
    ///
    /// - Parameters:
    ///   - saves: The saves in order; nil if the history does not have them.
    ///   - last: The last save in the store.
    ///   - hub: The hub to send them to.
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
