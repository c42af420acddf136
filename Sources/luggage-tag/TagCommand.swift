internal import ArgumentParser
internal import ProgramSupport

/// The program: `luggage-tag SUBCOMMAND …`.
@main
struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "luggage-tag",
        abstract: "Print luggage tags that `luggage` reads.",
        discussion: """
            luggage-tag print --owner D/ZMU --from ZRH --to JFK --weight 42lb --out tag.pdf
            luggage-tag print --from-csv passengers.csv --to JFK --out tags.pdf
            luggage-tag new --count 10

            The program draws letters with the installed fonts: Debian's fonts-dejavu-core has those of \
            Europe, fonts-noto-core those of most other scripts, and fonts-noto-cjk those of China, Japan \
            and Korea.

            \(ProgramFacts.luggageTag.statusSentence)
            """,
        version: programVersion,
        subcommands: [PrintCommand.self, NewCommand.self]
    )

    /// Runs the command; every failure ends here, with a message on standard error and an exit status.
    static func main() {
        StandardStreams.prepare()
        var running: (any ParsableCommand)?
        do {
            var command = try parseWords()
            running = command
            _ = try CommandLineWords.current.bytes(of: [])
            try command.run()
        } catch let failure as Failure {
            failure.end("luggage-tag")
        } catch {
            // Usage errors, requests for help, and exit statuses without a message.
            end(error, of: running)
        }
    }
}
