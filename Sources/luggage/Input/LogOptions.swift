internal import ArgumentParser
internal import Logging

/// Options for the log of a service.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The format of the log; auto, the default, is the journal's format under systemd.",
            valueName: "auto|plain|journal|json"
        )
    )
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "The least severe messages to log; info by default.",
            valueName: Logger.Level.allCases.map(\.rawValue).joined(separator: "|")
        ),
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel: String?
}
