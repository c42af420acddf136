internal import ArgumentParser
internal import LuggageTags
internal import ProgramSupport

/// Where something is filed.
struct PlaceOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp("Where the bags are.", valueName: "origin|destination"),
        completion: .list(Point.allCases.map(\.rawValue)),
        transform: { try Point(word: $0) }
    )
    var point: Point

    @Option(
        help: ArgumentHelp("The name of this station; without it, the point.", valueName: "name")
    )
    var station: String?

    func validate() throws {
        if let station, !station.isStationName {
            throw ValidationError(
                "a station's name has 1 to 64 characters, and no control characters among them"
            )
        }
    }
}
