internal import FoundationEssentials
internal import Glibc
internal import LuggageBoard
internal import LuggageService
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport
internal import TagReading

/// The program that `luggage board` runs: all that needs a server for HTTP.
///
/// It takes no arguments; `luggage board` hands it a ``BoardRequest`` and has checked the record.
@main
enum LuggageBoardProgram {
    static func main() {
        keepLittleMemory()
        StandardStreams.prepare()
        let environment = ProcessInfo.processInfo.environment
        guard let request = BoardRequest(environment: environment) else {
            endRunByHand("luggage-board", insteadOf: "luggage board")
        }
        unsafe unsetenv(BoardRequest.variable)
        do {
            switch request {
            case .show(let showing): try show(showing, environment)
            case .addToken(let file, let name, let role, let address, let isDrawn):
                umask(0o077)
                // Before there is a token whose link nobody has seen.
                let drawing = isDrawn ? try LinkDrawing(path: environment["PATH"] ?? "") : nil
                let link = try TokenCommands(path: file).add(name, role, address: address)
                try drawing?.draw(link)
            case .listTokens(let file): try TokenCommands(path: file).show()
            case .revokeToken(let file, let name):
                umask(0o077)
                try TokenCommands(path: file).revoke(name)
            }
        } catch let failure as Failure {
            end(failure, environment)
        } catch let error as StoreError {
            end(Failure(.cannotCreate, error.description), environment)
        } catch {
            end(Failure(.ioFailed, "\(error)"), environment)
        }
    }

    /// Ends with a failure, which the service manager is told too.
    private static func end(_ failure: Failure, _ environment: [String: String]) -> Never {
        ServiceNotifier(environment: environment).send(.status(failure.message))
        failure.end("luggage")
    }

    private static func show(
        _ showing: BoardRequest.Showing,
        _ environment: [String: String]
    ) throws {
        BoardServer.awaitSignals()
        defer {
            if let folder = showing.passingFolder {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        let address = try ListeningAddress(showing.listen)
        var settings = try BoardParts.settings(showing, environment)
        let container = try BoardParts.open(showing.record)
        var passing = TokenList()
        var link: String?
        if let guest = showing.guest {
            let token = Token()
            passing.tokens = [TokenEntry(name: guest, role: .correct, token: token, madeAt: Date())]
            link = token.text
        }
        let tokens = TokenFile(at: showing.tokens, passing: passing)
        let reader = try? ReaderPool(executable: ReaderPool.locateExecutable(), workers: 1)
        settings.log = { StandardError.complain("luggage-board", $0) }
        let board = Board(record: container, tokens: tokens, reader: reader, settings: settings)
        if let layout = settings.layout { HandedInPicture.removeLeftovers(in: layout) }
        board.warmUp()
        let server = try BoardServer(board, at: address)
        let notifier = ServiceNotifier(environment: environment)
        notifier.send(.ready, .status("the board is at \(address.link(port: server.port))"))
        let base = address.link(port: server.port)
        if let link, server.port != nil {
            try StandardOutput.line("The board is at \(base)/enter?token=\(link)")
            try StandardOutput.line(
                "This link is yours, and counts until the board is stopped."
            )
        } else {
            try StandardOutput.line("The board is at \(base)")
        }
        let filing = try BoardParts.startFiling(showing.filing)
        server.runUntilSignal()
        notifier.send(.stopping)
        if let filing {
            // It files what is only tried; until it has ended it may write into the folder that is removed.
            filing.signalGroup(SIGKILL)
            _ = filing.collectEnd()
        }
        try? (container.store as? SQLiteStore)?.close()
    }
}
