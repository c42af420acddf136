internal import ArgumentParser
internal import LuggageService
internal import ProgramSupport

/// Options that name the hub.
struct HubOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The hub, as postgresql://LOGIN@HOST/DATABASE?sslmode=verify-full; without it, the setting "
                + "`hub`.",
            valueName: "address"
        )
    )
    var hub: String?

    func validate() throws {
        if hub == "" { throw ValidationError("--hub names no hub") }
    }

    /// The address of the hub.
    ///
    /// - Throws: ``Failure`` if nothing names one.
    func address(by settings: SharedSettings) throws -> String {
        let values = try settings.values(of: [.hub], arguments: [.hub: hub])
        if let address = values.hub { return address }
        throw Failure(
            .configuration,
            "no hub is named: say it with --hub postgresql://LOGIN@HOST/DATABASE, as "
                + "$\(WatchSetting.hub.variable), or as a line `hub: …` in \(settings.path)"
        )
    }
}
