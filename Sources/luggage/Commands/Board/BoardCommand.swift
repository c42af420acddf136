internal import ArgumentParser
internal import LuggageService
internal import ProgramSupport

/// `luggage board`: shows the baggage room in a browser.
struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Show the baggage room in a browser: what is missing, and what was just read.",
        discussion: """
            luggage board
            luggage board --try samples
            luggage board token add anna --role correct --address https://bags.example

            The board is a page for the wall, the desk and the telephone. It shows what is missing and \
            overdue, the last scans, how well each station reads, every bag with its journeys, and what \
            could not be read. Who may, hands in pictures, types tags and corrects bags there.

            It listens on this machine only: nginx or Caddy gives it to others, with TLS. Whoever \
            comes in needs a link with a token, which `luggage board token` makes and revokes. On a \
            terminal, `luggage board` prints one for you that counts as long as it runs.
            """,
        subcommands: [BoardShowCommand.self, BoardTokenCommand.self],
        defaultSubcommand: BoardShowCommand.self
    )
}

/// `luggage board show`: runs the board.
struct BoardShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Run the board until it is stopped; `luggage board` does the same.",
        discussion: """
            luggage board
            luggage board --listen /run/luggage-board/socket
            luggage board --try samples

            With --try it needs no record: it files copies of the pictures in a folder in a \
            record that is gone when it ends.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where to listen: an address of this machine, or the path of a socket.",
            valueName: "address"
        )
    )
    var listen = "127.0.0.1:8710"

    @Option(
        help: ArgumentHelp(
            "After how long a missing bag is overdue; the setting overdue says so otherwise, or 6h.",
            valueName: "6h"
        ),
        transform: { try Duration(argument: $0) }
    )
    var overdue: Duration?

    @OptionGroup var watched: FolderOption

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where all bags are, if `luggage watch` runs with --at.",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var point: String?

    @Option(
        name: .customLong("try"),
        help: ArgumentHelp(
            "Try it with the pictures in this folder, and without a record.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var tried: String?

    @Flag(help: "Print a link for you even if standard output is no terminal.")
    var link = false

    @OptionGroup var tokens: BoardTokensOption
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if tried != nil && (watched.folder != nil || store.store != nil) {
            throw ValidationError("--try has a record and a folder of its own")
        }
        if let overdue, overdue <= .zero { throw ValidationError("--overdue is longer than that") }
    }

    func run() async throws {
        var showing = BoardRequest.Showing(
            record: "",
            configuration: store.settings.configuration,
            folder: watched.folder,
            point: point,
            listen: listen,
            tokens: "",
            patience: overdue?.seconds,
            guest: link || tried != nil || StandardOutput.isTerminal ? PersonOptions.loginName : nil
        )
        if let tried {
            let trial = try BoardTrial(of: tried)
            (showing.record, showing.folder) = (trial.record, trial.folder)
            showing.tokens = tokens.path(for: trial.record)
            showing.passingFolder = trial.place
            do {
                showing.filing = try trial.filing()
                try BoardProgram.become(.show(showing))
            } catch {
                trial.remove()
                throw error
            }
        } else {
            showing.record = try store.recordToExchange(
                makesOne: false,
                remedy: "scan a picture first with `luggage scan`, or try the board with --try"
            )
            showing.tokens = tokens.path(for: showing.record)
        }
        try BoardProgram.become(.show(showing))
    }
}

/// The program that is linked with a server for HTTP.
enum BoardProgram {
    /// Becomes that program, which does what is asked; returns only if that fails.
    static func become(_ request: BoardRequest) throws -> Never {
        try ProgramBeside(name: "luggage-board", variable: BoardRequest.variable)
            .become(request.text)
    }
}
