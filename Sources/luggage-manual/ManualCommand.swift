internal import ArgumentParser
internal import FoundationEssentials
internal import ProgramSupport

/// `luggage-manual`: makes a manual page from a program's own description, for its installation.
@main
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "luggage-manual",
        abstract: "Write a program's manual page from its help on standard input.",
        discussion: """
            luggage --experimental-dump-help | luggage-manual --version-of 0.1.0 >luggage.1
            """
    )

    @Option(help: ArgumentHelp("The version of the program.", valueName: "version"))
    var versionOf: String

    @Option(help: ArgumentHelp("A program that the page refers to.", valueName: "program"))
    var seeAlso: [String] = []

    static func main() {
        StandardStreams.prepare()
        do {
            var command = try parseWords()
            try command.run()
        } catch let failure as Failure {
            failure.end("luggage-manual")
        } catch {
            end(error, of: nil)
        }
    }

    func run() throws {
        let input = try InputFile(path: "-")
        var bytes: [UInt8] = []
        while case let more = try input.read(), !more.isEmpty { bytes += more }
        let help: HelpDump
        do {
            help = try JSONDecoder().decode(HelpDump.self, from: Data(bytes))
        } catch {
            throw Failure(
                .incomplete,
                "standard input is not the help of a program; pipe the output of its "
                    + "--experimental-dump-help here"
            )
        }
        let page = ManualPage(help.command, version: versionOf, seeAlso: seeAlso)
        try StandardOutput.writeWhole(Array(page.text.utf8))
    }
}
