internal import Synchronization

/// Hands what was saved to everybody who wants to know.
final class ChangeHub: Sendable {
    private struct State {
        /// What is not to be told yet; nil where everything is told at once.
        var held: [SaveResult]?
        var last: UInt64 = 0
        var listeners: [UInt64: AsyncStream<SaveResult>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Tells at once.
    init() {}

    /// Holds everything back until it is durable.
    static func holding() -> ChangeHub {
        let hub = ChangeHub()
        hub.state.withLock { $0.held = [] }
        return hub
    }

    /// Hands what was held back to another one.
    func release(to other: ChangeHub) {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held ?? []
        }
        for result in held { other.send(result) }
    }

    /// A stream of what is saved from now on.
    func stream() -> AsyncStream<SaveResult> {
        let (stream, continuation) = AsyncStream.makeStream(of: SaveResult.self)
        let key = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[key] = nil }
        }
        return stream
    }

    func send(_ result: SaveResult) {
        if result.changes.isEmpty { return }
        let listeners = state.withLock { state in
            state.held?.append(result)
            return state.held == nil ? Array(state.listeners.values) : []
        }
        for listener in listeners { listener.yield(result) }
    }

    deinit {
        state.withLock { state in
            for listener in state.listeners.values { listener.finish() }
        }
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
    /// What the contexts of this container save from now on, a change set for each save.
    ///
    /// Of a ``transaction(mergePolicy:_:)``, the saves come when it is durable.
    public var changes: some AsyncSequence<SaveResult, Never> & Sendable { hub.stream() }
}
