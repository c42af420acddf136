internal import FoundationEssentials
internal import Glibc
package import SystemSupport

/// A file, or standard input, that is read from beginning to end.
package final class InputFile {
    /// Its name in messages.
    package let name: String
    /// Its length in bytes; nil if not known.
    package let byteCount: Int?
    /// How many bytes were read.
    package private(set) var position = 0

    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter path: The file, or `-` for standard input.
    /// - Throws: `Failure` if there is none, or it is a folder.
    package init(path: String) throws(Failure) {
        if path == "-" {
            name = "standard input"
            descriptor = STDIN_FILENO
        } else {
            name = path
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            if descriptor < 0 {
                throw Failure(.noInput, "\(path.onOneLine): \(describe(errorNumber: errno))")
            }
        }
        let status = FileStatus(of: descriptor)
        byteCount = status?.kind == .file ? status?.byteCount : nil
        if status?.kind == .folder {
            throw Failure(.noInput, "\(name.onOneLine): \(describe(errorNumber: EISDIR))")
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Waits until there are bytes to read, or the end.
    ///
    /// - Parameter stop: Ends the wait when it is raised; without it, there is no wait.
    /// - Returns: Whether there are bytes, or the end has come; false if it was told to stop.
    package func isReadable(waitingUntil stop: WakeSignal?) -> Bool {
        // A negative descriptor is not waited for.
        var polled = [descriptor, stop?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while unsafe poll(&polled, 2, stop == nil ? 0 : -1) < 0 && errno == EINTR {}
        return polled[0].revents != 0 && polled[1].revents == 0
    }

    /// Reads the next bytes; none at the end.
    ///
    /// - Throws: `Failure` if the system refuses it.
    package func read() throws(Failure) -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                let read = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if read < 0 { failure = errno }
                count = max(0, read)
            }
            if failure == EINTR { continue }
            if failure != 0 {
                let reason = describe(errorNumber: failure)
                throw Failure(.ioFailed, "\(name.onOneLine) cannot be read: \(reason)")
            }
            position += bytes.count
            return bytes
        }
    }
}
