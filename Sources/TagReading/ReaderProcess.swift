internal import CReaderProtocol
internal import Synchronization
internal import SystemSupport

#if canImport(Glibc)
internal import Glibc
#endif

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

    /// Starts a process.
    ///
    /// - Throws: ``ReadError`` with the code `readerUnavailable`, which names the path.
    init(executable: String, memoryBytes: Int, role: Role = .reader) throws(ReadError) {
        var identifier: pid_t = 0
        var socket: Int32 = -1
        let memory = UInt64(clamping: max(1, memoryBytes))
        let isModel: Int32 = role == .model ? 1 : 0
        let number = unsafe reader_start(executable, memory, isModel, &identifier, &socket)
        guard number == 0 else { throw .readerUnavailable(executable, number) }
        self.identifier = identifier
        self.socket = socket
        self.model = nil
    }

    /// Makes a model copy itself; the copy is its only one.
    ///
    /// - Throws: ``ReadError`` with the code `readerUnavailable`, which names the path.
    init(copying model: ReaderProcess, of executable: String) throws(ReadError) {
        var identifier: pid_t = 0
        var socket: Int32 = -1
        let number = unsafe reader_copy(model.socket, Self.patience, &identifier, &socket)
        guard number == 0 else { throw .readerUnavailable(executable, number) }
        self.identifier = identifier
        self.socket = socket
        self.model = model
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
        var status: Int32 = 0
        let number = unsafe reader_end_copy(model.socket, Self.patience, &status)
        // A model that does not answer is ended together with its copy.
        return number == 0 ? ProcessEnd(status: status) : model.reap()
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
