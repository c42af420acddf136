internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import TagPrinting

/// Options for the content of a tag.
struct TagOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose bag it is: the initial, and the family name's first three letters.",
            valueName: "D/ZMU"
        ),
        transform: TagText.option(TagText.owner)
    )
    var owner: PassengerName?

    @Option(
        help: ArgumentHelp(
            "Where it departs: an airport, or any name, such as \"Pier 3\".",
            valueName: "place"
        ),
        transform: TagText.option(PlaceName.init)
    )
    var from: PlaceName?

    @Option(
        help: ArgumentHelp(
            "Where it goes: JFK, or any name, such as \"Hotel Bellevue\".",
            valueName: "place"
        ),
        transform: TagText.option(PlaceName.init)
    )
    var to: PlaceName?

    @Option(
        help: ArgumentHelp("The flight, voyage, coach or event.", valueName: "name"),
        transform: TagText.option(PlaceName.init)
    )
    var trip: PlaceName?

    @Option(help: ArgumentHelp("The day of the trip.", valueName: "2026-07-01"))
    var date: String?

    @Option(
        help: ArgumentHelp("The weight with its unit.", valueName: "42lb|19kg"),
        transform: TagText.option(TagText.pounds)
    )
    var weight: Float?

    @Option(
        help: ArgumentHelp(
            "The bag's identifier; a new one unless given.",
            valueName: "identifier"
        ),
        transform: TagText.option(TagText.identifier)
    )
    var id: UUID?

    /// Refuses a single tag if its owner is missing, or no bag could have it.
    func checkIsComplete() throws {
        if owner == nil {
            throw ValidationError("a tag needs --owner; or name a table with --from-csv")
        }
        _ = try TagText.usage { try tag() }
    }

    /// Refuses options that a table has as columns, and defaults that no bag could have.
    func checkIsForTable() throws {
        let given = [owner == nil ? nil : "--owner", id == nil ? nil : "--id"]
        if let option = given.compactMap(\.self).first {
            throw ValidationError("\(option) is for one tag; a table has a column for it")
        }
        _ = try TagText.usage {
            try tag(of: PassengerName(givenName: "D", familyName: "ZMU"))
        }
    }

    /// The tag with these options.
    func tag() throws -> PrintedTag {
        guard let owner else { throw ValidationError("a tag needs --owner") }
        return try tag(of: owner)
    }

    private func tag(of owner: PassengerName) throws -> PrintedTag {
        try PrintedTag(
            identifier: id ?? UUID(),
            owner: owner,
            pounds: weight,
            origin: from,
            destination: to,
            trip: trip,
            date: date
        )
    }
}
