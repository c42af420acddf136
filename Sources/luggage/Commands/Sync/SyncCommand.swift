internal import ArgumentParser
internal import FoundationEssentials
internal import Logging
internal import LuggageService
internal import LuggageTags
internal import SystemSupport

/// `luggage sync`: exchanges facts with a hub, so that all stations know the same.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Exchange facts with other stations, through a hub.",
        discussion: """
            luggage sync set-up --admit muc --admit lhr --hub dbname=luggage
            luggage sync join --hub "postgresql://muc@db.example/luggage?sslmode=verify-full"
            luggage sync run

            The hub is a PostgreSQL database (version 14 or newer) that keeps what all stations have filed. Each \
            station keeps its own record, works without the network for as long as it must, and \
            catches up when the hub is there again. Nothing is lost and nothing counts twice, \
            whatever is cut off or repeated on the way.

            set-up makes the hub, admit lets a station log in, and expel shuts one out: these need the owner of the database. \
            join makes the record of this machine a station of the hub. run exchanges facts from then on, as the service \
            luggage-sync does.
            """,
        subcommands: [
            SyncSetUpCommand.self, SyncAdmitCommand.self, SyncJoinCommand.self, SyncRunCommand.self,
            SyncStatusCommand.self, SyncVerifyCommand.self, SyncLeaveCommand.self,
            SyncExpelCommand.self, SyncTakeBackCommand.self, SyncRelayCommand.self,
        ]
    )
}

/// `luggage sync set-up`: makes the hub.
struct SyncSetUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-up",
        abstract: "Make the hub in a database, or bring it up to date with this program.",
        discussion: """
            createdb luggage
            luggage sync set-up --admit muc --admit lhr --hub dbname=luggage

            It makes the schema `luggage`, and the roles luggage_station, luggage_publisher and \
            luggage_reader. Grant luggage_reader to those who ask with SQL. It needs the right to \
            make roles, and to make a schema in the database. Do it again after an update of this \
            program: it gives the hub the functions and views of the new one, and leaves its facts alone.
            """
    )

    @Option(
        name: .customLong("admit"),
        help: ArgumentHelp(
            "Also let a station log in with this role, as `luggage sync admit` does; again for each.",
            valueName: "login"
        )
    )
    var logins: [String] = []

    @OptionGroup var hub: HubOptions
    @OptionGroup var settings: SettingsOptions

    func validate() throws {
        for login in logins { try SyncAdmitCommand.check(login) }
    }

    func run() async throws {
        try SyncProgram.become(.setUp(hub: hub.address(by: settings.shared), logins: logins))
    }
}

/// `luggage sync admit`: lets a station log in.
struct SyncAdmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admit",
        abstract: "Let a station log in at the hub.",
        discussion: """
            luggage sync admit muc --hub dbname=luggage

            It makes the role, if there is none, and lets it exchange facts, and nothing else: it can \
            read no table and delete nothing. The role has no password: let it in by a certificate \
            with its name (`hostssl luggage all all cert` in pg_hba.conf), or give it a password.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The name of the role with which the station logs in.",
            valueName: "login"
        )
    )
    var login: String

    @Flag(help: "Let it also publish what it derives, for people who ask the hub with SQL.")
    var publisher = false

    @OptionGroup var hub: HubOptions
    @OptionGroup var settings: SettingsOptions

    func validate() throws { try Self.check(login) }

    /// Refuses what is no name of a role.
    ///
    /// - Parameter login: The name.
    /// - Throws: `ValidationError`.
    static func check(_ login: String) throws {
        if login.isEmpty || login.utf8.count > 63 {
            throw ValidationError("the login of a station has 1 to 63 bytes: \(login.quoted)")
        }
    }

    func run() async throws {
        try SyncProgram.become(
            .admit(hub: hub.address(by: settings.shared), login: login, publishes: publisher)
        )
    }
}

/// `luggage sync join`: makes the record a station of the hub.
struct SyncJoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Make the record of this machine a station of the hub.",
        discussion: """
            luggage sync join --hub "postgresql://muc@db.example/luggage?sslmode=verify-full"
            luggage sync join --only-seen

            Each record has a login of its own at the hub. What this record has goes to the hub with the \
            first exchange, and what the hub has comes here: everything, or with --only-seen what concerns bags \
            that were seen here.

            If this record is a copy, or was restored on another machine, the hub refuses it. With --as-new it takes \
            the place of the record that joined with this login before; nothing that either has filed is lost.
            """
    )

    @OptionGroup var hub: HubOptions
    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "The name of this station, for people; without it and a setting, the name of the machine.",
            valueName: "name"
        )
    )
    var station: String?

    @Flag(help: "Take only facts about bags that were seen here.")
    var onlySeen = false

    @Flag(help: "Take the place of the record that joined with this login before.")
    var asNew = false

    func validate() throws {
        if let station, !station.isStationName || station.isBlank {
            throw ValidationError(
                "a station's name has 1 to 64 characters, not blanks alone, and no control characters"
            )
        }
    }

    func run() async throws {
        let settings = store.settings.shared
        let name = try settings.values(of: [.station], arguments: [.station: station]).station
        try SyncProgram.become(
            .join(
                hub: hub.address(by: settings),
                record: store.recordToExchange(makesOne: true),
                station: name ?? ProcessInfo.processInfo.hostName,
                pullsEverything: !onlySeen,
                asNew: asNew
            )
        )
    }
}

/// `luggage sync run`: exchanges facts.
struct SyncRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Exchange facts with the hub, until it is stopped.",
        discussion: """
            luggage sync run
            luggage sync run --once

            It sends what is filed here as it comes, takes what others have filed, and tries again \
            while the hub cannot be reached. `luggage sync status` tells where it stands. SIGTERM \
            ends it. The service luggage-sync runs it.
            """
    )

    @Flag(help: "Exchange what there is now, and end.")
    var once = false

    @Flag(help: "Also publish what follows from all facts, for people who ask the hub with SQL.")
    var publish = false

    @OptionGroup var hub: HubOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var logging: LogOptions

    func run() async throws {
        let settings = store.settings.shared
        let values = try settings.values(
            of: [.logFormat, .logLevel, .overdue],
            arguments: [.logFormat: logging.logFormat, .logLevel: logging.logLevel]
        )
        try SyncProgram.become(
            .exchange(
                hub: hub.address(by: settings),
                record: store.recordToExchange(makesOne: false),
                isOnce: once,
                publishes: publish,
                overdue: values.alarms.overdue,
                log: .init(format: values.logFormat.rawValue, level: values.logLevel.rawValue)
            )
        )
    }
}

/// `luggage sync verify`: compares the record with the hub.
struct SyncVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the record with the hub, and exchange what differs.",
        discussion: """
            systemctl stop luggage-sync; luggage sync verify; systemctl start luggage-sync

            It compares how many facts both have of each station and day, and which. Only days that \
            differ are exchanged. Nothing needs this; it finds out whether everything is well.
            """
    )

    @OptionGroup var hub: HubOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        try SyncProgram.become(
            .verify(
                hub: hub.address(by: store.settings.shared),
                record: store.recordToExchange(makesOne: false)
            )
        )
    }
}

/// `luggage sync leave`: ends the membership.
struct SyncLeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "End the membership of this record in the hub.",
        discussion: """
            luggage sync run --once && luggage sync leave

            Stop the service luggage-sync first. The hub keeps what this record has sent, and the record keeps what it has. Facts that were \
            not sent stay here: exchange them first, as above.
            """
    )

    @OptionGroup var hub: HubOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        try SyncProgram.become(
            .leave(
                hub: hub.address(by: store.settings.shared),
                record: store.recordToExchange(makesOne: false)
            )
        )
    }
}

/// `luggage sync relay`: what the service luggage-sync reaches the hub by.
struct SyncRelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Pass connections of the service luggage-sync on to the hub.",
        shouldDisplay: false
    )

    @OptionGroup var hub: HubOptions
    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        try SyncProgram.become(.relay(hub: hub.address(by: settings.shared)))
    }
}
