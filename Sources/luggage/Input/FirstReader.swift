internal import Synchronization
internal import TagReading

/// The first reader process of a command that reads pictures.
///
/// It gets ready while the program parses its command line, which takes about as long.
enum FirstReader {
    private static let reader = Mutex<EarlyReader?>(nil)

    /// Starts the process if the first word is a command that reads pictures.
    ///
    /// A failure is not told here: the pool will start a process itself, and tell why that fails.
    static func startIfNeeded() {
        let word = CommandLine.arguments.dropFirst().first
        guard word == ReadCommand.word || word == ScanCommand.word else { return }
        let started = try? EarlyReader(executable: ReaderPool.locateExecutable())
        reader.withLock { $0 = started }
    }

    /// The process for the pool; nil if none was started, or it was given away.
    static func take() -> EarlyReader? {
        reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
    }
}
