internal import CReaderProtocol
internal import Glibc
internal import Synchronization
internal import SystemSupport

/// A running `luggage-reader`, and our end of its socket.
///
/// It owns both: when the last reference is released, the process is killed and reaped.
final class ReaderProcess: Sendable {
    /// The purpose of a process.
    enum Role {
        /// It reads pictures.
        case reader
        /// It makes copies of itself, which read pictures.
        case model
    }

    /// The process identifier; another process may get it after this one is reaped.
    let identifier: pid_t

    /// Our end of the socket pair; it does not block.
    let socket: Int32

    /// The process that this one was copied from; as its parent, only it can end and reap this one.
    private let model: ReaderProcess?

    /// The exit status of the process, once it is reaped.
    private let end = Mutex<ProcessEnd?>(nil)

    /// How long a model may take to make or end a copy.
    private static let patience: Int32 = 60_000

    /// Starts a process with at most this much address space.
    ///
    /// - Throws: ``ReadError`` with the code `readerUnavailable`, which names the path.
    init(executable: String, memoryBytes: Int, role: Role = .reader) throws(ReadError) {
        do throws(SystemError) {
            (identifier, socket) = try Self.start(executable, memoryBytes, role)
        } catch {
            throw .readerUnavailable(executable, error.number)
        }
        self.model = nil
    }

    /// Makes a model copy itself; the copy is its only one, and the model's child.
    ///
    /// - Throws: ``ReadError`` with the code `readerUnavailable`, which names the path.
    init(copying model: ReaderProcess, of executable: String) throws(ReadError) {
        do throws(SystemError) {
            var reply = ReaderOrderReply()
            socket = try Self.withSocket { theirs throws(SystemError) in
                reply = try model.order(READER_ORDER_COPY, attaching: theirs)
            }
            identifier = reply.identifier
        } catch {
            throw .readerUnavailable(executable, error.number)
        }
        self.model = model
    }

    /// Starts a program that has nothing but its end of a socket pair: no environment, `/dev/null` as its
    /// streams, its own process group, so that the terminal's interrupt reaches only the pool.
    static func start(
        _ executable: String,
        _ memoryBytes: Int,
        _ role: Role
    ) throws(SystemError) -> (identifier: pid_t, socket: Int32) {
        var arguments = [executable, "--memory-bytes", "\(max(1, memoryBytes))"]
        if role == .model { arguments.append("--copies") }
        var identifier: pid_t = 0
        let socket = try withSocket { theirs throws(SystemError) in
            let child = ChildProcess.spawn(
                executable,
                arguments.map { Array($0.utf8) },
                [],
                descriptors: [nil, nil, nil, theirs],
                group: .ownGroup
            )
            if child.error != 0 { throw SystemError(number: child.error) }
            identifier = child.identifier
        }
        return (identifier, socket)
    }

    /// Opens a socket pair, and closes the process's end once it has been given away.
    ///
    /// - Returns: Our end, which does not block.
    private static func withSocket(
        _ give: (_ theirs: Int32) throws(SystemError) -> Void
    ) throws(SystemError) -> Int32 {
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        var pair: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
            throw SystemError(number: errno)
        }
        defer { close(pair[1]) }
        do throws(SystemError) {
            if fcntl(pair[0], F_SETFL, O_NONBLOCK) != 0 { throw SystemError(number: errno) }
            try give(pair[1])
        } catch {
            close(pair[0])
            throw error
        }
        return pair[0]
    }

    /// Gives a model an order, and waits for its reply.
    private func order(
        _ kind: Int,
        attaching descriptor: Int32 = -1
    ) throws(SystemError) -> ReaderOrderReply {
        var order = ReaderOrder(version: READER_PROTOCOL_VERSION, kind: UInt32(kind))
        var reply = ReaderOrderReply()
        let size = MemoryLayout<ReaderOrderReply>.size
        let sent = unsafe reader_send(socket, &order, MemoryLayout<ReaderOrder>.size, descriptor)
        if sent != 0 { throw SystemError(number: sent) }
        while true {
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&entry, 1, Self.patience)
            if ready < 0 && errno == EINTR { continue }
            if ready < 0 { throw SystemError(number: errno) }
            if ready == 0 { throw SystemError(number: ETIMEDOUT) }
            let count = unsafe reader_receive(socket, &reply, size, nil)
            if count == -Int(EAGAIN) { continue }
            if count < 0 { throw SystemError(number: Int32(-count)) }
            if count == 0 { throw SystemError(number: ECONNRESET) }
            guard count == size, reply.version == READER_PROTOCOL_VERSION else {
                throw SystemError(number: EPROTO)
            }
            if reply.error != 0 { throw SystemError(number: reply.error) }
            return reply
        }
    }

    deinit {
        _ = reap()
        close(socket)
    }

    /// Kills the process, which ends every wait for its answer.
    ///
    /// It is reaped later. For a copy, its model is killed, so that a new model is needed: use this
    /// only after a failure.
    func kill() {
        if let model { return model.kill() }
        end.withLock { end in
            // After reaping, the number may belong to another process.
            guard end == nil else { return }
            Glibc.kill(identifier, SIGKILL)
        }
    }

    /// Kills and reaps the process.
    ///
    /// A process that was about to end keeps its own status: the kernel sets it before it closes
    /// the process's end of the socket, and a later signal does not change it.
    func reap() -> ProcessEnd {
        end.withLock { end in
            if let end { return end }
            let found = model.map(reap(asCopyOf:)) ?? reapChild()
            end = found
            return found
        }
    }

    private func reapChild() -> ProcessEnd {
        Glibc.kill(identifier, SIGKILL)
        return ProcessEnd(collecting: identifier)
    }

    private func reap(asCopyOf model: ReaderProcess) -> ProcessEnd {
        do throws(SystemError) {
            return ProcessEnd(status: try model.order(READER_ORDER_END).status)
        } catch {
            // A model that does not answer is ended together with its copy.
            return model.reap()
        }
    }
}

extension ReadError {
    /// The error for a reader process that cannot be started, with the remedy if there is one.
    static func readerUnavailable(_ executable: String, _ number: Int32) -> ReadError {
        let remedy =
            switch number {
            case ENOENT, ENOTDIR, EACCES, ENOEXEC:
                "; install luggage-reader beside luggage, or build it with 'swift build'"
            case EMFILE, ENFILE: "; raise the limit of open files"
            case EAGAIN, ENOMEM: "; fewer workers need fewer processes and less memory"
            default: ""
            }
        return ReadError(
            .readerUnavailable,
            "the reader process \(executable) cannot be started: "
                + "\(describe(errorNumber: number))\(remedy)"
        )
    }
}
