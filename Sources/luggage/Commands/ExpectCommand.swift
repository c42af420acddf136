internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// `luggage expect`: files a list of bags that should pass a point by a time.
struct ExpectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expect",
        abstract: "File a list of bags that should pass a point by a time.",
        discussion: """
            luggage expect lx14.csv --at load --place ZRH --due "2026-07-01 10:00" \\
              --trip LX14 --date 2026-07-01
            luggage expect manifest.json
            luggage summary --trip LX14 --date 2026-07-01

            A list is a table in comma-separated values, whose first line names the columns, or JSON: an array \
            of bags, or one a line. The columns or members are id, owner (D/ZMU in a table), weight, point, \
            place, due (2026-07-01 10:00 in local time, or with a zone), from, to, trip, date, and cancelled: \
            yes, or true in JSON, takes a bag back. The options say what the bags of the list do not say \
            themselves; each needs an id, and a point and a time from one of the two. \
            An airline's messages (BSM) are a list too: they say whose the bags are, and on which flight. A \
            message CHG takes the place of what was said of its bags before; DEL, and one that does not let \
            its bags be loaded (.S/N), take that back. Messages of other kinds are passed over.

            A bag has passed once it is scanned at that point, and at that place if one is said, from a day \
            before that time on. A later list that says another time for the same bag, point, place and trip \
            counts from then on. If anything in a list is wrong, nothing of it is filed. `luggage undo` takes \
            a list back as a whole.
            """
    )

    @Argument(
        help: ArgumentHelp("The list, or - for standard input.", valueName: "path"),
        completion: .file(extensions: ["csv", "json", "bsm"])
    )
    var file: String

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "The point that the bags should pass: \(PointArgument.words).",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var at: String?

    @Option(help: ArgumentHelp("The place of that point; without it, any place.", valueName: "ZRH"))
    var place: String?

    @Option(
        help: ArgumentHelp(
            "The time by which they should pass, in local time or with a time zone.",
            valueName: "2026-07-01 10:00"
        ),
        transform: { try Timestamp.moment($0) }
    )
    var due: Date?

    @OptionGroup var way: RouteOptions

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Why, for the record.", valueName: "text"))
    var reason: String?

    @Option(word: "How to report: a line for people, or a JSON object for programs.")
    var report: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if file == "" { throw ValidationError("name the list to file, or - for standard input") }
        if let place, !place.isRouteName {
            throw ValidationError("a place has 1 to 64 characters on one line, not blanks alone")
        }
        try PersonOptions.check(reason: reason)
    }

    func run() throws {
        let settings = storeOptions.settings.shared
        var defaults = ExpectationDefaults()
        defaults.point = try settings.point(at, "--at")
        defaults.place = place
        defaults.due = due
        defaults.route = way.route
        let input = try InputFile(path: file)
        var bytes: [UInt8] = []
        while case let more = try input.read(), !more.isEmpty {
            bytes += more
            if bytes.count > ExpectationList.longest {
                throw Failure(
                    .incomplete,
                    "\(input.name.onOneLine) is longer than \(ExpectationList.longest >> 20) MiB; "
                        + "split it into several lists"
                )
            }
        }
        let list = ExpectationList(bytes, defaults)
        let result = try ExpectationRecorder(
            container: storeOptions.openForFiling(),
            bounds: settings.bounds,
            by: person.with(reason: reason),
            named: input.name
        ).file(list).inCommands
        switch report {
        case .json: try StandardOutput.jsonDocument(result)
        case .table:
            if result.isClean {
                ImportOutput(file: input.name).writeStanding(of: result, nil)
                try StandardOutput.line(Self.words(of: result.facts))
            } else {
                try ImportOutput(file: input.name).write(result)
            }
        }
        if !result.isClean { throw ExitStatus.incomplete.code }
    }

    private static func words(of facts: ImportReport.Tally) -> String {
        let clauses = [
            (facts.new, "expected"), (facts.changed, "expected otherwise than before"),
            (facts.updated, "expected no more"), (facts.repeated, "as before"),
        ].filter { $0.0 > 0 }.map { "\($0.0.counted("bag")) \($0.1)" }
        return clauses.joined(separator: "; ")
    }
}
