internal import FoundationEssentials
internal import Logging

/// Passes log events to a ``ServiceLog``.
struct ServiceLogHandler: LogHandler {
    let log: ServiceLog
    let label: String
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    /// This logger's own level; if nil, the log's level applies.
    private var ownLevel: Logger.Level?

    init(log: ServiceLog, label: String) {
        self.log = log
        self.label = label
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? log.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        log.write(
            LogEntry(
                level: event.level,
                message: event.message.description,
                metadata: all.mapValues(\.description),
                label: label,
                time: Date()
            )
        )
    }
}
