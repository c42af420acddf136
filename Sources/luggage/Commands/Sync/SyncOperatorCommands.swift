internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import SystemSupport

/// `luggage sync expel`: shuts a station out of the hub.
struct SyncExpelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expel",
        abstract: "Shut a station out of the hub.",
        discussion: """
            luggage sync expel muc --hub dbname=luggage

            It takes from the role the right to exchange facts, ends its sessions, and its membership. The facts \
            that it has sent stay, because others have them; what it has published for people who ask with SQL \
            goes, and so do facts that the hub keeps apart. Its record keeps what it has.

            `luggage sync admit` lets the role in again, and `luggage sync join --as-new` its record.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The name of the role with which the station logs in.",
            valueName: "login"
        )
    )
    var login: String

    @OptionGroup var hub: HubOptions
    @OptionGroup var settings: SettingsOptions

    func validate() throws { try SyncAdmitCommand.check(login) }

    func run() async throws {
        try SyncProgram.become(.expel(hub: hub.address(by: settings.shared), login: login))
    }
}

/// `luggage sync take-back`: lets the hub no longer follow a purge.
struct SyncTakeBackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take-back",
        abstract:
            "Let the hub no longer follow a purge that a station has sent by mistake or malice.",
        discussion: """
            psql luggage -c "select * from luggage.purges"
            luggage sync take-back 01900000-0000-7000-8000-000000000001 --hub dbname=luggage

            Stations connect again, compare their days with the hub, and send what it has forgotten. What they have \
            forgotten themselves is gone: a station that has followed the purge sends it again. If a station does \
            such things, `luggage sync expel` it first.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The identifier of the purge in the hub's view `purges`.",
            valueName: "id"
        ),
        transform: { text in
            guard let purge = UUID(uuidString: text) else {
                throw ValidationError("expected the identifier of a purge, found \(text.quoted)")
            }
            return purge
        }
    )
    var purge: UUID

    @OptionGroup var hub: HubOptions
    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        try SyncProgram.become(.takeBack(hub: hub.address(by: settings.shared), purge: purge))
    }
}
