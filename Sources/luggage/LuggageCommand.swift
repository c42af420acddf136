internal import ArgumentParser
internal import Glibc
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// The program: `luggage SUBCOMMAND …`.
@main
struct LuggageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "luggage",
        abstract: "Keep a record of whose bag was where, from pictures of luggage tags.",
        discussion: """
            Scan a picture where a bag departs and another where it arrives:

              luggage scan --at origin tag.png
              luggage scan --at destination tag.png
              luggage list --missing

            Every command reads the same settings as the service: first from \
            \(WatchConfiguration.defaultFile) (--configuration or $\(WatchConfiguration.fileVariable) \
            names another file), then from the environment ($LUGGAGE_STORE, $LUGGAGE_STATION, \
            $LUGGAGE_AT), then from the command line (--store, --station, --at). A later source \
            overrides an earlier one.

            The record is one file. If no setting names it, it is $STATE_DIRECTORY/luggage.sqlite, \
            else \(RecordFile.ofService) if the service is installed and that file exists, else \
            $XDG_DATA_HOME/luggage/luggage.sqlite, else ~/.local/share/luggage/luggage.sqlite. Only \
            `scan`, `watch`, `listen`, `file`, `import`, `restore` and `sync join` make a record if there is none.

            \(ProgramFacts.luggage.statusSentence)
            """,
        version: programVersion,
        groupedSubcommands: [
            CommandGroup(
                name: "Filing",
                subcommands: [
                    ScanCommand.self, WatchCommand.self, ListenCommand.self, StatusCommand.self,
                    RetryCommand.self, ReadCommand.self, ExpectCommand.self,
                ]
            ),
            CommandGroup(
                name: "Asking",
                subcommands: [
                    ListCommand.self, ShowCommand.self, HistoryCommand.self, SummaryCommand.self,
                    PassengersCommand.self, BoardCommand.self,
                ]
            ),
            CommandGroup(
                name: "Correcting",
                subcommands: [
                    FileCommand.self, DismissCommand.self, EditCommand.self, NoteCommand.self,
                    UndoCommand.self, RedoCommand.self,
                ]
            ),
            CommandGroup(
                name: "Exchanging",
                subcommands: [ExportCommand.self, ImportCommand.self, SyncCommand.self]
            ),
            CommandGroup(
                name: "Maintaining",
                subcommands: [
                    DoctorCommand.self, CheckCommand.self, BackupCommand.self, RestoreCommand.self,
                    PurgeCommand.self,
                ]
            ),
        ]
    )

    /// Runs the command; every failure ends here, with a message on standard error and an exit status.
    static func main() async {
        StandardStreams.prepare()
        FirstReader.startIfNeeded()
        // Until the service listens for SIGHUP, the signal must not end the program. Ignoring it loses
        // nothing: the configuration is read later.
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == WatchCommand.word || words.first == ListenCommand.word {
            _ = signal(SIGHUP, SIG_IGN)
        }
        do {
            // The service is idle most of the time, and nothing should wake it then.
            try await withTaskExecutorPreference(TaskThreads.shared) {
                try await perform(words)
                // Here, because the main thread sleeps by now: one more thread would have to start for it.
                Glibc.exit(EXIT_SUCCESS)
            }
        } catch let failure as Failure {
            failure.end("luggage")
        } catch let error as StoreError {
            Failure(error).end("luggage")
        } catch let error as CorrectionError {
            Failure(error).end("luggage")
        } catch let error as TagError {
            Failure(error).end("luggage")
        } catch {
            // Usage errors, requests for help, and exit statuses without a message.
            end(error, of: nil)
        }
    }

    @concurrent
    private static func perform(_ words: [String]) async throws {
        if let reading = PictureReading(words: words) { return try await reading.run() }
        var command = try parseWords()
        let byteArguments = (command as? any TakingBytes)?.byteArguments ?? []
        _ = try CommandLineWords.current.bytes(of: byteArguments)
        try EnvironmentText.check(
            WatchSetting.allCases.map(\.variable) + [WatchConfiguration.fileVariable]
        )
        defer { RecordFile.closeAll() }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ArgumentParser.ValidationError {
            // Only here it is known which command was used wrongly.
            RecordFile.closeAll()
            end(error, of: command)
        }
    }
}
