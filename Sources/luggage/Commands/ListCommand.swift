internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// `luggage list`: lists the bags on record.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the bags on record.",
        discussion: """
            luggage list --missing
            luggage list --overdue 6h --station MUC-2
            luggage list --sort -departed --limit 20
            luggage list --trip LX14 --date 2026-07-01
            luggage list --misrouted
            luggage list --expected --undeparted
            luggage list --owner D/ZMU --columns id,weight,arrived --units kg
            luggage list --format json | jq -r '.[].id'
            luggage list --missing --follow

            Bags are sorted by departure. --since and --until apply to the time of the scan at \
            --station, if you name one. Otherwise they apply to the arrival with --arrived, to the \
            departure with --departed, --missing and --overdue, and else to either of them.

            --follow begins with the present list; --limit shows only its first bags. Then it shows \
            every bag that enters the list, changes in it or leaves it, as `tail -n 20 -f` shows \
            lines, until you interrupt it or nobody reads its output. With --format jsonl, each line \
            has the bag as `luggage` and the reason as `change`: listed, new, changed or left. A line \
            with the change cleared and no bag means that too much has changed to show each change, as \
            after a purge: discard the earlier lines, because the list begins anew.
            """
    )

    @OptionGroup(title: "Which bags") var filters: LuggageFilters

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What to sort the bags by; with a minus in front, the greatest first.",
            valueName: LuggageQuestion.Key.allCases.map(\.rawValue).joined(separator: "|")
        ),
        completion: .list(
            LuggageQuestion.Key.allCases.flatMap { [$0.rawValue, "-\($0.rawValue)"] }
        ),
        transform: { try LuggageOrder($0) }
    )
    var sort = LuggageOrder()

    @Flag(help: "Reverse the order.")
    var reverse = false

    @Option(
        help: ArgumentHelp(
            "At most this many bags; with --follow, at the beginning.",
            valueName: "number"
        )
    )
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "The columns of a table or CSV, in their order.",
            discussion: "Of \(LuggageColumns.names.joined(separator: ", ")).",
            valueName: "name,name…"
        ),
        transform: { try ColumnChoice($0) }
    )
    var columns: ColumnChoice?

    @Option(
        word: "The unit of weights in a table or CSV; in JSON they are in pounds.",
        discussion: "Without it, tables use the unit of the settings, and CSV uses pounds."
    )
    var units: MassUnit?

    @Option(word: "A table for people; for programs a JSON array, JSON lines, or CSV.")
    var format: ListFormat = .table

    @Flag(help: "Keep showing changes as any process files scans, until interrupted.")
    var follow = false

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is a number from 1") }
        let isJSON = format == .json || format == .jsonl
        if isJSON && columns != nil {
            throw ValidationError("--columns is for tables and CSV; JSON has everything")
        }
        if format == .csv, let columns, Set(["bag", "id"]).isSubset(of: columns.names) {
            throw ValidationError(
                "bag and id are one column of CSV, the whole identifier: leave one of them out"
            )
        }
        if isJSON && units == .kilograms {
            throw ValidationError("--units is for tables and CSV; in JSON, weights are in pounds")
        }
        if follow && (format == .json || format == .csv) {
            throw ValidationError(
                "--follow never ends, and \(format.rawValue) needs an end; use --format jsonl"
            )
        }
        if follow && filters.overdue != nil {
            throw ValidationError(
                "a bag becomes overdue without a scan, and --follow shows only what scans change; "
                    + "use --missing"
            )
        }
    }

    func run() async throws {
        let container = try storeOptions.openForReading()
        let isForPeople = format == .table
        let settings = storeOptions.settings.shared
        let unit = try isForPeople ? UnitsOptions.unit(units, settings) : units ?? .pounds
        let columns = LuggageColumns(units: unit)
        var question = try question(in: container)
        if follow {
            return try await LuggageFollowing(
                container: container,
                question: question,
                filters: filters,
                format: format,
                columns: columns,
                columnNames: columnNames
            ).run()
        }
        // One more row shows whether there are more.
        question.limit = limit.map { $0 == .max ? $0 : $0 + 1 }
        var listing = Listing(
            format,
            columns.columns(columnNames),
            json: { try $0.jsonText() },
            prepare: { columns.identifiers.prepare($0.map(\.id)) }
        )
        var hasMore = false
        do {
            try container.read { context in
                try filters.check(in: context)
                try question.forEachBatch(in: context) { bags in
                    var reports = bags
                    if let limit, listing.count + reports.count > limit {
                        hasMore = true
                        reports.removeLast(listing.count + reports.count - limit)
                    }
                    try listing.write(reports)
                }
            }
            try listing.end { count in
                let words = count.counted("bag") + (filters.missing ? " missing" : "")
                return words + (filters.overdue != nil ? " overdue" : "")
                    + (filters.misrouted ? " misrouted" : "") + (hasMore ? "; there are more" : "")
            }
        } catch is OutputClosed {
            return
        }
    }

    private func question(in container: PersistentContainer) throws -> LuggageQuestion {
        var question = try container.read { context in
            filters.question(
                at: try storeOptions.settings.shared.point(asked: filters.point, in: context)
            )
        }
        question.key = sort.key
        question.isDescending = sort.isDescending != reverse
        question.limit = limit
        return question
    }

    private var columnNames: [String] {
        if let columns { return columns.names }
        if format == .table {
            if filters.misrouted { return LuggageColumns.ofMisrouted }
            if filters.missing || filters.overdue != nil { return LuggageColumns.ofMissing }
            if filters.trip.question != nil { return LuggageColumns.ofTrip }
        }
        return LuggageColumns.usual
    }
}

/// The order of a list, parsed from its option.
struct LuggageOrder {
    var key = LuggageQuestion.Key.departed
    var isDescending = false

    init() {}

    init(_ text: String) throws {
        isDescending = text.first == "-"
        key = try LuggageQuestion.Key(word: String(isDescending ? text.dropFirst() : text[...]))
    }
}

/// The columns of a list, parsed from their option.
struct ColumnChoice {
    let names: [String]

    init(_ text: String) throws {
        names = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmed
        }
        for name in names where !LuggageColumns.names.contains(name) {
            throw ValidationError(
                "there is no column '\(name.onOneLine)'; there are "
                    + LuggageColumns.names.joined(separator: ", ")
            )
        }
        if Set(names).count < names.count { throw ValidationError("a column is named twice") }
    }
}
