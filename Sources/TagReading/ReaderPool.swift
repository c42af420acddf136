internal import Synchronization

/// Reads pictures in processes of their own, which it starts, watches and replaces.
///
/// Parsing hostile pictures in C can crash, hang or be taken over. In a process of its own that
/// costs one picture: the process is killed, the picture fails with a ``ReadError``, and a fresh
/// process reads the next one. Nothing that a process answers is believed unchecked.
///
/// Processes are started when they are first needed and end with the pool. Up to ``workers``
/// pictures are read at the same time; further callers are suspended and served in their order.
///
/// ```swift
/// let pool = ReaderPool(executable: try ReaderPool.locateExecutable())
/// let reading = try await pool.read(TagImage(path: "tag.png"))
/// await pool.shutdown()
/// ```
public final class ReaderPool: TagReader {
    /// The path of the `luggage-reader` executable.
    public let executable: String

    /// What one picture may cost.
    public let limits: ReadLimits

    /// The largest number of processes, and so of pictures that are read at the same time.
    public let workers: Int

    private let use: ReaderUse

    private struct State {
        var all: [ReaderWorker] = []
        var idle: [ReaderWorker] = []
        var line = WaitingLine<CheckedContinuation<ReaderWorker?, Never>>()
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Makes a pool; no process is started yet.
    ///
    /// - Parameters:
    ///   - executable: The path of `luggage-reader`, as ``locateExecutable()`` finds it.
    ///   - limits: What one picture may cost.
    ///   - workers: The largest number of processes; as many as there are processors where `nil`.
    ///   - freshReaders: Whether each picture is read by a process that has seen no other one, so that
    ///     a picture that takes its reader over can harm no picture but itself. It costs two
    ///     milliseconds of processor time a picture.
    public convenience init(
        executable: String,
        limits: ReadLimits = .default,
        workers: Int? = nil,
        freshReaders: Bool = false
    ) {
        self.init(
            executable: executable,
            limits: limits,
            workers: workers,
            use: freshReaders ? .fresh : .pictures(1000)
        )
    }

    /// Makes a pool whose processes are replaced after a number of pictures.
    package convenience init(
        executable: String,
        limits: ReadLimits,
        workers: Int?,
        picturesPerProcess: Int
    ) {
        self.init(
            executable: executable,
            limits: limits,
            workers: workers,
            use: .pictures(picturesPerProcess)
        )
    }

    private init(executable: String, limits: ReadLimits, workers: Int?, use: ReaderUse) {
        self.executable = executable
        self.limits = limits
        self.workers = max(1, workers ?? availableProcessors())
        self.use = use
    }

    deinit {
        for worker in state.withLock({ $0.all }) { worker.discard() }
    }

    /// Reads every QR symbol in a picture, in a process of its own.
    ///
    /// A cancelled task's picture is given up at once; its process is ended if it has begun.
    ///
    /// - Parameter image: The picture; its descriptor is passed to the process and stays open here.
    /// - Returns: What was found, whose payloads are untrusted bytes.
    /// - Throws: ``ReadError``.
    public func read(_ image: TagImage) async throws(ReadError) -> Reading {
        try await withWorker { worker, job in
            await worker.read(image, explains: false, job)
        }.get().reading
    }

    /// Reads every QR symbol in a picture, and tells what was looked at.
    ///
    /// This costs more time and memory than reading alone, and finds the same symbols.
    ///
    /// - Parameter image: The picture; its descriptor is passed to the process and stays open here.
    /// - Returns: What was found and what was looked at, which are as untrusted as the picture.
    /// - Throws: ``ReadError``.
    public func explain(
        _ image: TagImage
    ) async throws(ReadError) -> (reading: Reading, explanation: ReadingExplanation) {
        let findings = try await withWorker { worker, job in
            await worker.read(image, explains: true, job)
        }.get()
        guard let explanation = findings.explanation else {
            throw ReadError(.readerCrashed, "the reader process gave no explanation")
        }
        return (findings.reading, explanation)
    }

    /// Starts a process unless one is running, and waits until it is ready for a picture.
    ///
    /// For programs that want to know before there is a picture whether pictures can be read, and how
    /// well the machine is protected from them.
    ///
    /// - Returns: How the process is confined.
    /// - Throws: ``ReadError`` with the code `readerUnavailable` or `cancelled`.
    @discardableResult
    public func prepare() async throws(ReadError) -> SandboxReport {
        try await withWorker { worker, job in await worker.prepare(job) }.get()
    }

    /// How the processes are confined; `nil` before the first of them is ready.
    public var sandbox: SandboxReport? {
        state.withLock { $0.all }.lazy.compactMap(\.sandbox).first
    }

    private func withWorker<Value: Sendable>(
        _ work: (ReaderWorker, ReaderJob) async -> Result<Value, ReadError>
    ) async -> Result<Value, ReadError> {
        guard let worker = await acquire() else { return .failure(.cancelled) }
        let job = ReaderJob()
        let result = await withTaskCancellationHandler {
            await work(worker, job)
        } onCancel: {
            job.cancel()
        }
        release(worker)
        return result
    }

    /// Ends every process.
    ///
    /// Pictures in work or in line fail with the code `cancelled`, and so does every later one.
    public func shutdown() async {
        let (workers, waiting) = state.withLock { state in
            state.isShutDown = true
            var waiting: [CheckedContinuation<ReaderWorker?, Never>] = []
            while let waiter = state.line.serve() { waiting.append(waiter) }
            return (state.all, waiting)
        }
        for waiter in waiting { waiter.resume(returning: nil) }
        for worker in workers { await worker.end() }
    }

    /// The identifiers of the processes that are running now.
    package var processIdentifiers: [Int32] {
        state.withLock { $0.all }.compactMap(\.processIdentifier)
    }

    /// Waits for a free worker.
    ///
    /// - Returns: `nil` when the task is cancelled or the pool is shut down.
    private func acquire() async -> ReaderWorker? {
        let number = state.withLock { $0.line.takeNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(continuation, number)
            }
        } onCancel: {
            state.withLock { $0.line.leave(number: number) }?.resume(returning: nil)
        }
    }

    /// Serves a caller at once, or puts it in line.
    private func enter(_ waiter: CheckedContinuation<ReaderWorker?, Never>, _ number: UInt64) {
        let (isSettled, worker): (Bool, ReaderWorker?) = state.withLock { state in
            // A task that is cancelled from here on finds its waiter in the line.
            if state.isShutDown || Task.isCancelled { return (true, nil) }
            if let worker = state.idle.popLast() { return (true, worker) }
            if state.all.count < workers {
                let worker = ReaderWorker(
                    executable: executable,
                    limits: limits,
                    use: use
                )
                state.all.append(worker)
                return (true, worker)
            }
            state.line.enter(waiter, number: number)
            return (false, nil)
        }
        if isSettled { waiter.resume(returning: worker) }
    }

    private func release(_ worker: ReaderWorker) {
        let waiter = state.withLock { state in
            let waiter = state.line.serve()
            if waiter == nil { state.idle.append(worker) }
            return waiter
        }
        waiter?.resume(returning: worker)
    }
}
