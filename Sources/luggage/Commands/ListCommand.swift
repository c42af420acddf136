internal import ArgumentParser
internal import Foundation
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
            luggage list --owner D/ZMU --columns id,weight,arrived --units kg
            luggage list --format json | jq -r '.[].id'
            luggage list --missing --follow

            Bags come in the order in which they departed. --since and --until compare the time of \
            the scan at --station, if one is named. Without it they compare the arrival with \
            --arrived, the departure with --departed, --missing and --overdue, and else either of \
            them.

            --follow begins with the list as it is; --limit shows only its first bags. Then it tells \
            of every bag that comes into the list, changes in it or leaves it, as `tail -n 20 -f` \
            does of lines, until it is interrupted or nobody reads any more. With --format jsonl, \
            each line has a bag as `luggage`, and as `change` why it is told: listed, new, changed or \
            left. A line with the change cleared and no bag says that more has happened than can be \
            told one by one, as after a purge: forget what was told before, for the list begins \
            anew.
            """
    )

    @OptionGroup(title: "Which bags") var filters: LuggageFilters

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "By what bags are sorted; with a minus in front, the greatest first.",
            valueName: LuggageQuestion.Key.allCases.map(\.rawValue).joined(separator: "|")
        ),
        completion: .list(
            LuggageQuestion.Key.allCases.flatMap { [$0.rawValue, "-\($0.rawValue)"] }
        ),
        transform: { try LuggageOrder($0) }
    )
    var sort = LuggageOrder()

    @Flag(help: "Turn the order round.")
    var reverse = false

    @Option(
        help: ArgumentHelp(
            "Not more than this many bags; with --follow, at the beginning.",
            valueName: "number"
        )
    )
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Which columns a table or CSV has, in which order.",
            discussion: "Of \(LuggageColumns.names.joined(separator: ", ")).",
            valueName: "name,name…"
        ),
        transform: { try ColumnChoice($0) }
    )
    var columns: ColumnChoice?

    @Option(
        word: "The unit of weights in a table or CSV; in JSON they are in pounds.",
        discussion: "Without it, tables have that of the settings, and CSV has pounds."
    )
    var units: MassUnit?

    @Option(word: "A table for people; for programs a JSON array, JSON lines, or CSV.")
    var format: ListFormat = .table

    @Flag(help: "Go on with what changes as scans come in, from any process, until interrupted.")
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
                "time alone makes a bag overdue, and --follow tells of scans; use --missing"
            )
        }
    }

    func run() async throws {
        let container = try storeOptions.openForReading()
        let isForPeople = format == .table
        let settings = storeOptions.settings.shared
        let unit = try isForPeople ? UnitsOptions.unit(units, settings) : units ?? .pounds
        let columns = LuggageColumns(units: unit)
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
        var question = question
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
                    + (hasMore ? "; there are more" : "")
            }
        } catch is OutputClosed {
            return
        }
    }

    private var question: LuggageQuestion {
        var question = filters.question()
        question.key = sort.key
        question.isDescending = sort.isDescending != reverse
        question.limit = limit
        return question
    }

    private var columnNames: [String] {
        if let columns { return columns.names }
        let areMissing = filters.missing || filters.overdue != nil
        return areMissing && format == .table ? LuggageColumns.ofMissing : LuggageColumns.usual
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
            $0.trimmingCharacters(in: .whitespaces)
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
