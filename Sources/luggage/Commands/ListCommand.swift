internal import ArgumentParser
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// `luggage list`: the bags on record.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the bags on record.",
        discussion: """
            luggage list --missing
            luggage list --format json | jq -r '.[].id'
            """
    )

    @Flag(help: "Only bags that have departed and not arrived.")
    var missing = false

    @Option(help: "A table for people, or a JSON array for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func run() throws {
        var request = FetchRequest(Luggage.self)
        if missing {
            request =
                request
                .where(\.departedAt, isMissing: false)
                .where(\.arrivedAt, isMissing: true)
        }
        let reports = try storeOptions.openForReading().read { context in
            try context.fetch(request.sorted(by: \.departedAt)).map(LuggageReport.init)
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(reports)
        case .table: try writeTable(reports)
        }
    }

    private func writeTable(_ reports: [LuggageReport]) throws {
        if !reports.isEmpty {
            let table = TextTable(columns: [
                .init(heading: "BAG", width: 8),
                .init(heading: "OWNER", width: 8),
                .init(heading: "WEIGHT", width: 8, isRightAligned: true),
                .init(heading: "DEPARTED", width: 21),
                .init(heading: "ARRIVED", width: 21),
            ])
            try StandardOutput.line(table.heading)
            for report in reports {
                try StandardOutput.line(
                    table.row([
                        report.id.short,
                        report.owner?.name.description ?? "-",
                        report.weight.pounds,
                        report.departedAt?.local ?? "-",
                        report.arrivedAt?.local ?? "-",
                    ])
                )
            }
            try StandardOutput.line("")
        }
        try StandardOutput.line(reports.count.counted("bag") + (missing ? " missing" : ""))
    }
}
