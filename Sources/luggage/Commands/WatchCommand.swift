internal import ArgumentParser
internal import Foundation
internal import Logging
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import ServiceLifecycle
internal import TagReading
internal import UnixSignals
internal import SystemSupport

#if canImport(Glibc)
internal import Glibc
#endif

/// `luggage watch`: files the pictures that are dropped into a folder.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "File the pictures that are dropped into a folder, as they come.",
        discussion: """
            luggage watch /srv/luggage
            luggage watch --at destination --station LHR-3 /srv/arrivals
            luggage watch --once /srv/luggage

            Drop pictures of departing bags into FOLDER/origin and those of arriving ones into \
            FOLDER/destination, and those of bags at another point that the setting `points` names \
            into the folder of that name; with --at, into FOLDER itself. The service moves what it has filed \
            to FOLDER/processed, and the same content again to FOLDER/duplicates. What it cannot \
            file it moves to FOLDER/failed, with the reason beside it in NAME.error.json. Drop \
            folders too, up to four deep in one another: a picture in them is filed as FOLDERS_NAME. \
            `luggage status` tells how things are, and `luggage retry` puts failed pictures back to be \
            tried again.

            Everything can be set in \(WatchConfiguration.defaultFile) too, or by $LUGGAGE_AT, \
            $LUGGAGE_STATION and so on; the command line has the last word. SIGHUP makes \
            the service read the configuration again. SIGTERM ends it once it has filed the pictures \
            in work.
            """
    )

    @Argument(
        help: "The folder; without it, the one that the configuration names.",
        completion: .directory
    )
    var folder: String?

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where all bags are: \(PointArgument.words).",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var point: String?

    @Option(help: "The name of this station; without it, the point.")
    var station: String?

    @Option(
        help: ArgumentHelp("The file that keeps the record.", valueName: "path"),
        completion: .file()
    )
    var store: String?

    @Flag(help: "File what is there, and end.")
    var once = false

    @Flag(
        help: ArgumentHelp(
            "Make a new record where the one that was there is gone, or go on with one that has lost saves.",
            discussion:
                "To be said once. Without it, nothing is filed then until the record is back."
        )
    )
    var newRecord = false

    @Option(
        help: ArgumentHelp(
            "A command that is run for each picture, at most once, whatever became of it.",
            discussion: "Its environment says what happened: $LUGGAGE_EVENT, $LUGGAGE_PICTURE …",
            valueName: "command"
        )
    )
    var hook: String?

    @Option(
        help: ArgumentHelp(
            "How long one run of the hook may take, as 90s or 5m; 30s by default.",
            valueName: "time"
        )
    )
    var hookTimeLimit: String?

    @Option(
        help: ArgumentHelp(
            "A file with figures for node-exporter, kept up to date.",
            valueName: "file"
        ),
        completion: .file()
    )
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            "When the bags were there: when the picture's file was last modified, or now.",
            valueName: "file|now"
        )
    )
    var timestamp: String?

    @Option(
        help: ArgumentHelp(
            "Since when bags can have been anywhere; 2001-01-01 by default.",
            discussion: "A picture whose file is older counts as from now.",
            valueName: "day"
        )
    )
    var earliest: String?

    @Option(
        help: ArgumentHelp(
            "What the heaviest bag can weigh; 1000lb by default.",
            discussion: "A tag that says more is invalid.",
            valueName: "900lb|400kg"
        )
    )
    var heaviest: String?

    @Option(
        help: ArgumentHelp(
            "How long an incomplete file may stay without news, as 90s or 5m; 60s by default.",
            valueName: "time"
        )
    )
    var grace: String?

    @Option(
        help: ArgumentHelp(
            "How much work a picture is worth; normal by default, and thorough finds little more.",
            valueName: "fast|normal|thorough"
        ),
        completion: .list(ReadEffort.allCases.map(\.rawValue))
    )
    var effort: String?

    @Option(
        help: ArgumentHelp(
            "How many processes read pictures; as many as there are processors by default.",
            valueName: "number"
        )
    )
    var readers: String?

    @Option(
        help: ArgumentHelp(
            "Whether each picture is read by a process that has seen no other one; no by default. Say "
                + "yes where those who drop pictures do not trust one another.",
            valueName: "yes|no"
        ),
        completion: .list(FreshReaders.allCases.map(\.rawValue))
    )
    var freshReaders: String?

    @Option(
        help: ArgumentHelp(
            "The form of the log; auto, by default, is that of the journal under systemd.",
            valueName: "auto|plain|journal|json"
        )
    )
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "What is logged, and all that is graver; info by default.",
            valueName: Logger.Level.allCases.map(\.rawValue).joined(separator: "|")
        ),
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel: String?

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Say whether the configuration is right, and watch nothing.")
    var check = false

    func validate() throws {
        if check && once { throw ValidationError("--check files nothing: leave --once out") }
    }

    func run() async throws {
        if check { return try checkConfiguration() }
        // Before the configuration is read: later requests are kept until the service is ready.
        let reloadRequests = await UnixSignalsSequence(trapping: .sighup)
        let environment = ProcessInfo.processInfo.environment
        let load: @Sendable () throws(ConfigurationError) -> WatchConfiguration = {
            [file = settings.configuration, arguments] () throws(ConfigurationError) in
            try WatchConfiguration.load(
                file: file,
                environment: environment,
                arguments: arguments
            )
        }
        let service: WatchService
        let log: ServiceLog
        do {
            let configuration = try load()
            log = ServiceLog(
                format: configuration.logFormat,
                level: configuration.logLevel,
                environment: environment
            )
            let record = try RecordFile(at: configuration.store, settings.shared)
            try refuseFilesAmongPictures(configuration, record.path)
            var parts = WatchService.Parts(
                configuration: configuration,
                reload: load,
                reloadRequests: reloadRequests,
                storePath: record.path,
                openStore: { try record.openForService() },
                reader: try ReaderPool.forThisProgram(
                    configuration.effort,
                    workers: configuration.readers,
                    freshReaders: configuration.freshReaders == .yes
                ),
                log: log,
                environment: environment,
                isOnce: once
            )
            parts.clock = TaskThreads.shared.clock
            parts.acceptsRecordAsItIs = newRecord
            service = try WatchService(parts)
        } catch {
            let failure = Failure(starting: error)
            // For `systemctl status`, if it is a service.
            let notifier = ServiceNotifier(environment: environment)
            let status = (error as? ConfigurationError)?.line ?? failure.message
            let number = (error as? FilingError)?.number ?? 0
            if number == 0 {
                notifier.send(.status(status))
            } else {
                notifier.send(.status(status), .failed(number))
            }
            throw failure
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(
                        service: service,
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup
                    )
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: log.makeLogger()
            )
        )
        try await group.run()
        let counts = service.counts
        if once && counts.failed + counts.left > 0 { throw ExitStatus.incomplete.code }
    }

    /// Checks whether a service could start, or go on, with the configuration.
    private func checkConfiguration() throws {
        do {
            let configuration = try WatchConfiguration.load(
                file: settings.configuration,
                environment: ProcessInfo.processInfo.environment,
                arguments: arguments
            )
            let record = try RecordFile(at: configuration.store, settings.shared)
            try refuseFilesAmongPictures(configuration, record.path)
        } catch {
            throw Failure(starting: error)
        }
        try StandardOutput.line("the configuration is right")
    }

    /// Refuses files of the service in folders for pictures: the service would file them.
    private func refuseFilesAmongPictures(
        _ configuration: WatchConfiguration,
        _ record: String
    ) throws {
        let layout = FolderLayout(
            path: configuration.folder,
            point: configuration.point,
            points: configuration.points
        )
        for (name, path) in [
            ("the record", record), ("the file of figures", configuration.metrics),
        ] {
            guard let path, let refusal = layout.refusal(of: path, name) else { continue }
            throw Failure(.configuration, refusal)
        }
    }

    /// The settings on the command line.
    private var arguments: [WatchSetting: String] {
        let values: [WatchSetting: String?] = [
            .folder: folder, .at: point, .station: station, .store: store, .hook: hook,
            .hookTimeLimit: hookTimeLimit, .metrics: metrics, .timestamp: timestamp,
            .earliest: earliest, .heaviest: heaviest, .grace: grace, .effort: effort,
            .readers: readers, .freshReaders: freshReaders, .logFormat: logFormat,
            .logLevel: logLevel,
        ]
        return values.compactMapValues { $0 }
    }
}

extension Failure {
    /// The failure to start a service.
    fileprivate init(starting error: any Error) {
        switch error {
        case let error as ConfigurationError:
            self.init(.configuration, sentences: error.mistakes.map(\.description))
        case let error as FolderInUse: self.init(.cannotCreate, error.description)
        case let error as FilingError:
            self.init(error.isRefusal ? .configuration : .cannotCreate, error.message)
        case let error as StoreError: self.init(error)
        case let error as Failure: self = error
        default: self.init(.ioFailed, "\(error)")
        }
    }
}
