internal import Synchronization
internal import SystemSupport

/// Records saves of contexts in the history, and notifies others.
protocol SaveReporting: Sendable {
    /// The threads for what waits for the store.
    ///
    /// Threads of its own, because the threads of tasks must not block and a dispatch queue starts
    /// hardly more threads than there are processors; and of one store, for which those of others need not wait.
    var waiters: WorkThreads { get }
    /// Records a save in the history, or holds it, to record it with the rest of its transaction.
    ///
    /// - Returns: The token of the save; nil if it has none, or none yet.
    func record(
        _ outcome: SaveOutcome,
        by author: String?,
        in transaction: any StoreTransaction
    ) throws -> HistoryToken?
    /// Whether it holds changes that are not yet recorded in the history.
    var hasRest: Bool { get }
    /// Records the held changes in the history.
    func recordRest(in transaction: any StoreTransaction) throws
    /// Announces the token of a save before it is durable.
    func expect(_ token: HistoryToken)
    /// Reports that an announced save has failed.
    func abandon(_ token: HistoryToken)
    /// Sends the result of a save to the listeners.
    func send(_ result: SaveResult)
    /// A stream of future saves.
    func stream() -> AsyncStream<SaveResult>
}

extension SaveReporting {
    /// Runs a save that announces its token as soon as it has one.
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

/// Sends saves to all listeners.
final class ChangeHub: Sendable {
    private struct State {
        var last: UInt64 = 0
        var listeners: [UInt64: AsyncStream<SaveResult>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// A stream of future saves.
    ///
    /// - Parameter onEnd: Is called when the listener ends.
    /// - Returns: The stream; it ends when this hub is released.
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
        // The listeners are removed first: a listener that finishes removes itself, which needs the
        // lock.
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
    }
}

extension PersistentContainer {
    /// The saves to the store from now on, one change set for each.
    ///
    /// It includes the saves of this container's contexts, of other containers and of other
    /// processes, in the order of the store's history, each once. A ``transaction(mergePolicy:_:)``
    /// is sent when it is durable, as one save, or as several if the history records several. Saves
    /// of others have ``SaveResult/isForeign`` set, and are sent a few milliseconds after they are
    /// durable. A change set that is not ``SaveResult/isComplete`` stands for saves that can no
    /// longer be reported.
    ///
    /// The container follows other writers only while someone listens, and only if the store can
    /// report them: if the watch of its files cannot start, only the container's own saves arrive.
    public var changes: some AsyncSequence<SaveResult, Never> & Sendable { storeChanges.stream() }
}
