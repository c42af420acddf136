internal import Synchronization

/// A reader process that starts before there is a pool to use it.
///
/// A process needs some milliseconds until it is ready. A program that is about to read a picture can start
/// one first, and find out meanwhile which picture. If no pool takes the process, it ends with this value,
/// or with the program.
package final class EarlyReader: Sendable {
    private let executable: String
    private let memoryBytes: Int
    private let process: Mutex<ReaderProcess?>

    /// Starts a process, and does not wait for it.
    ///
    /// - Parameters:
    ///   - executable: The path of the `luggage-reader` executable.
    ///   - limits: The limits of the pool that will use it.
    /// - Throws: ``ReadError`` with the code `readerUnavailable`.
    package init(executable: String, limits: ReadLimits = .default) throws(ReadError) {
        self.executable = executable
        memoryBytes = limits.memoryBytes
        process = Mutex(
            try ReaderProcess(executable: executable, memoryBytes: limits.memoryBytes)
        )
    }

    /// The identifier of the process; nil if a pool has taken it.
    package var processIdentifier: Int32? { process.withLock { $0?.identifier } }

    /// Gives the process away, once, and only to a pool that would start the same.
    func take(for executable: String, _ limits: ReadLimits) -> ReaderProcess? {
        guard executable == self.executable, limits.memoryBytes == memoryBytes else { return nil }
        return process.withLock { process in
            defer { process = nil }
            return process
        }
    }
}
