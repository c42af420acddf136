internal import ArgumentParser
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// `luggage listen`: files what serial hand scanners send.
struct ListenCommand: AsyncParsableCommand {
    static let word = "listen"

    static let configuration = CommandConfiguration(
        commandName: word,
        abstract: "File what hand scanners at serial ports read, as it comes.",
        discussion: """
            luggage listen --at origin /dev/ttyACM0
            luggage listen --at destination --station LHR-3 '/dev/ttyUSB*'
            luggage listen

            Set the scanner to its serial mode (USB: CDC or virtual COM port, not keyboard), to send what \
            is in the code unchanged, and to end it with a line end: CR, as most do, LF or CR LF. Each \
            payload is filed like a tag in a picture, at the moment when it came, and its outcome is in \
            the log; an empty line is nothing. The same payload again within 10 s at the same point and station is the same \
            sighting, and repeated. A payload without an end for 5 s, cut off by unplugging, or longer \
            than \(PayloadFraming.longest) bytes is reported and not filed.

            It listens to any number of scanners. One may be unplugged and plugged in again at any time; \
            one that is not there yet is waited for. No other program can use a scanner meanwhile.

            Without DEVICE, it listens to the scanners that the setting `scanners` names, each with its \
            point, in \(WatchConfiguration.defaultFile). SIGHUP makes the service read the configuration \
            again: it takes over the settings of the log, the hook and alarms, and logs which others need a \
            restart. SIGTERM ends it after it has filed what has come; if it cannot file all of that, it logs each payload, and the \
            exit status is 1.

            A scanner that types like a keyboard is good for digits only, because the layout of the \
            keyboard changes other characters. For one that another program reads, see \
            `luggage scan --payload`.

            The settings `overdue`, `read-rate` and `silence` say what it tells as alarms, each once, in its \
            log and by the `hook`.
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

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if devices.isEmpty && (place.at != nil || place.station != nil) {
            throw ValidationError(
                "--at and --station are for devices on the command line; the setting `scanners` gives "
                    + "each its own"
            )
        }
    }

    func run() async throws {
        if service.check { return try service.checkConfiguration(by: load) }
        let ended = try await service.run(by: load) { try ListenService($0) }
        if ended.lostCount > 0 { throw ExitStatus.incomplete.code }
    }

    /// The configuration, with the scanners of the command line if it names some.
    private func load() throws(ConfigurationError) -> WatchConfiguration {
        try service.settings.shared.listening(
            to: devices,
            arguments: service.arguments(and: [
                .at: place.at, .station: place.station, .place: place.place, .baud: baud,
                .payloadEnd: payloadEnd,
            ])
        )
    }
}
