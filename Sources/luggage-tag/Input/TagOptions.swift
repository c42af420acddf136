internal import ArgumentParser
internal import Foundation
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
        help: ArgumentHelp("The airport of departure.", valueName: "ZRH"),
        transform: TagText.option(Airport.init)
    )
    var from: Airport?

    @Option(
        help: ArgumentHelp("The airport of destination.", valueName: "JFK"),
        transform: TagText.option(Airport.init)
    )
    var to: Airport?

    @Option(help: ArgumentHelp("The name of the trip, for the code.", valueName: "LX14"))
    var trip: String?

    @Option(help: ArgumentHelp("The day of the trip, for the code.", valueName: "2026-07-01"))
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

    /// Refuses a single tag if a field is missing, or no bag could have it.
    func checkIsComplete() throws {
        let missing = [
            owner == nil ? "--owner" : nil, from == nil ? "--from" : nil,
            to == nil ? "--to" : nil, weight == nil ? "--weight" : nil,
        ].compactMap(\.self)
        if !missing.isEmpty {
            throw ValidationError(
                "a tag needs \(missing.joined(separator: ", ")); or name a table with --from-csv"
            )
        }
        _ = try TagText.usage { try tag() }
    }

    /// Refuses options that a table has as columns.
    func checkIsForTable() throws {
        let given = [
            owner == nil ? nil : "--owner", weight == nil ? nil : "--weight",
            id == nil ? nil : "--id",
        ]
        if let option = given.compactMap(\.self).first {
            throw ValidationError("\(option) is for one tag; a table has a column for it")
        }
    }

    /// The tag with these options.
    func tag() throws -> PrintedTag {
        guard let owner, let from, let to, let weight else {
            throw ValidationError("a tag needs --owner, --from, --to and --weight")
        }
        return try PrintedTag(
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
