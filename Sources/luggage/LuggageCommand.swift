internal import ArgumentParser
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

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

            Every command takes its settings from where the service does: from \
            \(WatchConfiguration.defaultFile) (--configuration or $\(WatchConfiguration.fileVariable) \
            names another file), then from the environment ($LUGGAGE_STORE, $LUGGAGE_STATION, \
            $LUGGAGE_AT), then from the command line (--store, --station, --at). What comes later has \
            the last word.

            The record is kept in one file. Where no setting names it, that is \
            $STATE_DIRECTORY/luggage.sqlite, else \(RecordFile.ofService) where the service is installed \
            and that file is there, else $XDG_DATA_HOME/luggage/luggage.sqlite, else \
            ~/.local/share/luggage/luggage.sqlite. Only `scan`, `watch`, `file`, `import` and `restore` \
            make one where there is none.

            \(ProgramFacts.luggage.statusSentence)
            """,
        version: programVersion,
        groupedSubcommands: [
            CommandGroup(
                name: "Filing",
                subcommands: [
                    ScanCommand.self, WatchCommand.self, StatusCommand.self, RetryCommand.self,
                    ReadCommand.self,
                ]
            ),
            CommandGroup(
                name: "Asking",
                subcommands: [
                    ListCommand.self, ShowCommand.self, HistoryCommand.self, SummaryCommand.self,
                    PassengersCommand.self,
                ]
            ),
            CommandGroup(
                name: "Correcting",
                subcommands: [
                    FileCommand.self, DismissCommand.self, EditCommand.self, UndoCommand.self,
                    RedoCommand.self,
                ]
            ),
            CommandGroup(
                name: "Exchanging",
                subcommands: [ExportCommand.self, ImportCommand.self]
            ),
            CommandGroup(
                name: "Maintaining",
                subcommands: [
                    CheckCommand.self, BackupCommand.self, RestoreCommand.self, PurgeCommand.self,
                ]
            ),
        ]
    )

    /// Runs the command; every failure ends here, as words on standard error and an exit status.
    static func main() async {
        StandardStreams.prepare()
        // Until it is listened to, being told to reload must not end the program. Nothing is lost: the
        // configuration is read after that.
        if CommandLine.arguments.dropFirst().first == WatchCommand.configuration.commandName {
            _ = signal(SIGHUP, SIG_IGN)
        }
        do {
            // The service rests most of the time, and nothing is to wake it meanwhile.
            try await withTaskExecutorPreference(TaskThreads.shared) { try await perform() }
        } catch let failure as Failure {
            failure.end("luggage")
        } catch let error as StoreError {
            Failure(error).end("luggage")
        } catch let error as CorrectionError {
            Failure(error).end("luggage")
        } catch let error as TagError {
            Failure(.incomplete, error.message).end("luggage")
        } catch {
            // Wrong usage, the call for help, and statuses without words.
            end(error, of: nil)
        }
    }

    @concurrent
    private static func perform() async throws {
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
            // Of which command it is wrong usage, is known here.
            RecordFile.closeAll()
            end(error, of: command)
        }
    }
}
