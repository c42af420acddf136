/// Hands out the files that somebody has put into folders, when they are likely to be complete.
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
/// A file is handed out as soon as its writer closes it or renames it into place; there is no delay.
/// Whether it is complete only its content can tell, so whoever gets it says what became of it, with
/// exactly one of ``finish(_:)``, ``wait(for:)`` and ``retry(_:after:)``. Until then it is handed out
/// to nobody else. It must not be opened for writing by whoever gets it: that would be news.
///
/// Events are hints, and a scan of the folder is the truth: folders are scanned at the start, at
/// intervals, when the kernel has lost events, and when a path leads to another folder than before. A
/// folder that is absent is looked for. What is no regular file is never opened, nor handed out; but
/// folders are handed out to whoever wants to look into them.
///
/// Memory does not grow with what arrives: of a folder a limited number of names is held. A file that
/// was finished and stays in the folder costs up to two hundred bytes, by which it is not handed out
/// again.
public final class FolderWatch: Sendable {
    let core: WatchCore

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - folders: The paths of the folders, as bytes; a relative one begins where the process is. A
    ///     symbolic link is followed.
    ///   - options: How they are watched.
    public convenience init(folders: [[UInt8]], options: Options = .default) {
        self.init(folders: folders, options: options, system: .live)
    }

    /// Begins to watch by way of other calls than the system's.
    package init(folders: [[UInt8]], options: Options, system: WatchSystem) {
        core = WatchCore(folders: folders, options: options, system: system)
        core.start()
    }

    deinit {
        stop()
    }

    /// Waits for the next file to look at.
    ///
    /// The file whose news is oldest comes first. Any number of tasks may ask at once, and each file
    /// is handed to one of them. Not to ask is how to slow the watch down: no more than a limited
    /// number of names is held meanwhile.
    ///
    /// - Returns: The file, or nil once the watch is stopped or the task is cancelled.
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

    /// Says that a file was moved away, is gone, or is not to be handed out again as it is.
    ///
    /// If it is still there, it is handed out again only when it is changed or replaced; at once, if
    /// that has happened since it was handed out.
    ///
    /// - Parameter file: A file that ``next()`` gave. One of which something was said before changes
    ///   nothing.
    public func finish(_ file: WatchedFile) {
        core.conclude(file, .finished)
    }

    /// Says that a file is incomplete.
    ///
    /// It is handed out again when it is written, changed or replaced; at once, if that has happened
    /// since it was handed out. Without news it is handed out again after the grace period, with
    /// ``WatchedFile/isOverdue``.
    ///
    /// - Parameter file: A file that ``next()`` gave. One of which something was said before changes
    ///   nothing.
    public func wait(for file: WatchedFile) {
        core.conclude(file, .incomplete)
    }

    /// Says that a file met with trouble that has nothing to do with it and may pass.
    ///
    /// - Parameters:
    ///   - file: A file that ``next()`` gave. One of which something was said before changes nothing.
    ///   - delay: After how long it is handed out again, whatever happens to it meanwhile.
    public func retry(_ file: WatchedFile, after delay: Duration) {
        core.conclude(file, .troubled(after: delay, wasOverdue: file.isOverdue))
    }

    /// Says that a file is put into a watched folder by whoever asks for files, so that it is on its way
    /// before anything else is said.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - folder: The index of the folder.
    public func expect(_ name: [UInt8], in folder: Int) {
        if core.isIgnored(name) { return }
        let now = core.system.now()
        core.update { $0.ledger.note(.written, folder: folder, name: name, now: now) }
    }

    /// Hands a folder out again whenever there is news of what is in it.
    ///
    /// As many folders are listened to as the options say; the last ones count. Of others a scan tells.
    ///
    /// - Parameters:
    ///   - folder: A folder that ``next()`` gave. It is handed out again, if it was not listened to
    ///     before: there may be news since it was looked at.
    ///   - paths: The paths of the folder itself, and of those in it.
    public func listen(to folder: WatchedFile, at paths: [[UInt8]]) {
        core.update { state in
            state.ask(
                for: paths.map { InnerFolder(folder: folder.folder, name: folder.name, path: $0) }
            )
        }
    }

    /// Looks at the folders again now: which they are, and what is in them.
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
    /// Nothing is handed out from now on: all who wait for a file get nil. What is said of a file
    /// later changes nothing. The descriptors are closed by the thread that watches; see
    /// ``waitUntilStopped()``.
    public func stop() {
        core.update { $0.isStopped = true }
    }

    /// Waits until the watch is stopped and has given its descriptors and its thread back.
    public func waitUntilStopped() async {
        await core.waitUntilEnded()
    }

    /// Waits until all folders are watched or polled, and each was scanned.
    ///
    /// It returns as well when the watch is stopped or the task is cancelled.
    public func waitUntilWatching() async {
        core.start()
        await core.wait(in: \.readinessWaiters)
    }

    /// Waits until all folders are watched or polled, and nothing is left to do: no file is to be
    /// handed out, none is handed out, and no scan is going on that may find one.
    ///
    /// Files that are incomplete, or are to be tried again later, are not waited for. It returns as
    /// well when the watch is stopped or the task is cancelled.
    public func waitUntilIdle() async {
        core.start()
        await core.wait(in: \.idlenessWaiters)
    }

    /// How well the folders are watched, and how many files are where.
    public var status: WatchStatus { core.update { $0.status } }

    /// The status now, and whenever a folder is watched in another way, events were lost, or something
    /// was passed over.
    ///
    /// Who is slow gets the newest only. It ends when the watch is stopped. That files arrive and are
    /// finished is not told.
    public var statusChanges: AsyncStream<WatchStatus> { core.statusChanges() }

    /// Whether the thread that watches does its work, for a watchdog.
    ///
    /// It may be busy, but must come round: a folder on a server that does not answer holds it up.
    ///
    /// - Parameters:
    ///   - limit: For how long to wait for a sign of it.
    ///   - clock: What that is measured by. It must not stand still with the thread.
    /// - Returns: Whether there was one; never once the watch is stopped, or the task is cancelled.
    public func isResponding(
        within limit: Duration,
        by clock: any Clock<Duration> = ContinuousClock()
    ) async -> Bool {
        core.start()
        return await core.isResponding(within: limit, by: clock)
    }
}

extension FolderWatch: AsyncSequence {
    /// Gives the files of a watch; see ``FolderWatch/next()``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let watch: FolderWatch

        /// Waits for the next file to look at.
        public func next() async -> WatchedFile? {
            await watch.next()
        }
    }

    /// An iterator that shares the files with all others.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(watch: self)
    }
}
