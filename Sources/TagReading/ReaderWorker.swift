internal import Glibc
internal import Synchronization
internal import SystemSupport

/// The number of pictures that a reader process reads before it is replaced.
enum ReaderUse: Equatable {
    /// One, by a copy of a process that has read none.
    case fresh
    /// A number of pictures, because the decoder leaks a little memory with each.
    case pictures(Int)

    var pictures: Int {
        switch self {
        case .fresh: 1
        case .pictures(let count): count
        }
    }
}

/// One slot of the pool: a thread that serves one reader process at a time, and replaces it.
final class ReaderWorker: Sendable {
    private let executable: String
    private let limits: ReadLimits
    private let use: ReaderUse

    /// One thread, because waiting for a process would block the threads of tasks.
    private let thread = WorkThreads(limit: 1)

    private struct State {
        /// The process to copy, if each process reads one picture.
        var model: ReaderProcess?
        var process: ReaderProcess?
        var hasGreeted = false
        var sandbox: SandboxReport?
        var pictures = 0
        var job: ReaderJob?
        var isEnded = false
    }

    private let state: Mutex<State>

    /// Makes a slot, with its first process if that was started already.
    init(
        executable: String,
        limits: ReadLimits,
        use: ReaderUse,
        process: ReaderProcess? = nil
    ) {
        self.executable = executable
        self.limits = limits
        self.use = use
        state = Mutex(State(process: process))
    }

    /// The identifier of the running process.
    var processIdentifier: Int32? {
        state.withLock { $0.process?.identifier }
    }

    /// How the processes are confined; `nil` before the first has reported it.
    var sandbox: SandboxReport? {
        state.withLock { $0.sandbox }
    }

    /// Reads a picture.
    ///
    /// The pool guarantees that there is one job at a time.
    func read(
        _ image: TagImage,
        explains: Bool,
        _ job: ReaderJob
    ) async -> Result<ReaderFindings, ReadError> {
        await thread.run {
            Result { () throws(ReadError) in
                let answer = try self.perform(job) { process, _ throws(ConversationFailure) in
                    try self.converse(with: process, about: image, explains: explains)
                }
                switch answer {
                case .read(let findings): return findings
                case .failed(let error): throw self.explain(error)
                }
            }
        }
    }

    /// Starts a process unless there is one, and waits until it reports that it is ready.
    func prepare(_ job: ReaderJob) async -> Result<SandboxReport, ReadError> {
        await thread.run {
            Result { () throws(ReadError) in
                try self.perform(job) { _, sandbox throws(ConversationFailure) in sandbox }
            }
        }
    }

    /// Gives up the present picture and ends the process.
    ///
    /// Later pictures start no other.
    func end() async {
        let job = state.withLock { state in
            state.isEnded = true
            return state.job
        }
        job?.cancel()
        await thread.run {
            self.discard()
            self.state.withLock { $0.model = nil }
        }
    }

    /// Ends the process in any state.
    ///
    /// There is no process then until the next picture.
    @discardableResult
    func discard() -> ProcessEnd {
        let process = state.withLock { state in
            defer { state.process = nil }
            return state.process
        }
        return process?.reap() ?? .unknown
    }

    private func perform<Value>(
        _ job: ReaderJob,
        _ work: (ReaderProcess, SandboxReport) throws(ConversationFailure) -> Value
    ) throws(ReadError) -> Value {
        let isEnded = state.withLock { state in
            state.job = job
            return state.isEnded
        }
        defer { state.withLock { $0.job = nil } }
        guard !isEnded else { throw .cancelled }
        // An idle process may have died since its last picture. This picture did not cause that, so
        // it is tried once more with a new process.
        for isLast in [false, true] {
            let process = try runningProcess(job)
            guard job.attach(process) else {
                discard()
                throw .cancelled
            }
            let outcome = Result { () throws(ConversationFailure) in
                try work(process, sandbox(of: process))
            }
            guard job.detach() else {
                discard()
                throw .cancelled
            }
            switch outcome {
            case .success(let value):
                return value
            case .failure(.notAccepted) where !isLast:
                discard()
            case .failure(let failure):
                throw explain(failure, discard())
            }
        }
        throw ReadError(.readerUnavailable, "the reader process \(executable) is not available")
    }

    private func runningProcess(_ job: ReaderJob) throws(ReadError) -> ReaderProcess {
        if let process = state.withLock({ $0.process }) { return process }
        let process = try startedProcess(job)
        state.withLock { state in
            state.process = process
            state.hasGreeted = false
            state.pictures = 0
        }
        return process
    }

    private func startedProcess(_ job: ReaderJob) throws(ReadError) -> ReaderProcess {
        func process(_ role: ReaderProcess.Role) throws(ReadError) -> ReaderProcess {
            try ReaderProcess(
                executable: executable,
                memoryBytes: limits.memoryBytes,
                role: role
            )
        }
        guard use == .fresh else { return try process(.reader) }
        // A model that does not answer is killed when the job is cancelled.
        func copy(of model: ReaderProcess) throws(ReadError) -> ReaderProcess {
            guard job.attach(model) else { throw .cancelled }
            defer { _ = job.detach() }
            return try ReaderProcess(copying: model, of: executable)
        }
        // A model ends together with a copy that had to be killed.
        if let model = state.withLock({ $0.model }), let copy = try? copy(of: model) {
            return copy
        }
        // A late answer of a model that gave none in time would be taken for the next one.
        state.withLock { $0.model = nil }
        let model = try process(.model)
        let copy = try copy(of: model)
        state.withLock { $0.model = model }
        return copy
    }

    /// The report of the process; waits for it if the process is new.
    private func sandbox(
        of process: ReaderProcess
    ) throws(ConversationFailure) -> SandboxReport {
        if let sandbox = state.withLock({ $0.hasGreeted ? $0.sandbox : nil }) { return sandbox }
        let conversation = ReaderConversation(
            socket: process.socket,
            limits: limits,
            time: limits.startingTime,
            sequence: 0
        )
        let sandbox = try conversation.receiveGreeting()
        state.withLock { state in
            state.hasGreeted = true
            state.sandbox = sandbox
        }
        return sandbox
    }

    private func converse(
        with process: ReaderProcess,
        about image: TagImage,
        explains: Bool
    ) throws(ConversationFailure) -> ReaderAnswer {
        let number = state.withLock { state in
            state.pictures += 1
            return state.pictures
        }
        let conversation = ReaderConversation(
            socket: process.socket,
            limits: limits,
            time: limits.time,
            sequence: UInt32(truncatingIfNeeded: number)
        )
        let answer = try conversation.read(image, explains: explains)
        if number >= use.pictures { discard() }
        return answer
    }

    /// The picture's own error; if a limit known only to the pool caused it, with that limit.
    private func explain(_ error: ReadError) -> ReadError {
        guard error.code == .outOfMemory else { return error }
        let limit = "the limit of a reader process is \(limits.memoryBytes) bytes"
        return ReadError(.outOfMemory, "\(error.message); \(limit)")
    }

    private func explain(_ failure: ConversationFailure, _ end: ProcessEnd) -> ReadError {
        switch failure {
        case .notAccepted:
            ReadError(
                .readerUnavailable,
                "the reader process \(executable) \(end) before it took a picture; "
                    + "check that it is luggage-reader and that its libraries are installed"
            )
        case .ended where end.isProcessorLimit:
            ReadError(
                .timedOut,
                "reading took longer than \(limits.processorSeconds) seconds of processor time"
            )
        case .ended where end.isForbiddenCall:
            ReadError(
                .readerCrashed,
                "the reader process did what its sandbox forbids while it read this picture, and "
                    + "SIGSYS ended it"
            )
        case .ended:
            ReadError(.readerCrashed, "the reader process \(end) while it read this picture")
        case .timedOut:
            ReadError(.timedOut, "reading took longer than \(limits.time)")
        case .silent:
            ReadError(
                .readerUnavailable,
                "the reader process \(executable) was not ready within \(limits.startingTime)"
            )
        case .nonsense(let what):
            ReadError(.readerCrashed, "the reader process \(what) and was ended")
        case .anotherBuild:
            ReadError(
                .readerUnavailable,
                "the reader process \(executable) is of another build; "
                    + "install luggage and luggage-reader together"
            )
        case .refused(let number):
            ReadError(
                .readerUnavailable,
                "the reader process \(executable) cannot be reached: "
                    + describe(errorNumber: number)
            )
        }
    }
}

extension ReadError {
    /// The error of a picture whose task was cancelled, or whose pool was shut down.
    package static var cancelled: ReadError {
        ReadError(.cancelled, "reading was cancelled")
    }
}

extension ProcessEnd {
    /// Whether the kernel ended the process because its processor time was used up.
    var isProcessorLimit: Bool { self == .signalled(SIGXCPU) }

    /// Whether the kernel ended the process because of a system call that its filter forbids.
    var isForbiddenCall: Bool { self == .signalled(SIGSYS) }
}
