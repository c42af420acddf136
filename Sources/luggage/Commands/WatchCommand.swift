internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import ProgramSupport
internal import TagReading
internal import SystemSupport

/// `luggage watch`: files the pictures that are dropped into a folder.
struct WatchCommand: AsyncParsableCommand {
    static let word = "watch"

    static let configuration = CommandConfiguration(
        commandName: word,
        abstract: "File the pictures that are dropped into a folder, as they come.",
        discussion: """
            luggage watch /srv/luggage
            luggage watch --at destination --station LHR-3 /srv/arrivals
            luggage watch --once /srv/luggage

            Drop pictures of departing bags into FOLDER/origin, and those of arriving bags into \
            FOLDER/destination. Another point that the setting `points` names has a folder of that \
            name. With --at, drop them into FOLDER itself. The service moves pictures that it has \
            filed to FOLDER/processed, and the same content again to FOLDER/duplicates. It moves what \
            it cannot file to FOLDER/failed, with the reason beside it in NAME.error.json. You can \
            drop folders too, up to four deep in one another: a picture in them is filed as \
            FOLDERS_NAME. `luggage status` shows the state of the folder, and `luggage retry` tries \
            failed pictures again.

            You can also set everything in \(WatchConfiguration.defaultFile) or by $LUGGAGE_AT, \
            $LUGGAGE_STATION and so on; the command line overrides them. SIGHUP makes the service read \
            the configuration again. SIGTERM ends it after it has filed the pictures in work.
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

    @Option(help: ArgumentHelp("The place of this station, as tags name it.", valueName: "JFK"))
    var place: String?

    @Flag(help: "File what is there, and end.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "A command to run for each picture, at most once, whether it was filed or failed.",
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
            "The first day on which a bag can have been scanned; 2001-01-01 by default.",
            discussion: "A picture whose file is older counts as taken now.",
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
            "How long an incomplete file may stay unchanged, as 90s or 5m; 60s by default.",
            valueName: "time"
        )
    )
    var grace: String?

    @Option(
        help: ArgumentHelp(
            "How hard to try to read a picture; normal by default, and thorough finds little more.",
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
            "Whether a new process reads each picture; no by default. Say yes if the people who "
                + "drop pictures do not trust one another.",
            valueName: "yes|no"
        ),
        completion: .list(FreshReaders.allCases.map(\.rawValue))
    )
    var freshReaders: String?

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        // A folder of that name is watched if it is there; it is never made by mistake.
        if folder == "help" && !FileManager.default.fileExists(atPath: "help") {
            throw ValidationError("there is no folder help; for help: luggage watch --help")
        }
        if service.check && once {
            throw ValidationError("--check files nothing: leave --once out")
        }
    }

    func run() async throws {
        if service.check { return try checkConfiguration() }
        let ended = try await service.run(by: load) { parts in
            let configuration = parts.configuration
            try refuseMisplacedFiles(configuration, parts.storePath)
            let reader = try ReaderPool.forThisProgram(
                configuration.effort,
                workers: configuration.readers,
                freshReaders: configuration.freshReaders == .yes
            )
            return try WatchService(.init(parts, reader: reader, isOnce: once))
        }
        let counts = ended.counts
        if once && counts.failed + counts.left > 0 { throw ExitStatus.incomplete.code }
    }

    private func load() throws(ConfigurationError) -> WatchConfiguration {
        try WatchConfiguration.load(
            file: service.settings.configuration,
            environment: ProcessInfo.processInfo.environment,
            arguments: arguments
        )
    }

    /// Checks whether a service could start, or go on, with the configuration.
    private func checkConfiguration() throws {
        try service.checkConfiguration(by: load) { configuration, record in
            try refuseMisplacedFiles(configuration, record)
            let folder = configuration.folder
            if let kind = FileStatus(at: folder)?.kind, kind != .folder {
                throw Failure(.cannotCreate, "\(folder.onOneLine) is not a folder; name one")
            }
        }
    }

    /// Refuses files of the service in folders for pictures, since the service would file them, and in each other's
    /// place.
    private func refuseMisplacedFiles(
        _ configuration: WatchConfiguration,
        _ record: String?
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
        guard let metrics = configuration.metrics else { return }
        var refusals = [MetricsFile.temporaryPath(of: metrics), metrics].map { path in
            record.flatMap { RecordFile.refusal(of: path, for: $0) }
        }
        if let kind = FileStatus(at: metrics)?.kind, kind != .file {
            refusals.append("\(metrics.onOneLine) is not a regular file; leave it out, or name one")
        }
        let settings = service.settings.shared
        if settings.hasFile, NamedFile(metrics) == NamedFile(settings.path) {
            refusals.append("\(metrics.onOneLine) has the settings; choose another name")
        }
        for refusal in refusals.compactMap(\.self) {
            throw Failure(.configuration, "the file of figures: \(refusal)")
        }
    }

    /// The settings on the command line.
    private var arguments: [WatchSetting: String] {
        service.arguments(and: [
            .folder: folder, .at: point, .station: station, .place: place, .hook: hook,
            .hookTimeLimit: hookTimeLimit, .metrics: metrics, .timestamp: timestamp,
            .earliest: earliest, .heaviest: heaviest, .grace: grace, .effort: effort,
            .readers: readers, .freshReaders: freshReaders,
        ])
    }
}
