internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// `luggage show`: shows everything about one bag.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract:
            "Show one bag: its journeys, where it is expected, its scans, and what was corrected.",
        discussion: """
            luggage show F432BDB8
            luggage show 6c493e
            luggage show f432bdb8-d84f-4461-8362-aff89f6c493e --format json

            A few digits are enough, if only one bag begins with them, or else only one ends with \
            them.

            If a tag contradicts the record, its scan shows what the tag says: the last word counts, \
            and the record keeps every tag. What was taken back is marked, and no longer counts.
            """
    )

    @Argument(
        help: "The bag's identifier, or its first or last digits, in any case.",
        transform: { try IdentifierDigits(argument: $0) }
    )
    var identifier: IdentifierDigits

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "Lines for people; for programs a JSON object (or a line), or its scans as CSV.")
    var format: ListFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if format != .table && unitsOptions.units == .kilograms {
            throw ValidationError("--units is for tables; for programs, weights are in pounds")
        }
    }

    func run() throws {
        let units = try unitsOptions.unit(by: storeOptions.settings.shared)
        let report = try storeOptions.openForReading().read { context in
            let luggage = try BagSearch(context: context).bag(identifier, for: .looking)
            return try CustodyReport(luggage, in: context)
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(report)
        case .jsonl: try StandardOutput.jsonLine(report)
        case .table: try write(report, in: units)
        case .csv: try writeScans(report, HistoryColumns.names, in: .pounds)
        }
    }

    private func write(_ report: CustodyReport, in units: MassUnit) throws {
        let luggage = report.luggage
        let terminal = Terminal.current
        func line(_ name: String, _ text: String) throws {
            try StandardOutput.line(terminal.wrap(name, text.onOneLine))
        }
        try line("Bag", luggage.id.uuidString)
        try line("Owner", luggage.owner?.name.description ?? "-")
        try line("Weight", luggage.weight?.text(in: units) ?? "-")
        try line("Departed", luggage.departedAt?.local ?? "-")
        try line("Arrived", luggage.arrivedAt?.local ?? "-")
        if let route = luggage.route {
            try line("Trip", route.words)
        }
        if let words = luggage.misroutedWords {
            try line("Misrouted", words)
        }
        if let seconds = luggage.missing(at: Date()) {
            try line("Missing", "for \(seconds.lengthOfTime)")
        }
        // The lines above already show a journey with only departure and arrival.
        if report.journeys.count > 1 || report.journeys.contains(where: { !$0.underWay.isEmpty }) {
            try StandardOutput.line("")
            try write(report.journeys, JourneyColumns.all)
        }
        if !report.expected.isEmpty {
            try StandardOutput.line("")
            try write(report.expected, ExpectedColumns.all(at: Date()))
        }
        try StandardOutput.line("")
        if report.scans.isEmpty {
            try line("Scans", "-")
        } else {
            let isContradicted = report.scans.contains { $0.contradiction != nil }
            let hasPlaces = report.scans.contains { $0.place != nil }
            let place = hasPlaces ? ["station", "place"] : ["station"]
            let names = ["scanned", "point"] + place + ["outcome"]
            let last = isContradicted ? ["says", "picture"] : ["picture"]
            try writeScans(report, names + last, in: units)
        }
        if report.corrections.isEmpty { return }
        try StandardOutput.line("")
        try write(report.corrections, CorrectionColumns.all(units))
    }

    private func writeScans(
        _ report: CustodyReport,
        _ names: [String],
        in units: MassUnit
    ) throws {
        try write(report.scans, HistoryColumns(units: units).columns(names))
    }

    private func write<Row: Encodable>(_ rows: [Row], _ columns: [ListColumn<Row>]) throws {
        var listing = Listing(format, columns)
        do {
            try listing.write(rows)
            try listing.end()
        } catch is OutputClosed {
            return
        }
    }
}
