internal import FolderWatch
internal import Synchronization
internal import SystemSupport

/// Takes files from the watch as they come, as many at a time as keep the readers busy.
///
/// A worker takes the next file only when it has finished one. So other files wait in the folder, and
/// memory does not grow with a backlog.
final class WatchCrew: Sendable {
    private let watch: FolderWatch
    private let layout: FolderLayout
    private let pipeline: PicturePipeline
    private let reporter: ServiceReporter
    private let folders: DroppedFolders
    private let tellLeft: @Sendable () -> Void
    private let observe: @Sendable (DroppedFile, Disposition) -> Void
    private let backoff: Backoff
    private struct Work {
        /// When work on each file began.
        var begun: [DroppedFile: ContinuousClock.Instant] = [:]
        var lastEnd: ContinuousClock.Instant?
    }

    private let inWork = Mutex(Work())

    init(
        watch: FolderWatch,
        layout: FolderLayout,
        pipeline: PicturePipeline,
        reporter: ServiceReporter,
        folders: DroppedFolders,
        tellLeft: @escaping @Sendable () -> Void,
        observe: @escaping @Sendable (DroppedFile, Disposition) -> Void,
        backoff: Backoff = Backoff()
    ) {
        self.watch = watch
        self.layout = layout
        self.pipeline = pipeline
        self.reporter = reporter
        self.folders = folders
        self.tellLeft = tellLeft
        self.observe = observe
        self.backoff = backoff
    }

    /// Works until the watch is stopped.
    ///
    /// - Parameters:
    ///   - width: How many files are worked on at the same time.
    ///   - isOnce: Whether to stop the watch as soon as nothing is left to do.
    /// - Returns: How many files, and folders with something in them, are left where they were dropped.
    ///   A folder that cannot be opened counts as one.
    func run(width: Int, isOnce: Bool) async -> Int {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while let file = await self.watch.next() {
                        await self.work(on: file)
                        // A single run may wait: nobody drops pictures meanwhile.
                        if isOnce { await self.reporter.waitForHooks() }
                    }
                }
            }
            if isOnce {
                group.addTask { await self.stopWhereFolderIsAbsent() }
                // Incomplete files are left, and so are files that wait for a retry.
                await watch.waitUntilIdle()
                let status = watch.status
                watch.stop()
                return status.waiting + status.delayed + status.folders.count(where: \.isAbsent)
                    + folders.refusals.count
            }
            return 0
        }
    }

    /// Stops if a folder is missing: a run that files only what is there waits for no folder.
    private func stopWhereFolderIsAbsent() async {
        for await status in watch.statusChanges where status.folders.contains(where: \.isAbsent) {
            watch.stop()
        }
    }

    /// Whether work on files makes progress, and each file is finished in time.
    ///
    /// - Parameters:
    ///   - limit: How long it may take until any file is finished.
    ///   - turn: How long one file may take, if it has to wait for others.
    /// - Returns: Whether it is so, or nothing is in work.
    func isProgressing(within limit: Duration, turn: Duration) -> Bool {
        let now = ContinuousClock.now
        let (oldest, lastEnd) = inWork.withLock { ($0.begun.values.min(), $0.lastEnd) }
        guard let oldest else { return true }
        return now - max(oldest, lastEnd ?? oldest) < limit && now - oldest < turn
    }

    private func work(on watched: WatchedFile) async {
        let file = DroppedFile(folder: layout.dropFolders[watched.folder], name: watched.name)
        let start = ContinuousClock.now
        inWork.withLock { $0.begun[file] = start }
        reporter.tellBegin(of: file)
        let disposition =
            watched.isFolder ? await visit(file, watched) : await look(at: file, watched)
        inWork.withLock { work in
            work.begun[file] = nil
            work.lastEnd = .now
        }
        reporter.tell(disposition, of: file, after: .now - start)
        conclude(watched, disposition)
        let status = watch.status
        reporter.tell(pending: status.pending + status.inWork + status.waiting + status.delayed)
        observe(file, disposition)
    }

    /// Moves the pictures in a folder up into the drop folder, where they are filed like all others.
    private func visit(_ folder: DroppedFile, _ watched: WatchedFile) async -> Disposition {
        let (folders, watch, grace) = (folders, watch, pipeline.configuration().grace)
        let (visit, left) = await WorkThreads.waiting.run {
            folders.empty(folder, grace: grace) { watch.expect($0, in: watched.folder) }
        }
        tellLeft()
        return .visited(visit, left: left)
    }

    /// Examines a file, and files it.
    private func look(at file: DroppedFile, _ watched: WatchedFile) async -> Disposition {
        var isNote = FailureNote.isNamedAsNote(file.name)
        if isNote {
            isNote = await WorkThreads.waiting.run {
                FailureNote.isNote(file.name, in: file.folder.path)
            }
        }
        return isNote
            ? .passedOver("says why a picture has failed, and is not a picture itself; remove it")
            : await pipeline.process(
                file,
                isOverdue: watched.isOverdue,
                attempt: watched.attempt
            )
    }

    /// Tells the watch what happened to a file.
    private func conclude(_ watched: WatchedFile, _ disposition: Disposition) {
        switch disposition {
        case .filed, .gone, .passedOver: watch.finish(watched)
        // The watch reports changes to the file, including its permissions.
        case .unfinished, .forbidden: watch.wait(for: watched)
        case .postponed: watch.retry(watched, after: backoff.delay(after: watched.attempt))
        // The next start finds it where it is.
        case .abandoned: watch.retry(watched, after: .seconds(1))
        case .visited(let visit, _):
            watch.listen(to: watched, at: visit.folders)
            // Waiting files have their turn first.
            if visit.hasMore { watch.expect(watched.name, in: watched.folder) }
            if visit.refusals.contains(where: \.cause.mayPass) {
                watch.retry(watched, after: backoff.delay(after: watched.attempt))
            } else if visit.isUnfinished {
                watch.wait(for: watched)
            } else {
                watch.finish(watched)
            }
        }
    }
}

extension WatchStatus.Folder {
    fileprivate var isAbsent: Bool {
        if case .absent = condition { true } else { false }
    }
}
