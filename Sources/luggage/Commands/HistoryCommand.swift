internal import ArgumentParser
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// `luggage history`: lists the scans of all bags.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the scans of all bags, failed ones too, the newest last.",
        discussion: """
            luggage history --limit 20
            luggage history --since today --failed
            luggage history --station MUC-2 --point origin --reason no-code
            luggage history --format jsonl | jq -r 'select(.bag == null).imageName'

            A scan that `luggage undo` took back stays in the list, marked. A tag that somebody typed \
            with `luggage file` has (by hand) in place of a picture. If somebody typed a tag from a \
            failed picture, or dismissed it, the list says who and why. On a narrow terminal, a failed \
            scan shows its reason in place of its outcome.
            """
    )

    @OptionGroup var times: PeriodOptions

    @Option(help: ArgumentHelp("Only scans of this station.", valueName: "name"))
    var station: String?

    @Option(
        help: ArgumentHelp(
            "Only scans at this point: \(PointArgument.words).",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var point: String?

    @Option(
        help: ArgumentHelp(
            "Only scans with this outcome; may be given several times.",
            valueName: Outcome.allCases.map(\.rawValue).joined(separator: "|")
        ),
        completion: .list(Outcome.allCases.map(\.rawValue)),
        transform: { try Outcome(word: $0) }
    )
    var outcome: [Outcome] = []

    @Flag(help: "Only scans that failed: they belong to no bag.")
    var failed = false

    @Option(help: ArgumentHelp("Only scans that failed for this reason.", valueName: "word"))
    var reason: String?

    @Option(help: ArgumentHelp("At most this many scans, the newest.", valueName: "number"))
    var limit: Int?

    @Option(word: "A table for people; for programs a JSON array, JSON lines, or CSV.")
    var format: ListFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is a number from 1") }
        // On record, a scan that did not fail has an empty reason.
        if reason == "" { throw ValidationError("--reason names no reason") }
        if failed && !outcome.isEmpty {
            throw ValidationError(
                "--failed stands for several outcomes: give --failed or --outcome, not both"
            )
        }
    }

    func run() throws {
        let columns = HistoryColumns()
        let names =
            format == .csv
            ? HistoryColumns.usual + ["digest", "undone", "closed"] : HistoryColumns.usual
        var listing = Listing(
            format,
            columns.columns(names),
            narrow: columns.columns(HistoryColumns.narrow),
            prepare: { columns.identifiers.prepare($0.compactMap(\.bag)) }
        )
        do {
            try storeOptions.openForReading().read { context in
                if let station { try RecordNames.check(station: station, in: context) }
                try question(in: context).forEachBatch(in: context) { try listing.write($0) }
                if listing.count == 0, let reason {
                    try RecordNames.check(reason: reason, in: context)
                }
            }
            try listing.end { $0.counted("scan") }
        } catch is OutputClosed {
            return
        }
    }

    private func question(in context: ManagedObjectContext) throws -> ScanQuestion {
        var question = ScanQuestion()
        question.period = times.period
        question.station = station
        question.point = try storeOptions.settings.shared.point(asked: point, in: context)
        question.outcomes = failed ? Set(Outcome.allCases.filter { !$0.isFiled }) : Set(outcome)
        question.reason = reason
        question.limit = limit
        // Tables and CSV do not show payloads.
        question.omitsPayloads = format == .table || format == .csv
        return question
    }
}
