internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import ProgramSupport
internal import SystemSupport

/// The options that every service has, and what it does with them.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The file that keeps the record.", valueName: "path"),
        completion: .file()
    )
    var store: String?

    @Flag(
        help: ArgumentHelp(
            "Make a new record if the old one is gone, or go on with one that has lost saves.",
            discussion:
                "Say it once. Without it, the service then files nothing until the record is back."
        )
    )
    var newRecord = false

    @OptionGroup var logging: LogOptions

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Check the configuration and the record, and start nothing.")
    var check = false

    /// The settings on the command line of any service.
    ///
    /// - Parameter others: The settings that only one has.
    /// - Returns: All that are there.
    func arguments(and others: [WatchSetting: String?]) -> [WatchSetting: String] {
        let own: [WatchSetting: String?] = [
            .store: store, .logFormat: logging.logFormat, .logLevel: logging.logLevel,
        ]
        return own.merging(others) { $1 }.compactMapValues { $0 }
    }

    /// Checks whether a service could start, or go on, with the configuration.
    ///
    /// - Parameters:
    ///   - load: Reads the settings.
    ///   - checkMore: Checks what only one service needs; gets the settings, and the path of the record.
    /// - Throws: ``Failure``.
    func checkConfiguration(
        by load: () throws -> WatchConfiguration,
        _ checkMore: (WatchConfiguration, String) throws -> Void = { _, _ in }
    ) throws {
        do {
            let configuration = try load()
            let record = try RecordFile(at: configuration.store, settings.shared)
            try checkMore(configuration, record.path)
            try record.refuseOtherFile()
        } catch {
            throw Failure(starting: error)
        }
        try StandardOutput.line("the configuration is right")
    }

    /// Makes a service, and runs it until it ends.
    ///
    /// - Parameters:
    ///   - load: Reads the settings, now and at each request.
    ///   - make: Makes the service.
    /// - Returns: The service, which has ended.
    /// - Throws: ``Failure``.
    func run<Running: RunningService>(
        by load: @escaping @Sendable () throws(ConfigurationError) -> WatchConfiguration,
        _ make: (ServiceParts) throws -> Running
    ) async throws -> Running {
        // Before the configuration is read: later requests are kept until the service is ready.
        let reloadRequests = await AsyncStream.signals([SIGHUP])
        let environment = ProcessInfo.processInfo.environment
        let service: Running
        let log: ServiceLog
        do {
            let configuration = try load()
            log = ServiceLog(
                format: configuration.logFormat,
                level: configuration.logLevel,
                environment: environment
            )
            let record = try RecordFile(at: configuration.store, settings.shared)
            var parts = ServiceParts(
                configuration: configuration,
                reload: load,
                reloadRequests: reloadRequests,
                storePath: record.path,
                openStore: { try record.openForService() },
                log: log,
                environment: environment
            )
            parts.clock = TaskThreads.shared.clock
            parts.acceptsRecordAsItIs = newRecord
            service = try make(parts)
        } catch {
            throw Failure(starting: error, in: environment)
        }
        let stop = StopRequest()
        try await EndingSignals.taken([SIGTERM, SIGINT], by: stop.make) {
            await service.run(until: stop)
        }
        return service
    }
}
