internal import ArgumentParser
internal import LuggageService
internal import LuggageTags

/// Options for the place of filing.
struct PlaceOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where the bags are: \(PointArgument.words); needed if no setting says it.",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var at: String?

    @Option(
        help: ArgumentHelp(
            "The name of this station; without it and a setting, the point.",
            valueName: "name"
        )
    )
    var station: String?

    @Option(
        help: ArgumentHelp(
            "The place of this station, as tags name it; with it, a bag that departs or arrives where its "
                + "tag does not say is misrouted.",
            valueName: "JFK"
        )
    )
    var place: String?

    func validate() throws {
        if let place, !place.isRouteName {
            throw ValidationError(
                "a place has 1 to 64 characters on one line, not blanks alone"
            )
        }
        if let station, !station.isStationName || station.isBlank {
            throw ValidationError(
                "a station's name has 1 to 64 characters, not blanks alone, and no control characters"
            )
        }
    }

    /// The place, from the command line and the settings of this machine.
    ///
    /// - Throws: `ValidationError` if neither names a point; ``Failure`` if a setting is wrong.
    func place(by settings: SharedSettings) throws -> Place {
        let values = try settings.values(
            of: [.at, .station, .place],
            arguments: [
                .at: point(by: settings)?.rawValue, .station: station, .place: place,
            ]
        )
        guard let point = values.point else {
            throw ValidationError(
                "say where the bags are, with --at origin or --at destination; "
                    + "$\(WatchSetting.at.variable), or a line such as `at: origin` in \(settings.path), "
                    + "says it once for all"
            )
        }
        return Place(
            point: point,
            role: values.points.role(of: point),
            station: values.station,
            name: values.place
        )
    }

    /// The point that the command line names; nil if it names none.
    ///
    /// - Throws: `ValidationError` if there is no such point; ``Failure`` if a setting is wrong.
    func point(by settings: SharedSettings) throws -> Point? { try settings.point(at, "--at") }
}

/// The place of filing.
struct Place {
    let point: Point
    /// The role of the point, if it is not built in.
    let role: Point.Role?
    /// The station; if nil, it has the point's name.
    let station: String?
    /// The name of the place, as tags have it; nil if there is none.
    let name: String?
}
