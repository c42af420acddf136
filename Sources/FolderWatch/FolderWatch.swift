/// Hands out the files that arrive in folders when they are likely to be complete.
///
/// ```swift
/// let watch = FolderWatch(folders: [Array("/srv/inbox".utf8)])
/// for await file in watch {
///     switch use(file.path) {
///     case .used: watch.finish(file)
///     case .incomplete where !file.isOverdue: watch.wait(for: file)
///     case .incomplete: discard(file.path); watch.finish(file)
///     case .busy: watch.retry(file, after: .seconds(5))
///     }
/// }
/// ```
///
/// A file is handed out as soon as its writer closes it or renames it into place, without delay.
/// Only its content shows whether it is complete, so its receiver must report the outcome, with
/// exactly one of ``finish(_:)``, ``wait(for:)`` and ``retry(_:after:)``. Until then no other
/// receiver gets it. The receiver must not open the file for writing: that would be news of the
/// file.
///
/// Events are only hints, and a scan of the folder shows the truth: folders are scanned at the
/// start, at intervals, when the kernel has lost events, and when a path leads to another folder
/// than before. An absent folder is looked for. Only regular files are handed out, and others are
/// never opened; an option also hands out folders.
///
/// Memory does not grow with the number of arriving files: the watch keeps a limited number of
/// names per folder. A file that was finished and stays in the folder costs up to two hundred
/// bytes, so that it is not handed out again.
public final class FolderWatch: Sendable {
    let core: WatchCore

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - folders: The paths of the folders, as bytes; a relative one starts at the working
    ///     directory. Symbolic links are followed.
    ///   - options: How they are watched.
    public convenience init(folders: [[UInt8]], options: Options = .default) {
        self.init(folders: folders, options: options, system: .live)
    }

    /// Begins to watch with a replacement for the system's calls.
    package init(folders: [[UInt8]], options: Options, system: WatchSystem) {
        core = WatchCore(folders: folders, options: options, system: system)
        core.start()
    }

    deinit {
        stop()
    }

    /// Waits for the next file to examine.
    ///
    /// The file with the oldest news comes first. Any number of tasks may wait at once, and each
    /// file goes to one of them. To slow the watch down, do not call this: meanwhile only a limited
    /// number of names is kept.
    ///
    /// - Returns: The file, or nil if the watch is stopped or the task is cancelled.
    public func next() async -> WatchedFile? {
        core.start()
        while let taken = await core.take() {
            let path = core.path(folder: taken.folder, name: taken.name)
            let look = core.system.look(path)
            let now = core.system.now()
            let decision: TakenFile = core.update { state in
                let decision = state.ledger.decide(on: taken, look: look, now: now)
                if case .skipped(let kind) = decision {
                    state.skipped.count(kind)
                    state.hasNewStatus = true
                }
                return state.isStopped ? .dropped : decision
            }
            if case .given(let attempt, let isOverdue) = decision {
                let isFolder =
                    if case .found(let state) = look { state.kind == .folder } else { false }
                return WatchedFile(
                    taken,
                    path: path,
                    isOverdue: isOverdue,
                    attempt: attempt,
                    isFolder: isFolder
                )
            }
        }
        return nil
    }

    /// Reports that a file was moved away, is gone, or must not be handed out again as it is.
    ///
    /// If it is still there, it is handed out again only if it is changed or replaced; at once, if
    /// that has already happened since it was handed out.
    ///
    /// - Parameter file: A file from ``next()``. A second report about it has no effect.
    public func finish(_ file: WatchedFile) {
        core.conclude(file, .finished)
    }

    /// Reports that a file is incomplete.
    ///
    /// It is handed out again when it is written, changed or replaced; at once, if that has already
    /// happened since it was handed out. Without news it is handed out again after the grace
    /// period, with ``WatchedFile/isOverdue``.
    ///
    /// - Parameter file: A file from ``next()``. A second report about it has no effect.
    public func wait(for file: WatchedFile) {
        core.conclude(file, .incomplete)
    }

    /// Reports a transient error that the file did not cause.
    ///
    /// - Parameters:
    ///   - file: A file from ``next()``. A second report about it has no effect.
    ///   - delay: The time after which it is handed out again, even if there is news of it before.
    public func retry(_ file: WatchedFile, after delay: Duration) {
        core.conclude(file, .troubled(after: delay, wasOverdue: file.isOverdue))
    }

    /// Announces that the caller puts a file into a watched folder.
    ///
    /// The file is queued before the caller reports anything else.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - folder: The index of the folder.
    public func expect(_ name: [UInt8], in folder: Int) {
        if core.isIgnored(name) { return }
        let now = core.system.now()
        core.update { $0.ledger.note(.written, folder: folder, name: name, now: now) }
    }

    /// Hands a folder out again whenever there is news of its contents.
    ///
    /// The options limit the number of such folders; the most recent ones count. Scans report on
    /// the others.
    ///
    /// - Parameters:
    ///   - folder: A folder from ``next()``. If its events were not followed before, it is handed
    ///     out again, because there may be news since it was examined.
    ///   - paths: The paths of the folder itself, and of those in it.
    public func listen(to folder: WatchedFile, at paths: [[UInt8]]) {
        core.update { state in
            state.ask(
                for: paths.map { InnerFolder(folder: folder.folder, name: folder.name, path: $0) }
            )
        }
    }

    /// Examines the folders again now: their identities and their contents.
    public func reconcile() {
        core.start()
        let now = core.system.now()
        core.update { state in
            for folder in state.schedules.indices {
                state.schedules[folder].checkSoon(now: now)
                state.schedules[folder].scanSoon(now: now)
            }
        }
    }

    /// Ends the watch.
    ///
    /// No more files are handed out: all tasks that wait for a file get nil, and later reports have
    /// no effect. The watching thread closes the descriptors; see ``waitUntilStopped()``.
    public func stop() {
        core.update { $0.isStopped = true }
    }

    /// Waits until the watch is stopped and has released its descriptors and its thread.
    public func waitUntilStopped() async {
        await core.waitUntilEnded()
    }

    /// Waits until all folders are watched or polled, and each was scanned.
    ///
    /// It also returns if the watch is stopped or the task is cancelled.
    public func waitUntilWatching() async {
        core.start()
        await core.wait(in: \.readinessWaiters)
    }

    /// Waits until all folders are watched or polled, and no work is left.
    ///
    /// That is so if no file is pending or handed out, and no running scan may find one. Files that
    /// are incomplete, or are retried later, do not count, and neither does what the kernel has not told
    /// yet. It also returns if the watch is stopped or the task is cancelled.
    public func waitUntilIdle() async {
        core.start()
        await core.wait(in: \.idlenessWaiters)
    }

    /// How the folders are watched, and how many files are in each phase.
    public var status: WatchStatus { core.update { $0.status } }

    /// The present status, and a new one after each change worth reporting.
    ///
    /// Such changes are: a folder is watched in another way, events were lost, or a file was
    /// skipped. That files arrive and are finished is not reported. A slow reader gets only the
    /// newest status. The stream ends when the watch is stopped.
    public var statusChanges: AsyncStream<WatchStatus> { core.statusChanges() }

    /// Whether the watching thread works, for a watchdog.
    ///
    /// It may be busy, but must answer between its tasks: a folder on a server that does not
    /// respond blocks it.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for an answer.
    ///   - clock: The clock for the limit. It must not stop together with the thread.
    /// - Returns: Whether there was an answer; false if the watch is stopped or the task is cancelled.
    public func isResponding(
        within limit: Duration,
        by clock: any Clock<Duration> = ContinuousClock()
    ) async -> Bool {
        core.start()
        return await core.isResponding(within: limit, by: clock)
    }
}

extension FolderWatch: AsyncSequence {
    /// Iterates over the files of a watch; see ``FolderWatch/next()``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let watch: FolderWatch

        /// Waits for the next file to examine.
        public func next() async -> WatchedFile? {
            await watch.next()
        }
    }

    /// Makes an iterator that shares the files with all others.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(watch: self)
    }
}
