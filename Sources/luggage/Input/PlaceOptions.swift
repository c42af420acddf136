internal import ArgumentParser
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// Where something is filed.
struct PlaceOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where the bags are; needed where no setting says it.",
            valueName: "origin|destination"
        ),
        completion: .list(Point.allCases.map(\.rawValue)),
        transform: { try Point(word: $0) }
    )
    var point: Point?

    @Option(
        help: ArgumentHelp(
            "The name of this station; without it and a setting, the point.",
            valueName: "name"
        )
    )
    var station: String?

    func validate() throws {
        if let station, !station.isStationName || station.isBlank {
            throw ValidationError(
                "a station's name has 1 to 64 characters, not blanks alone, and no control characters"
            )
        }
    }

    /// The place, by the command line and the settings of this machine.
    ///
    /// - Throws: `ValidationError` where nothing says at which point it is; ``Failure`` where a setting is
    ///   wrong.
    func place(by settings: SharedSettings) throws -> (point: Point, station: String?) {
        let values = try settings.values(
            of: [.at, .station],
            arguments: [.at: point?.rawValue, .station: station]
        )
        guard let point = values.point else {
            throw ValidationError(
                "say where the bags are, with --at origin or --at destination; "
                    + "$\(WatchSetting.at.variable), or a line such as `at: origin` in \(settings.path), "
                    + "says it once for all"
            )
        }
        return (point, values.station)
    }
}
