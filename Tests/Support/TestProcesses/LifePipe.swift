internal import Foundation

/// A pipe that processes hold open for as long as they live: `exec 3<>PATH` in a shell, which does not
/// wait for this side.
package final class LifePipe: Sendable {
    private let descriptor: Int32

    /// Makes it at a path where nothing is.
    package init(path: String) throws {
        guard unsafe mkfifo(path, 0o600) == 0 else { throw POSIXError(.EEXIST) }
        let end = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard end >= 0 else { throw POSIXError(.EIO) }
        descriptor = end
    }

    deinit {
        close(descriptor)
    }

    /// Waits until none of those who have opened it is left.
    ///
    /// - Returns: Whether that came, within ``TestProcesses/patience``.
    package func hasEnded() -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(TestProcesses.patience / .milliseconds(1))
        return unsafe poll(&event, 1, milliseconds) == 1 && event.revents & Int16(POLLHUP) != 0
    }
}
