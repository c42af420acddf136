internal import ArgumentParser
internal import LuggageTags
internal import ProgramSupport

/// Options for `undo` and `redo`: which change, and the output.
struct TurningOptions: ParsableArguments {
    @Argument(help: "The number of the change, as --list shows it; without it, your last one.")
    var number: Int64?

    @Flag(
        help: """
            Show the changes to choose from, the last one first, and do nothing: everybody's, or only \
            those of --by.
            """
    )
    var list = false

    @Option(help: ArgumentHelp("How many changes to show.", valueName: "number"))
    var limit = 20

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Why, for the record.", valueName: "text"))
    var reason: String?

    @Flag(help: "Do it, without asking.")
    var yes = false

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "Sentences for people, or JSON for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if list && number != nil { throw ValidationError("--list takes no number") }
        if limit < 1 { throw ValidationError("--limit is at least 1") }
        try PersonOptions.check(reason: reason)
    }

    /// Lists the changes, or turns one.
    func run(_ turning: Turning) throws {
        let units = try unitsOptions.unit(by: storeOptions.settings.shared)
        if list {
            let undoing = ChangeUndoing(container: try storeOptions.openForReading())
            let changes = try undoing.changes(
                areUndone: turning.isOfUndone,
                limit: limit,
                of: person.by
            )
            return try write(changes, turning, in: units)
        }
        let undoing = ChangeUndoing(container: try storeOptions.openForCorrecting())
        let change: RecordChange
        do {
            guard let turned = try turn(turning, undoing, in: units) else { return }
            change = turned
        } catch let error as CorrectionError where error.code == .nothing {
            let others = try undoing.changes(areUndone: turning.isOfUndone, limit: 1)
            guard let other = others.first else { throw Failure(.incomplete, turning.empty()) }
            let words = "\(turning.empty(of: person.author)); \(turning.hint(other, in: units))"
            throw Failure(.incomplete, words)
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(change)
        case .table: try StandardOutput.line("\(turning.done): \(change.sentence(in: units))")
        }
    }

    /// Turns a change; asks first, if there is a user to ask.
    ///
    /// - Returns: The turned change; nil if nothing was turned.
    private func turn(
        _ turning: Turning,
        _ undoing: ChangeUndoing,
        in units: MassUnit
    ) throws -> RecordChange? {
        let person = person.with(reason: reason)
        if yes || !Question.canAsk { return try turning.turn(number, by: person, undoing) }
        let shown = try undoing.change(number, isUndone: turning.isOfUndone, of: person.author)
        StandardError.line(shown.sentence(in: units))
        StandardError.line("\(turning.condition): \(shown.outlook(turning, in: units))")
        guard Question.confirms(turning.question, by: ["y", "yes"]) else {
            StandardError.line("nothing was changed")
            return nil
        }
        // By number, so that it is the change that the user has seen, whatever came meanwhile.
        return try turning.turn(shown.number, by: person, undoing)
    }

    private func write(
        _ changes: [RecordChange],
        _ turning: Turning,
        in units: MassUnit
    ) throws {
        if format == .json { return try StandardOutput.jsonDocument(changes) }
        if changes.isEmpty {
            return try StandardOutput.line(turning.empty(of: person.by))
        }
        let columns = ChangeColumns.make(turning, in: units)
        var listing = Listing(.table, columns.all, narrow: columns.narrow)
        do {
            try listing.write(changes)
            try listing.end()
        } catch is OutputClosed {
            return
        }
    }
}
