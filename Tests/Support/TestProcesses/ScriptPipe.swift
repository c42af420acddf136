internal import CLinux
internal import Foundation

/// A pipe by which a test and a script wait for each other.
///
/// Neither waits to open it, and nobody waits for it after the end of this process: a FIFO would keep
/// for ever who opens it then.
package final class ScriptPipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// Where a script opens it, to read or to write.
    package var path: String { "/proc/\(getpid())/fd/\(reading)" }

    /// Makes one, of which another name for scripts can be made.
    package init(link: String? = nil) throws {
        var ends: (reading: Int32, writing: Int32) = (-1, -1)
        let error = unsafe system_open_pipe(&ends.reading, &ends.writing)
        guard error == 0 else { throw POSIXError(.EMFILE) }
        (reading, writing) = ends
        guard let link else { return }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Writes a line.
    package func send() {
        _ = unsafe write(writing, "\n", 1)
    }

    /// Waits until a script has written a line.
    package func arrival() async {
        // On a thread that no task needs meanwhile.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var byte: UInt8 = 0
                while unsafe read(reading, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
                continuation.resume()
            }
        }
    }
}
