internal import ArgumentParser
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// `luggage edit`: corrects the owner or the weight of a bag.
struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Correct the owner or the weight of a bag.",
        discussion: """
            luggage edit F432BDB8 --weight 50lb --reason "weighed again"
            luggage edit F432BDB8 --owner E/ZMU --by anna --reason "tags were swapped"
            luggage edit F432BDB8 --no-owner --reason "tag of somebody else"

            Give the first or the last digits of the identifier. If they fit several bags, the program \
            names these bags and changes nothing.

            A correction overrides the tag, however often the tag is scanned, until `luggage undo` \
            takes it back or another correction replaces it.
            """
    )

    @Argument(
        help: "The bag's identifier, or its first or last digits, in any case.",
        transform: { try IdentifierDigits(argument: $0) }
    )
    var identifier: IdentifierDigits

    @OptionGroup var bag: BagOptions

    @Flag(help: "Nobody is known to own the bag.")
    var noOwner = false

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Why, for the record.", valueName: "text"))
    var reason: String

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "A line for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if bag.owner != nil && noOwner {
            throw ValidationError("give --owner or --no-owner, not both")
        }
        if bag.owner == nil && !noOwner && bag.weight == nil {
            throw ValidationError("say what to correct: --owner, --no-owner or --weight")
        }
        try PersonOptions.check(reason: reason)
    }

    func run() throws {
        let settings = storeOptions.settings.shared
        let bounds = try settings.bounds
        try bag.check(bounds)
        let units = try unitsOptions.unit(by: settings)
        let container = try storeOptions.openForCorrecting()
        let id = try container.read {
            try BagSearch(context: $0).bag(identifier, for: .changing).identifier
        }
        var edit = BagEdit(owner: bag.owner.map { .passenger($0) }, weight: bag.weight)
        if noOwner { edit.owner = .nobody }
        let (before, after) = try RecordCorrector(container: container, bounds: bounds)
            .edit(id, edit, by: person.with(reason: reason))
        try write(before, after, in: units)
    }

    private func write(
        _ before: LuggageReport,
        _ after: LuggageReport,
        in units: MassUnit
    ) throws {
        if format == .json { return try StandardOutput.jsonDocument(after) }
        let parts = ChangeText.changes(before, after, in: units)
        try StandardOutput.line(
            parts.isEmpty
                ? "bag \(after.id.short) has these values already; nothing was changed"
                : "corrected: bag \(after.id.short) \(parts.joined(separator: ", "))"
        )
    }
}
