internal import ArgumentParser
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// `luggage passengers`: lists passengers with the number of their bags.
struct PassengersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passengers",
        abstract: "List the passengers on record, with the number of their bags.",
        discussion: """
            luggage passengers
            luggage passengers --owner zmu
            luggage passengers --format json

            A passenger has 0 bags if a later tag of the bag names another owner.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Only these passengers: D/ZMU, zmu/d, or the family name alone.",
            valueName: "D/ZMU"
        ),
        transform: { try OwnerQuestion(argument: $0) }
    )
    var owner: OwnerQuestion?

    @Option(word: "A table for people, or a JSON array for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func run() throws {
        let entries = try storeOptions.openForReading().read { context in
            try owner?.check(in: context)
            let counts = try context.counts(by: \Luggage.owner)
            var request = FetchRequest(Passenger.self)
                .sorted(by: \.familyName)
                .sorted(by: \.givenName)
            if let owner {
                request = request.whereObject(isOneOf: try owner.passengers(in: context))
            }
            return try context.fetch(request).map { passenger in
                Entry(
                    passenger: PassengerReport(passenger),
                    bags: counts[passenger.objectID, default: 0]
                )
            }
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(entries)
        case .table: try writeTable(entries)
        }
    }

    private func writeTable(_ entries: [Entry]) throws {
        if !entries.isEmpty {
            let cells = entries.map { entry in
                [entry.passenger.name.description, String(entry.bags)].map { FittedTable.Cell($0) }
            }
            let table = FittedTable(
                [.init(heading: "PASSENGER"), .init(heading: "BAGS", isRightAligned: true)],
                rows: cells,
                on: .current
            )
            try StandardOutput.line(table.heading)
            for row in cells { try StandardOutput.line(table.line(row)) }
            try StandardOutput.line("")
        }
        try StandardOutput.line(entries.count.counted("passenger"))
    }

    /// A passenger in the output of `--format json`.
    private struct Entry: Encodable {
        var passenger: PassengerReport
        var bags: Int
    }
}
