internal import Glibc
package import Logging
internal import Synchronization
internal import SystemSupport

/// The log of the service: its destination, form and level, which can change while it runs.
///
/// Parts of log entries come from strangers: file names, texts in codes. So every form keeps an entry
/// on one line, and nothing in it can steer a terminal.
package final class ServiceLog: Sendable {
    private struct State {
        var format: LogFormat
        var level: Logger.Level
    }

    private let state: Mutex<State>
    private let output: LogOutput
    private let standardErrorIsJournal: Bool
    private let journal: JournalSocket

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - format: The form.
    ///   - level: The lowest level that is logged.
    ///   - environment: The environment variables; `JOURNAL_STREAM` tells whether standard
    ///     error is the journal.
    package convenience init(
        format: LogFormat = .auto,
        level: Logger.Level = .info,
        environment: [String: String]
    ) {
        self.init(
            format: format,
            level: level,
            environment: environment,
            descriptor: STDERR_FILENO,
            journal: JournalSocket()
        )
    }

    init(
        format: LogFormat,
        level: Logger.Level,
        environment: [String: String],
        descriptor: Int32,
        journal: JournalSocket
    ) {
        state = Mutex(State(format: format, level: level))
        output = LogOutput(descriptor: descriptor)
        standardErrorIsJournal = JournalStream(environment: environment)?.isAt(descriptor) ?? false
        self.journal = journal
    }

    /// The form.
    package var format: LogFormat {
        get { state.withLock { $0.format } }
        set { state.withLock { $0.format = newValue } }
    }

    /// The lowest level that is logged.
    package var level: Logger.Level {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Makes a logger that writes here.
    ///
    /// - Parameter label: Its name in JSON.
    /// - Returns: The logger; it follows ``format`` and ``level`` as they change.
    package func makeLogger(label: String = "luggage") -> Logger {
        Logger(label: label) { ServiceLogHandler(log: self, label: $0) }
    }

    func write(_ entry: LogEntry) {
        switch format {
        case .auto where standardErrorIsJournal, .journal: writeToJournal(entry)
        case .auto, .plain: writePlainly(entry)
        case .json: output.write(entry.json + "\n")
        }
    }

    private func writePlainly(_ entry: LogEntry) {
        let withMetadata = level <= .debug
        if standardErrorIsJournal {
            // The journal adds the time, and reads the priority from the beginning of the line.
            output.write("<\(entry.level.priority)>\(entry.plain(withMetadata: withMetadata))\n")
        } else {
            let time = entry.timeText(isBrief: output.isTerminal)
            output.write("\(time) \(entry.plain(withMetadata: withMetadata))\n")
        }
    }

    private func writeToJournal(_ entry: LogEntry) {
        if !journal.send(entry.journalFields) { writePlainly(entry) }
    }
}

/// A descriptor to which each line is written as a whole.
private final class LogOutput: Sendable {
    private let descriptor: Mutex<Int32>
    let isTerminal: Bool

    init(descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        self.descriptor = Mutex(descriptor)
    }

    /// Writes a line; ignores failures, since there is nobody to tell.
    func write(_ line: String) {
        let bytes = Array(line.utf8)
        descriptor.withLock { _ = bytes.writeAll(to: $0) }
    }
}

extension Logger.Level {
    /// The priority in the journal, as in syslog.
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
