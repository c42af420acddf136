internal import Synchronization
internal import System

/// What the watch, those who ask it for files, and the thread that watches have in common.
final class WatchCore: Sendable {
    let system: WatchSystem
    let paths: [[UInt8]]
    let isIgnored: @Sendable ([UInt8]) -> Bool
    /// The least time from one sign of a folder's place to asking for the next.
    let restBetweenSigns: Duration
    /// Of how many folders within the watched ones news is heard.
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

    /// Starts the thread, or tries once more where the system had none to give.
    ///
    /// The watch has one of its own because looking at a folder may take long: a server may not answer.
    func start() {
        hasThread.withLock { hasThread in
            guard !hasThread else { return }
            hasThread = DetachedThread.start { [self] in
                var loop = WatchLoop(core: self)
                loop.run()
            }
        }
    }

    /// Changes what is known, then serves those who wait, and wakes the thread if it must do something
    /// sooner than it would.
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
        // Once is enough.
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
