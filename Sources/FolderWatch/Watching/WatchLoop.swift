internal import Glibc
internal import SystemSupport

/// The work of the watching thread.
struct WatchLoop {
    /// After this many names a scan reads events, which may be lost if they are not read for long.
    private static let namesBetweenEvents = 512
    /// After this many reads of events the timers have their turn.
    private static let readingsBetweenTimers = 64

    private let core: WatchCore
    private var watches: KernelWatches
    private var signs: PlaceSigns
    private var system: WatchSystem { core.system }

    init(core: WatchCore) {
        self.core = core
        watches = KernelWatches(
            system: core.system,
            folderCount: core.paths.count,
            mostInner: core.mostInnerWatches
        )
        signs = PlaceSigns(system: core.system, paths: core.paths, rest: core.restBetweenSigns)
    }

    /// Runs until the watch is stopped.
    mutating func run() {
        while !core.update({ $0.isStopped }) {
            core.signal.open()
            let now = system.now()
            core.update { state in
                state.answerProbes(true)
                state.ledger.passTime(to: now)
            }
            for folder in core.paths.indices {
                check(folder)
                scan(folder)
            }
            listen()
            let hasMoreEvents = takeEvents(readings: Self.readingsBetweenTimers)
            guard !hasMoreEvents else { continue }
            sleep()
        }
        signs.end(watches)
        watches.closeAll()
        core.signal.close()
        core.update { $0.hasEnded = true }
    }

    private mutating func sleep() {
        let now = system.now()
        let timeout: Duration? = core.update { state in
            guard !state.isStopped, state.probes.isEmpty, let due = state.nextDue(), due > now
            else { return .zero }
            state.sleepsUntil = due
            return due - now
        }
        guard let timeout, timeout > .zero else { return }
        let signal = core.signal.descriptor
        // Without a descriptor, nothing can wake this thread.
        let limit = signal == nil ? min(timeout, .milliseconds(100)) : timeout
        let haveMountsChanged = system.wait(
            WaitedDescriptors(
                signal: signal,
                events: watches.events,
                mounts: signs.mounts
            ),
            limit
        )
        core.signal.lower()
        core.update { $0.sleepsUntil = nil }
        if haveMountsChanged { takeSign() }
    }

    /// Schedules a check of all folders, because some path may lead to another folder.
    private mutating func takeSign() {
        let now = system.now()
        signs.rest(watches, now: now)
        core.update { state in
            for folder in state.schedules.indices { state.schedules[folder].checkSoon(now: now) }
        }
    }

    /// Checks whether the path still leads to the watched folder, if that is due.
    private mutating func check(_ folder: Int) {
        let now = system.now()
        guard core.update({ $0.schedules[folder].mustCheck(at: now) }) else { return }
        let path = core.paths[folder]
        // The signs start first, so that they report every change after the check.
        signs.begin(of: folder, &watches, now: now)
        let isTold = signs.isTold(of: folder)
        let identity = system.identify(path)
        let step = core.changeSchedule(of: folder) {
            $0.checked(identity, isTold: isTold, now: now)
        }
        switch step {
        case .keep: return
        case .disarm: watches.disarm(folder)
        case .arm:
            let result = watches.arm(folder, path)
            let isAgain = core.changeSchedule(of: folder) { $0.armed(result, now: now) }
            if isAgain {
                core.update { state in
                    state.rearms += 1
                    state.hasNewStatus = true
                }
            }
        }
    }

    /// Scans a folder, if that is due.
    private mutating func scan(_ folder: Int) {
        let now = system.now()
        let depth: ScanDepth? = core.update { state in
            let schedule = state.schedules[folder]
            if schedule.mustScan(at: now) {
                state.ledger.beginScan(folder: folder)
                return .changes
            }
            guard schedule.mayScanForNames, state.ledger.wantsNames(of: folder) else { return nil }
            state.ledger.beginScan(folder: folder)
            return .names
        }
        guard let depth else { return }
        var names = 0
        let result = system.scan(core.paths[folder]) { name in
            names += 1
            if names % Self.namesBetweenEvents == 0 {
                _ = takeEvents(readings: Self.readingsBetweenTimers)
            }
            return see(name, in: folder, depth)
        }
        let end = system.now()
        let isComplete = (try? result.get()) ?? false
        core.update { $0.ledger.endScan(folder: folder, isComplete: isComplete) }
        let error: SystemError? = if case .failure(let error) = result { error } else { nil }
        core.changeSchedule(of: folder) {
            $0.scanned(error, depth: depth, began: now, now: end)
        }
    }

    /// Records a name from a scan, and returns whether the scan continues.
    private func see(_ name: [UInt8], in folder: Int, _ depth: ScanDepth) -> Bool {
        guard !core.isIgnored(name) else { return true }
        let now = system.now()
        let step: ScanStep = core.update { state in
            state.answerProbes(true)
            guard !state.isStopped else { return .end }
            return state.ledger.see(folder: folder, name: name, depth: depth, now: now)
        }
        switch step {
        case .next: return true
        case .end: return false
        case .look:
            let look = system.look(core.path(folder: folder, name: name))
            core.update {
                $0.ledger.compare(folder: folder, name: name, look: look, now: now)
            }
            return true
        }
    }

    /// Reads pending events and records them.
    ///
    /// - Returns: Whether there may be more.
    private mutating func takeEvents(readings: Int) -> Bool {
        guard let descriptor = watches.events else { return false }
        for _ in 0..<readings {
            let events = system.readEvents(descriptor)
            if events.isEmpty { return false }
            // Files from events that were read together are handed out together: a file that was
            // begun, written and closed meanwhile is handed out once.
            core.update { $0.isTakingEvents = true }
            for event in events { take(event) }
            core.update { $0.isTakingEvents = false }
        }
        return true
    }

    private mutating func take(_ event: KernelEvent) {
        let now = system.now()
        if event.has(IN_Q_OVERFLOW) {
            core.update { state in
                state.overflows += 1
                state.hasNewStatus = true
                for folder in state.paths.indices {
                    state.ledger.noteLostEvents(folder: folder)
                    state.schedules[folder].scanSoon(now: now)
                }
            }
            takeSign()
            return
        }
        if signs.isSign(event) { takeSign() }
        if let inner = watches.inner(of: event.watch) { return take(event, of: inner) }
        let folders = watches.folders(of: event.watch)
        guard !folders.isEmpty else { return }
        if event.has(IN_IGNORED) {
            watches.forget(event.watch)
            core.update { state in
                for folder in folders { state.schedules[folder].watchEnded(now: now) }
            }
        } else if event.name.isEmpty {
            // An event of the folder itself: renamed, removed, unmounted, or its permissions were
            // changed.
            core.update { state in
                for folder in folders {
                    state.schedules[folder].checkSoon(now: now)
                    if event.has(IN_ATTRIB) { state.schedules[folder].scanSoon(now: now) }
                }
            }
        } else if !core.isIgnored(event.name) {
            for folder in folders { note(event, in: folder, now) }
        }
    }

    /// Requests the events of the inner folders that are waiting for it.
    ///
    /// A folder whose events were not followed before is handed out again.
    private mutating func listen() {
        for inner in core.update({ $0.takeInnerFolders() }) where watches.listen(to: inner) {
            handOut(inner)
        }
    }

    private mutating func take(_ event: KernelEvent, of inner: InnerFolder) {
        if event.has(IN_IGNORED) { return watches.forget(event.watch) }
        // At its new location, other watches report on it.
        if event.has(IN_MOVE_SELF) { watches.endListening(event.watch) }
        if !event.name.isEmpty && core.isIgnored(event.name) { return }
        handOut(inner)
    }

    private func handOut(_ inner: InnerFolder) {
        let now = system.now()
        core.update { $0.ledger.note(.written, folder: inner.folder, name: inner.name, now: now) }
    }

    private func note(_ event: KernelEvent, in folder: Int, _ now: Moment) {
        let news: FileEvent
        if event.has(IN_CLOSE_WRITE) || event.has(IN_MOVED_TO) {
            news = .written
        } else if event.has(IN_CREATE) {
            switch system.look(core.path(folder: folder, name: event.name)) {
            case .found(let state): news = .created(state)
            // If it returns, that is another event.
            case .gone: return
            case .failed: news = .written
            }
        } else if event.has(IN_ATTRIB) {
            news = .touched
        } else {
            return
        }
        core.update {
            $0.ledger.note(news, folder: folder, name: event.name, now: now)
        }
    }
}

extension KernelEvent {
    func has(_ event: some BinaryInteger) -> Bool {
        mask & UInt32(truncatingIfNeeded: event) != 0
    }
}

extension WatchCore {
    /// Changes the schedule of a folder, and reports a change of status.
    @discardableResult
    func changeSchedule<Result: Sendable>(
        of folder: Int,
        _ body: (inout FolderSchedule) -> Result
    ) -> Result {
        update { state in
            let before = state.schedules[folder]
            let result = body(&state.schedules[folder])
            let after = state.schedules[folder]
            if after.condition != before.condition || after.replacements != before.replacements {
                state.hasNewStatus = true
            }
            return result
        }
    }
}
