import Foundation
import Synchronization
import SystemSupport
import TestProcesses
import Testing

/// A hand scanner at a pseudo-terminal, whose path stays the same when it is unplugged and plugged in again.
final class SerialScanner: Sendable {
    let path: String
    /// The end of the terminal that the scanner has; nil while it is unplugged.
    private let main = Mutex<Int32?>(nil)

    init(at path: String) {
        self.path = path
    }

    deinit { unplug() }

    /// Makes a new terminal, and lets the path lead to it.
    func plug() throws {
        let terminal = try PseudoTerminalPair()
        close(terminal.other)
        main.withLock { $0 = terminal.main }
        // As udev does it, in one step.
        try FileManager.default.createSymbolicLink(
            atPath: path + "~",
            withDestinationPath: terminal.path
        )
        try #require(unsafe rename(path + "~", path) == 0)
    }

    /// Sends bytes; when this returns, the kernel has them.
    func send(_ bytes: [UInt8]) throws {
        let end = try #require(main.withLock { $0 })
        try #require(bytes.writeAll(to: end) == 0)
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Removes the path, as udev does, and closes the terminal: the other end hangs up.
    ///
    /// The path must not stay: another test's terminal may get the number of this one.
    func unplug() {
        unsafe unlink(path)
        main.withLock { end in
            if let open = end { close(open) }
            end = nil
        }
    }
}
