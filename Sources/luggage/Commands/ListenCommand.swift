internal import ArgumentParser
internal import Foundation
internal import Logging
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport
internal import ServiceLifecycle
internal import SystemSupport
internal import UnixSignals

/// `luggage listen`: files what serial hand scanners send.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "File what hand scanners at serial ports read, as it comes.",
        discussion: """
            luggage listen --at origin /dev/ttyACM0
            luggage listen --at destination --station LHR-3 '/dev/ttyUSB*'
            luggage listen

            Set the scanner to its serial mode (USB: CDC or virtual COM port, not keyboard), to send what \
            is in the code unchanged, and to end it with a line end: CR, as most do, LF or CR LF. Each \
            payload is filed like a tag in a picture, at the moment when it came, and its outcome is in \
            the log. The same payload again within 10 s at the same point and station is the same \
            sighting, and repeated. A payload without an end for 5 s, cut off by unplugging, or longer \
            than \(PayloadFraming.longest) bytes is reported and not filed.

            It listens to any number of scanners. One may be unplugged and plugged in again at any time; \
            one that is not there yet is waited for. No other program can use a scanner meanwhile.

            Without DEVICE, it listens to the scanners that the setting `scanners` names, each with its \
            point, in \(WatchConfiguration.defaultFile). SIGHUP makes the service read the configuration \
            again. SIGTERM ends it after it has filed what has come.

            A scanner that types like a keyboard is good for digits only, because the layout of the \
            keyboard changes other characters. For one that another program reads, see \
            `luggage scan --payload`.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Devices, or paths with wildcards in the last part; without them, those of the settings.",
            valueName: "device"
        ),
        completion: .file()
    )
    var devices: [String] = []

    @OptionGroup var place: PlaceOptions

    @Option(
        help: ArgumentHelp(
            "How fast the lines are, in bits a second; 9600 by default. USB scanners ignore it.",
            valueName: "number"
        )
    )
    var baud: String?

    @Option(
        help: ArgumentHelp(
            "What ends each payload: a line end, or a zero byte; line by default.",
            valueName: "line|nul"
        ),
        completion: .list(ScannerEnd.allCases.map(\.rawValue))
    )
    var payloadEnd: String?

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

    @Flag(help: "Check the configuration, and listen to nothing.")
    var check = false

    func validate() throws {
        if devices.isEmpty && (place.at != nil || place.station != nil) {
            throw ValidationError(
                "--at and --station are for devices on the command line; the setting `scanners` gives "
                    + "each its own"
            )
        }
    }

    func run() async throws {
        if check {
            do {
                let configuration = try load()
                _ = try RecordFile(at: configuration.store, settings.shared)
            } catch {
                throw Failure(starting: error)
            }
            return try StandardOutput.line("the configuration is right")
        }
        // Before the configuration is read: later requests are kept until the service is ready.
        let reloadRequests = await UnixSignalsSequence(trapping: .sighup)
        let environment = ProcessInfo.processInfo.environment
        let service: ListenService
        let log: ServiceLog
        do {
            let configuration = try load()
            log = ServiceLog(
                format: configuration.logFormat,
                level: configuration.logLevel,
                environment: environment
            )
            let record = try RecordFile(at: configuration.store, settings.shared)
            var parts = ListenService.Parts(
                configuration: configuration,
                reload: { () throws(ConfigurationError) in try self.load() },
                reloadRequests: reloadRequests,
                storePath: record.path,
                openStore: { try record.openForService() },
                log: log,
                environment: environment
            )
            parts.clock = TaskThreads.shared.clock
            parts.acceptsRecordAsItIs = newRecord
            service = try ListenService(parts)
        } catch {
            throw Failure(starting: error, in: environment)
        }
        try await ServiceGroup(running: service, log).run()
    }

    /// The configuration, with the scanners of the command line if it names some.
    private func load() throws(ConfigurationError) -> WatchConfiguration {
        try settings.shared.listening(
            to: devices,
            arguments: [
                .at: place.at, .station: place.station, .baud: baud, .payloadEnd: payloadEnd,
                .store: store, .logFormat: logging.logFormat, .logLevel: logging.logLevel,
            ].compactMapValues { $0 }
        )
    }
}
