internal import CReaderProtocol
internal import Synchronization
internal import SystemCalls

#if canImport(Glibc)
internal import Glibc
#endif

/// One running `luggage-reader`, and our end of the socket to it.
///
/// The owner of both: when the last reference goes, the process is gone too, and reaped.
final class ReaderProcess: Sendable {
    /// The process identifier; another process may bear it once this one is reaped.
    let identifier: pid_t

    /// Our end of the socket pair; it does not block.
    let socket: Int32

    /// How the process ended, once it is reaped.
    private let end = Mutex<ProcessEnd?>(nil)

    /// Starts a process.
    ///
    /// - Throws: ``ReadError`` with the code `readerUnavailable`, which names the path.
    init(executable: String, memoryBytes: Int) throws(ReadError) {
        var identifier: pid_t = 0
        var socket: Int32 = -1
        let memory = UInt64(clamping: max(1, memoryBytes))
        let number = unsafe reader_start(executable, memory, &identifier, &socket)
        guard number == 0 else { throw .readerUnavailable(executable, number) }
        self.identifier = identifier
        self.socket = socket
    }

    deinit {
        _ = reap()
        close(socket)
    }

    /// Kills the process, which ends whatever waits for its answer.
    ///
    /// It is reaped later.
    func kill() {
        end.withLock { end in
            // Once reaped, the number may be somebody else's.
            guard end == nil else { return }
            Glibc.kill(identifier, SIGKILL)
        }
    }

    /// Kills and reaps the process.
    ///
    /// A process that was about to end by itself keeps the status that it had: the kernel settles it
    /// before it closes the process's end of the socket, and a signal after that changes nothing.
    func reap() -> ProcessEnd {
        end.withLock { end in
            if let end { return end }
            Glibc.kill(identifier, SIGKILL)
            let found = ProcessEnd(collecting: identifier)
            end = found
            return found
        }
    }
}

extension ReadError {
    /// The reader process cannot be started, with the remedy where there is one.
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
