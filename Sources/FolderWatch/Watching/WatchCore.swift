internal import Synchronization
internal import SystemSupport

/// The state shared by the watch, its callers and the watching thread.
final class WatchCore: Sendable {
    let system: WatchSystem
    let paths: [[UInt8]]
    let isIgnored: @Sendable ([UInt8]) -> Bool
    /// The least time from one sign of a path's change to the next request.
    let restBetweenSigns: Duration
    /// The most inner folders whose events are followed.
    let mostInnerWatches: Int
    let signal = WakeSignal()
    private let state: Mutex<WatchState>
    private let hasThread = Mutex(false)

    init(folders: [[UInt8]], options: FolderWatch.Options, system: WatchSystem) {
        self.system = system
        paths = folders
        isIgnored = options.isIgnored
        restBetweenSigns = options.identityInterval
        mostInnerWatches = options.mostInnerWatches
        state = Mutex(WatchState(paths: folders, options: options, now: system.now()))
    }

    /// Starts the thread, or tries again if the system had none to give.
    ///
    /// The watch has its own thread because examining a folder may take long: a server may not respond.
    func start() {
        hasThread.withLock { hasThread in
            guard !hasThread else { return }
            hasThread = DetachedThread.start { [self] in
                var loop = WatchLoop(core: self)
                loop.run()
            }
        }
    }

    /// Changes the state, then serves waiters, and wakes the thread if it has earlier work.
    @discardableResult
    func update<Result>(_ body: (inout WatchState) -> sending Result) -> sending Result {
        let (result, effects, mustWake) = state.withLock { state in
            let result = body(&state)
            state.serve()
            return (result, state.takeEffects(), Self.mustWake(&state))
        }
        for effect in effects { effect() }
        if mustWake { signal.raise() }
        return result
    }

    private static func mustWake(_ state: inout WatchState) -> Bool {
        guard let sleepsUntil = state.sleepsUntil else { return false }
        let due = state.nextDue()
        guard state.isStopped || !state.probes.isEmpty || due.map({ $0 < sleepsUntil }) ?? true
        else { return false }
        // One wake-up is enough.
        state.sleepsUntil = nil
        return true
    }

    /// The path of a file.
    func path(folder: Int, name: [UInt8]) -> [UInt8] {
        let path = paths[folder]
        let separator: [UInt8] = path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return path + separator + name
    }
}
