/// Facts about a program besides its arguments, for its help and its manual page.
package struct ProgramFacts: Sendable {
    /// An environment variable, or a file, and its purpose.
    package struct Fact: Sendable {
        /// The name, or several separated by commas.
        package let name: String
        /// Its purpose.
        package let meaning: String

        fileprivate init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// The program's name.
    package let program: String
    /// The environment variables that it reads.
    package let environment: [Fact]
    /// The files and folders that it knows by name.
    package let files: [Fact]
    package let statuses: [ExitStatus]

    /// The facts about every program that has a manual page.
    package static let all = [luggage, luggageTag]

    /// The facts about `luggage`.
    package static let luggage = ProgramFacts(
        program: "luggage",
        environment: [
            Fact(
                "LUGGAGE_CONFIGURATION",
                "The configuration file, unless --configuration names one."
            ),
            Fact(
                "LUGGAGE_STORE, LUGGAGE_AT, LUGGAGE_POINTS, LUGGAGE_STATION, LUGGAGE_PLACE, LUGGAGE_UNITS, "
                    + "LUGGAGE_EARLIEST, LUGGAGE_HEAVIEST, LUGGAGE_OVERDUE, LUGGAGE_READ_RATE, LUGGAGE_SILENCE",
                "The file that keeps the record, where bags are, more points besides the built-in "
                    + "ones (kerb: departing, hotel: arriving), the name of this station and its place, the "
                    + "unit in which weights are shown, the bounds of times and weights that "
                    + "count as true, and those beyond which something is an alarm. They override the configuration file, and the command line "
                    + "overrides them."
            ),
            Fact(
                "STATE_DIRECTORY",
                "The folder in which luggage.sqlite keeps the record, if no setting names the file; "
                    + "systemd sets it for a service."
            ),
            Fact(
                "XDG_DATA_HOME",
                "The folder in which luggage/luggage.sqlite keeps the record, if that is not set "
                    + "and the service is not installed; ~/.local/share without it."
            ),
            Fact("HOME", "The folder that ~ stands for."),
            Fact(
                "LUGGAGE_SCANNERS, LUGGAGE_BAUD, LUGGAGE_PAYLOAD_END, "
                    + "LUGGAGE_FOLDER, LUGGAGE_HOOK, LUGGAGE_HOOK_TIME_LIMIT, LUGGAGE_METRICS, "
                    + "LUGGAGE_TIMESTAMP, LUGGAGE_GRACE, LUGGAGE_EFFORT, LUGGAGE_READERS, "
                    + "LUGGAGE_FRESH_READERS, LUGGAGE_LOG_FORMAT, LUGGAGE_LOG_LEVEL",
                "The other settings of the services, in the same way."
            ),
            Fact(
                "LUGGAGE_HUB",
                "The hub through which stations exchange facts, a PostgreSQL database, as "
                    + "postgresql://LOGIN@HOST/DATABASE; libpq's own variables, such as PGSSLMODE and "
                    + "PGPASSFILE, hold for what it does not say."
            ),
            Fact("SUDO_USER", "Who corrects the record, unless --by says it."),
            Fact("TZ", "The time zone in which times are shown and understood."),
            Fact("COLUMNS", "The width of tables, if the output goes to a terminal."),
            Fact("NO_COLOR", "If it is set and not empty, nothing is coloured."),
            Fact("TERM", "If it is dumb, or not set, nothing is coloured."),
            Fact(
                "NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, JOURNAL_STREAM",
                "How the service tells systemd what it does; systemd sets them."
            ),
            Fact(
                "SYNC_RELAY, LISTEN_FDS, LISTEN_PID",
                "How the exchange with the hub finds its relay, and that its socket; systemd sets them."
            ),
        ],
        files: [
            Fact(
                "/etc/luggage/luggage.yaml",
                "The configuration of the service and of this machine."
            ),
            Fact(
                "~/.local/share/luggage/luggage.sqlite",
                "The record, unless a setting names another file. While it is "
                    + "in use, files that end in -wal and -shm beside it are parts of it."
            ),
            Fact("/var/lib/luggage/luggage.sqlite", "The record of the service."),
            Fact(
                "/var/lib/luggage/luggage.sqlite-known",
                "Tells the service that there was a record, and how much was on it, so that it "
                    + "begins no new one if the record is gone."
            ),
            Fact(
                "/var/lib/luggage/luggage.sqlite-hub, /var/lib/luggage/luggage.sqlite-hub-lock",
                "How the exchange with the hub stands, and what keeps a second program from "
                    + "exchanging the same facts."
            ),
            Fact(
                "/etc/luggage/hub",
                "The certificate and the key of this station for the hub, and the authority's, if "
                    + "the address names them there."
            ),
            Fact(
                "FOLDER/origin, FOLDER/destination",
                "Where you drop pictures of departing bags, and of arriving bags. Points that the "
                    + "settings name have folders beside them."
            ),
            Fact(
                "FOLDER/processed, FOLDER/duplicates, FOLDER/failed",
                "Where the service puts the pictures."
            ),
            Fact("FOLDER/failed/NAME.error.json", "Why the picture NAME has failed."),
            Fact(
                "FOLDER/.luggage-watch.lock, FOLDER/.luggage-watch",
                "Keep a second service away from the folder."
            ),
            Fact(
                "luggage-reader, ../libexec/luggage/luggage-reader",
                "The program that reads pictures, beside this one or there."
            ),
            Fact(
                "luggage-sync, ../libexec/luggage/luggage-sync",
                "The program that exchanges facts with the hub, beside this one or there."
            ),
        ],
        statuses: ExitStatus.allCases
    )

    /// The facts about `luggage-tag`.
    package static let luggageTag = ProgramFacts(
        program: "luggage-tag",
        environment: [
            Fact("FONTCONFIG_FILE, FONTCONFIG_PATH", "Where fontconfig finds its configuration.")
        ],
        files: [Fact("/etc/fonts/fonts.conf", "Where fontconfig looks for fonts.")],
        statuses: ExitStatus.allCases.filter { $0 != .configuration }
    )

    /// The beginning of the help's paragraph about the statuses.
    package static let statusHeading = "Exit status:"

    /// The statuses in a sentence, for the help.
    package var statusSentence: String {
        let parts = statuses.map { "\($0.rawValue) \($0.meaning)" }
        return "\(Self.statusHeading) \(parts.joined(separator: "; "))."
    }
}
