internal import Foundation
internal import Synchronization
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// Standard output, for results.
enum StandardOutput {
    /// Writes a line.
    static func line(_ text: String) throws {
        try write(Array((text + "\n").utf8))
    }

    /// Writes bytes as they are.
    ///
    /// Somebody who closes the pipe has seen enough: what they do not read is dropped, and the work
    /// goes on. Any other failure is one.
    static func write(_ bytes: [UInt8]) throws {
        if isClosed.load(ordering: .relaxed) { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                isClosed.store(true, ordering: .relaxed)
                return
            } else if errno != EINTR {
                let reason = describe(errorNumber: errno)
                throw Failure(.ioFailed, "the output cannot be written: \(reason)")
            }
        }
    }

    private static let isClosed = Atomic(false)

    /// Makes a closed pipe an error of the write, where it would end the program otherwise.
    static func keepGoingWhenClosed() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}

/// Standard error, for what people are told besides the results.
enum StandardError {
    /// Whether a person is watching.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    static func line(_ text: String) { write(text + "\n") }

    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
