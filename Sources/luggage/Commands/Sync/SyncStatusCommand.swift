internal import ArgumentParser
internal import ProgramSupport
internal import SystemSupport

/// `luggage sync status`: tells where the exchange with the hub stands.
struct SyncStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell where the exchange with the hub stands.",
        discussion: """
            luggage sync status

            It asks the record, and what the service luggage-sync last said, not the hub. The exit \
            status is 1 if the record has joined no hub, if the service does not run, or if it cannot \
            exchange facts now.
            """
    )

    @OptionGroup var store: StoreOptions

    @Option(word: "Lines for people, or one JSON object for programs.")
    var format: OutputFormat = .table

    func run() throws {
        let container = try store.openForReading()
        let standing = try HubStanding(container, at: store.record().path)
        switch format {
        // Nothing is known of a record that has joined no hub.
        case .json: try StandardOutput.jsonDocument(Report(standing: standing))
        case .table:
            let none = "this record has joined no hub; join one with `luggage sync join`"
            for line in standing?.lines ?? [none] {
                try StandardOutput.line(Terminal.current.wrap(line))
            }
        }
        if standing?.isExchanging != true { throw ExitStatus.incomplete.code }
    }
}

/// The output of `--format json`.
private struct Report: Encodable {
    var standing: HubStanding?

    enum Key: CodingKey {
        case joined
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(standing != nil, forKey: .joined)
        try standing?.encode(to: encoder)
    }
}
