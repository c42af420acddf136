internal import ArgumentParser
internal import LuggageTags
internal import ProgramSupport

/// Which change is turned, and how that is told.
struct TurningOptions: ParsableArguments {
    @Argument(help: "The number of the change, as --list shows it; without it, the last one.")
    var number: Int64?

    @Flag(help: "Show the changes to choose from, the last one first, and do nothing.")
    var list = false

    @Option(help: ArgumentHelp("How many changes to show.", valueName: "number"))
    var limit = 20

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Why, for the record.", valueName: "text"))
    var reason: String?

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "Sentences for people, or JSON for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if list && number != nil { throw ValidationError("--list takes no number") }
        if limit < 1 { throw ValidationError("--limit is at least 1") }
        try PersonOptions.check(reason: reason)
    }

    /// Shows the changes, or turns one.
    func run(
        listing areUndone: Bool,
        words: String,
        empty: String,
        turn: (ChangeUndoing, Int64?, Responsibility) throws -> RecordChange
    ) throws {
        let units = try unitsOptions.unit(by: storeOptions.settings.shared)
        if list {
            let undoing = ChangeUndoing(container: try storeOptions.openForReading())
            let changes = try undoing.changes(areUndone: areUndone, limit: limit)
            return try write(changes, empty, in: units)
        }
        let undoing = ChangeUndoing(container: try storeOptions.openForCorrecting())
        let change = try turn(undoing, number, person.with(reason: reason))
        switch format {
        case .json: try StandardOutput.jsonDocument(change)
        case .table: try StandardOutput.line("\(words): \(change.sentence(in: units))")
        }
    }

    private func write(
        _ changes: [RecordChange],
        _ empty: String,
        in units: MassUnit
    ) throws {
        if format == .json { return try StandardOutput.jsonDocument(changes) }
        if changes.isEmpty { return try StandardOutput.line(empty) }
        let columns = ChangeColumns.make(in: units)
        var listing = Listing(.table, columns.all, narrow: columns.narrow)
        do {
            try listing.write(changes)
            try listing.end()
        } catch is OutputClosed {
            return
        }
    }
}
