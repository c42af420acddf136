import Logging
import Synchronization

/// A log whose lines a test looks at.
final class RecordedLog: Sendable {
    struct Line: Equatable {
        var level: Logger.Level
        var message: String
        var metadata: Logger.Metadata
    }

    private let recorded = Mutex<[Line]>([])

    var lines: [Line] { recorded.withLock { $0 } }
    var messages: [String] { lines.map(\.message) }

    func logger(level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { _ in Handler(log: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let line = Line(
                level: event.level,
                message: event.message.description,
                metadata: all
            )
            log.recorded.withLock { $0.append(line) }
        }
    }
}
