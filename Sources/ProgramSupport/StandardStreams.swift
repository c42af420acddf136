internal import ArgumentParser
internal import Glibc
internal import Synchronization
internal import SystemSupport

/// The setup of standard input, standard output and standard error.
package enum StandardStreams {
    /// Makes the three descriptors safe to use.
    ///
    /// If one was closed, the next file that is opened would get its number, and output would go to that
    /// file; writing to a standard output that was closed still fails. A closed pipe (SIGPIPE), and a file
    /// over the shell's size limit (SIGXFSZ), become errors of the write instead of ending the program. The
    /// parent process may ignore SIGCHLD; the program restores it, to be told when its own processes end.
    package static func prepare() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open returns the lowest free descriptor, which is this one.
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

    /// Whether the reader has closed the pipe, because it has seen enough.
    package static var isClosed: Bool { wasClosed.load(ordering: .relaxed) }

    /// Writes a line.
    package static func line(_ text: String) throws {
        try write(Array((text + "\n").utf8))
    }

    /// Writes bytes as they are.
    ///
    /// A reader that closes the pipe has seen enough: the rest is dropped, and the work goes on. Any
    /// other failure is thrown.
    package static func write(_ bytes: [UInt8]) throws {
        if isClosed { return }
        switch bytes.writeAll(to: STDOUT_FILENO) {
        case 0: return
        case EPIPE: wasClosed.store(true, ordering: .relaxed)
        case let number: throw failure(number)
        }
    }

    /// Waits on its own thread until the reader of the pipe has closed it.
    ///
    /// - Parameter act: Runs then; never if the output does not go to a pipe.
    package static func whenUnread(_ act: @escaping @Sendable () -> Void) {
        DetachedThread.startPatiently {
            // poll reports errors without being asked for them.
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
    /// Writes bytes that are useful only as a whole: a closed pipe is a failure too.
    package static func writeWhole(_ bytes: [UInt8]) throws {
        switch bytes.writeAll(to: STDOUT_FILENO) {
        case 0: return
        case EPIPE:
            throw Failure(.ioFailed, "the output was closed before everything was written")
        case let number: throw failure(number)
        }
    }

    /// Whether the output goes to a terminal.
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Standard error, for messages to people besides the results.
///
/// Failures to write are ignored: the work must go on even if nobody listens.
package enum StandardError {
    /// Whether a person is watching.
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    package static func line(_ text: String) { write(text + "\n") }

    /// Writes a problem, on one line that cannot steer the terminal.
    ///
    /// - Parameters:
    ///   - program: The program's name, which is written first.
    ///   - sentence: What is wrong, and what to do about it.
    package static func complain(_ program: String, _ sentence: String) {
        line("\(program): \(sentence.onOneLine)")
    }

    package static func write(_ text: String) {
        _ = Array(text.utf8).writeAll(to: STDERR_FILENO)
    }
}

/// Standard input, for answers, and for what is given as `-`.
package enum StandardInput {
    /// The argument that names it.
    package static let sign = "-"

    /// Whether a person can answer.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Refuses to wait for a person to type what only a program or a file can give.
    ///
    /// - Parameters:
    ///   - thing: What is expected.
    ///   - example: The end of a command line that gives it.
    /// - Throws: `ValidationError` if standard input is a terminal.
    package static func refuseTerminal(for thing: String, as example: String) throws {
        guard isTerminal else { return }
        throw ValidationError(
            "- reads \(thing) from standard input, which is the terminal; give it a file, as in "
                + "`\(example)`, or the output of a program"
        )
    }
}
