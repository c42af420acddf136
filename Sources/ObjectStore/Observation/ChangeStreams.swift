internal import Synchronization

/// Takes what contexts save into the history, and tells others.
protocol SaveReporting: Sendable {
    /// Writes into the history what a save did, or keeps it, to be written with the rest of its
    /// transaction.
    ///
    /// - Parameters:
    ///   - changes: What it did.
    ///   - author: Who saved.
    ///   - transaction: The transaction of the save.
    /// - Returns: Its place in the history; nil where it has none, or none yet.
    /// - Throws: ``StoreError``.
    func record(
        _ changes: [ObjectID: ObjectChange],
        by author: String?,
        in transaction: any StoreTransaction
    ) throws -> HistoryToken?
    /// Whether something was kept that is still to be written into the history.
    var hasRest: Bool { get }
    /// Writes into the history what was kept.
    func recordRest(in transaction: any StoreTransaction) throws
    /// Says which place in the history a save is about to get, before it is durable.
    func expect(_ token: HistoryToken)
    /// Says that a save that was expected has failed.
    func abandon(_ token: HistoryToken)
    /// Tells what was saved.
    func send(_ result: SaveResult)
    /// A stream of what is saved from now on.
    func stream() -> AsyncStream<SaveResult>
}

extension SaveReporting {
    /// Runs a save that says its place in the history as soon as it has one.
    func announcing<Result>(
        _ body: (_ announce: (HistoryToken?) -> Void) throws -> Result
    ) rethrows -> Result {
        var announced: HistoryToken?
        do {
            return try body { token in
                announced = token
                if let token { expect(token) }
            }
        } catch {
            if let announced { abandon(announced) }
            throw error
        }
    }
}

/// Hands what was saved to everybody who wants to know.
final class ChangeHub: Sendable {
    private struct State {
        var last: UInt64 = 0
        var listeners: [UInt64: AsyncStream<SaveResult>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// A stream of what is saved from now on.
    ///
    /// - Parameter onEnd: Is called when nobody listens to it any more.
    /// - Returns: The stream, which ends with this.
    func stream(onEnd: @escaping @Sendable () -> Void = {}) -> AsyncStream<SaveResult> {
        let (stream, continuation) = AsyncStream.makeStream(of: SaveResult.self)
        let key = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[key] = nil }
            onEnd()
        }
        return stream
    }

    func send(_ result: SaveResult) {
        if result.isEmpty { return }
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(result) }
    }

    deinit {
        // Taken out first: who ends is taken off the list, which asks for the lock.
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
    }
}

extension ManagedObjectContext {
    /// What this context saves from now on, a change set for each save.
    ///
    /// Nothing is lost between two of them; whoever listens and does not take what comes keeps it in
    /// memory. The sequence ends with the context.
    public var changes: some AsyncSequence<SaveResult, Never> & Sendable { hub.stream() }
}

extension PersistentContainer {
    /// What is saved to the store from now on, a change set for each save: by the contexts of this
    /// container, by other containers and by other processes.
    ///
    /// The order is that of the store's history, and no save comes twice. A
    /// ``transaction(mergePolicy:_:)`` comes when it is durable, as one save or as the several that the
    /// history has of it. Those of others come with
    /// ``SaveResult/isForeign``, a few milliseconds after they are durable; a change set that is not
    /// ``SaveResult/isComplete`` stands for those that can no longer be told.
    ///
    /// Others are heard only while somebody listens, and where the store can tell of them.
    public var changes: some AsyncSequence<SaveResult, Never> & Sendable { storeChanges.stream() }
}
