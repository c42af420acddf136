internal import Synchronization
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// What standard output and standard error have in common.
package enum StandardStreams {
    /// Sees to it that the three descriptors are what they are taken for.
    ///
    /// One that was closed would be given to the next file that is opened, which would then be written
    /// to; to a standard output that was closed nothing can be written either way. A closed pipe becomes
    /// an error of the write, and so does a file that grows beyond the limit of the shell, where they
    /// would end the program otherwise. And whoever has started the program may ignore how processes
    /// end; the program is told of its own.
    package static func prepare() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free descriptor is this one.
            _ = unsafe open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        _ = signal(SIGCHLD, SIG_DFL)
    }
}

/// Standard output, for results.
package enum StandardOutput {
    private static let wasClosed = Atomic(false)

    /// Whether somebody has closed the pipe, who has seen enough.
    package static var isClosed: Bool { wasClosed.load(ordering: .relaxed) }

    /// Writes a line.
    package static func line(_ text: String) throws {
        try write(Array((text + "\n").utf8))
    }

    /// Writes bytes as they are.
    ///
    /// Somebody who closes the pipe has seen enough: what they do not read is dropped, and the work
    /// goes on. Any other failure is one.
    package static func write(_ bytes: [UInt8]) throws {
        if isClosed { return }
        switch bytes.writeAll(to: STDOUT_FILENO) {
        case 0: return
        case EPIPE: wasClosed.store(true, ordering: .relaxed)
        case let number: throw failure(number)
        }
    }

    /// Waits beside the program, as long as it runs, until whoever reads the pipe has closed it.
    ///
    /// - Parameter act: What is done then; never where the output goes to something else.
    package static func whenUnread(_ act: @escaping @Sendable () -> Void) {
        DetachedThread.startPatiently {
            // That something went wrong is told unasked.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while true {
                let count = unsafe poll(&output, 1, -1)
                if count > 0 { return act() }
                if count < 0 && errno != EINTR { return }
            }
        }
    }

    private static func failure(_ number: Int32) -> Failure {
        Failure(.ioFailed, "the output cannot be written: \(describe(errorNumber: number))")
    }
}

extension StandardOutput {
    /// Writes bytes that are of use only as a whole: a pipe that was closed is a failure too.
    package static func writeWhole(_ bytes: [UInt8]) throws {
        switch bytes.writeAll(to: STDOUT_FILENO) {
        case 0: return
        case EPIPE:
            throw Failure(.ioFailed, "the output was closed before everything was written")
        case let number: throw failure(number)
        }
    }

    /// Whether what is written appears before a person.
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Standard error, for what people are told besides the results.
///
/// What cannot be told is dropped: that nobody listens must not stop the work.
package enum StandardError {
    /// Whether a person is watching.
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    package static func line(_ text: String) { write(text + "\n") }

    /// Says what is wrong, on one line that cannot steer the terminal.
    ///
    /// - Parameters:
    ///   - program: The program's name, which stands in front of it.
    ///   - sentence: What is wrong, and what to do about it.
    package static func complain(_ program: String, _ sentence: String) {
        line("\(program): \(sentence.onOneLine)")
    }

    package static func write(_ text: String) {
        _ = Array(text.utf8).writeAll(to: STDERR_FILENO)
    }
}

/// Standard input, for answers.
package enum StandardInput {
    /// Whether a person can answer.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
