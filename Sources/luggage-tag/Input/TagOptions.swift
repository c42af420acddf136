internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import TagPrinting

/// What is on a tag, as the command line names it.
struct TagOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose bag it is: the initial, and the family name's first three letters.",
            valueName: "D/ZMU"
        )
    )
    var owner: String?

    @Option(help: ArgumentHelp("The airport of departure.", valueName: "ZRH"))
    var from: String?

    @Option(help: ArgumentHelp("The airport of destination.", valueName: "JFK"))
    var to: String?

    @Option(help: ArgumentHelp("The weight with its unit.", valueName: "42lb|19kg"))
    var weight: String?

    @Option(
        help: ArgumentHelp("The bag's identifier; a new one unless given.", valueName: "identifier")
    )
    var id: String?

    /// Refuses one tag of which something is missing.
    func checkIsComplete() throws {
        let given = [("--owner", owner), ("--from", from), ("--to", to), ("--weight", weight)]
        let missing = given.filter { $0.1 == nil }.map(\.0)
        if !missing.isEmpty {
            throw ValidationError(
                "a tag needs \(missing.joined(separator: ", ")); or name a table with --from-csv"
            )
        }
    }

    /// Refuses for a table what each row has by itself.
    func checkIsForTable() throws {
        let given = [("--owner", owner), ("--weight", weight), ("--id", id)]
        if let option = given.first(where: { $0.1 != nil }) {
            throw ValidationError("\(option.0) is for one tag; a table has a column for it")
        }
    }

    /// The tag that is described.
    func tag() throws -> PrintedTag {
        guard let owner, let from, let to, let weight else {
            throw ValidationError("a tag needs --owner, --from, --to and --weight")
        }
        return try PrintedTag(
            identifier: id.map(TagText.identifier) ?? UUID(),
            owner: TagText.owner(owner),
            pounds: TagText.pounds(weight),
            origin: Airport(from),
            destination: Airport(to)
        )
    }
}
