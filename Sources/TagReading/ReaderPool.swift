internal import Synchronization
internal import SystemSupport

/// Reads pictures in separate processes, which it starts, supervises and replaces.
///
/// Parsing hostile pictures in C can crash, hang or be exploited. In a separate process that costs
/// only one picture: the process is killed, the picture fails with a ``ReadError``, and a new
/// process reads the next one. Every answer of a process is validated.
///
/// Processes start when they are first needed and end with the pool. Up to ``workers`` pictures are
/// read at the same time; further callers are suspended and served in order.
///
/// ```swift
/// let pool = ReaderPool(executable: try ReaderPool.locateExecutable())
/// let reading = try await pool.read(TagImage(path: "tag.png"))
/// await pool.shutdown()
/// ```
public final class ReaderPool: TagReader {
    /// The path of the `luggage-reader` executable.
    public let executable: String

    /// The limits for one picture.
    public let limits: ReadLimits

    /// The greatest number of processes, and so of pictures read at the same time.
    public let workers: Int

    private let use: ReaderUse

    private struct State {
        var all: [ReaderWorker] = []
        var idle: [ReaderWorker] = []
        var line = WaitingLine<CheckedContinuation<ReaderWorker?, Never>>()
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Makes a pool without starting a process.
    ///
    /// - Parameters:
    ///   - executable: The path of `luggage-reader`, as ``locateExecutable()`` finds it.
    ///   - limits: The limits for one picture.
    ///   - workers: The greatest number of processes; the number of processors if `nil`.
    ///   - freshReaders: Whether each picture is read by a process that has read no other, so that
    ///     a picture which exploits its reader can harm only itself. It costs two milliseconds of
    ///     processor time per picture.
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
            freshReaders: freshReaders,
            early: nil
        )
    }

    /// Makes a pool whose first process was started before it, unless each picture is to have a fresh one.
    package convenience init(
        executable: String,
        limits: ReadLimits = .default,
        workers: Int? = nil,
        freshReaders: Bool = false,
        early: EarlyReader?
    ) {
        self.init(
            executable: executable,
            limits: limits,
            workers: workers,
            use: freshReaders ? .fresh : .pictures(1000),
            early: early
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

    private init(
        executable: String,
        limits: ReadLimits,
        workers: Int?,
        use: ReaderUse,
        early: EarlyReader? = nil
    ) {
        self.executable = executable
        self.limits = limits
        self.workers = max(1, workers ?? availableProcessors())
        self.use = use
        if use != .fresh, let process = early?.take(for: executable, limits) {
            let worker = makeWorker(with: process)
            state.withLock { state in
                state.all.append(worker)
                state.idle.append(worker)
            }
        }
    }

    private func makeWorker(with process: ReaderProcess? = nil) -> ReaderWorker {
        ReaderWorker(executable: executable, limits: limits, use: use, process: process)
    }

    deinit {
        for worker in state.withLock({ $0.all }) { worker.discard() }
    }

    /// Reads every QR symbol in a picture, in a separate process.
    ///
    /// If the task is cancelled, its picture is given up at once; a process that has begun with it
    /// is ended.
    ///
    /// - Parameter image: The picture; its descriptor is passed to the process and stays open here.
    /// - Returns: The reading, whose payloads are untrusted bytes.
    /// - Throws: ``ReadError``.
    public func read(_ image: TagImage) async throws(ReadError) -> Reading {
        try await withWorker { worker, job in
            await worker.read(image, explains: false, job)
        }.get().reading
    }

    /// Reads every QR symbol in a picture, and explains what the reader looked at.
    ///
    /// This costs more time and memory than reading alone, and finds the same symbols.
    ///
    /// - Parameter image: The picture; its descriptor is passed to the process and stays open here.
    /// - Returns: The reading and its explanation, both as untrusted as the picture.
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
    /// Use it to find out before the first picture whether pictures can be read, and how well the
    /// machine is protected from them.
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
    /// Pictures that are being read or wait fail with the code `cancelled`, and so do all later ones.
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

    /// The identifiers of the running processes.
    package var processIdentifiers: [Int32] {
        state.withLock { $0.all }.compactMap(\.processIdentifier)
    }

    /// Waits for a free worker.
    ///
    /// - Returns: `nil` if the task is cancelled or the pool is shut down.
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

    /// Serves a caller at once, or queues it.
    private func enter(_ waiter: CheckedContinuation<ReaderWorker?, Never>, _ number: UInt64) {
        let (isSettled, worker): (Bool, ReaderWorker?) = state.withLock { state in
            // If a task is cancelled after this point, its waiter is in the queue.
            if state.isShutDown || Task.isCancelled { return (true, nil) }
            if let worker = state.idle.popLast() { return (true, worker) }
            if state.all.count < workers {
                let worker = makeWorker()
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

/// Waiters in order of arrival; each may leave early at no cost to the others.
struct WaitingLine<Waiter> {
    private var waiters: [UInt64: Waiter] = [:]
    private var first: UInt64 = 0
    private var next: UInt64 = 0

    /// Takes a number that identifies a waiter once.
    mutating func takeNumber() -> UInt64 {
        defer { next += 1 }
        return next
    }

    /// Queues a waiter under its number.
    ///
    /// Waiters are served in the order of their numbers.
    mutating func enter(_ waiter: Waiter, number: UInt64) {
        waiters[number] = waiter
        first = min(first, number)
    }

    /// Removes a waiter from any position.
    mutating func leave(number: UInt64) -> Waiter? {
        waiters.removeValue(forKey: number)
    }

    /// Removes the waiter whose turn it is.
    mutating func serve() -> Waiter? {
        guard !waiters.isEmpty else { return nil }
        while first < next {
            defer { first += 1 }
            if let waiter = waiters.removeValue(forKey: first) { return waiter }
        }
        return nil
    }
}
