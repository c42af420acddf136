internal import ArgumentParser
internal import LuggageService
internal import ProgramSupport

/// `luggage retry`: puts failed pictures back, to be tried again.
struct RetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Try failed pictures again: move them back to where they were dropped.",
        discussion: """
            luggage retry --folder /srv/luggage
            luggage retry --folder /srv/luggage --reason no-code
            luggage retry --folder /srv/luggage IMG_0042.png

            A running `luggage watch` takes them up at once; otherwise the next one does.
            """
    )

    @Argument(help: "Names of pictures in the folder `failed`; without any, all of them.")
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only those that failed for this reason, as `luggage status` shows it.",
            valueName: "code"
        )
    )
    var reason: String?

    @OptionGroup var watched: WatchedFolder

    func validate() throws {
        if reason != nil && !names.isEmpty {
            throw ValidationError("name pictures or a reason, not both")
        }
    }

    func run() throws {
        let selection: FolderRetry.Selection
        if let reason {
            selection = .reason(reason)
        } else if names.isEmpty {
            selection = .all
        } else {
            // As `luggage status` shows them, or with their folder, as a shell completes them.
            let paths = try CommandLineWords.current.bytes(of: names)
            selection = .named(
                paths.map { Array($0.split(separator: UInt8(ascii: "/")).last ?? []) }
            )
        }
        let result: FolderRetry.Result
        let layout = try watched.layout()
        do {
            result = try FolderRetry(layout).run(selection)
        } catch {
            throw Failure(error, in: layout)
        }
        for name in result.moved { try StandardOutput.line("\(name) will be tried again") }
        for name in result.missing {
            StandardError.complain("luggage", "there is no failed picture called \(name)")
        }
        for words in result.left { StandardError.complain("luggage", words) }
        let isAll = result.missing.isEmpty && result.left.isEmpty
        if result.moved.isEmpty && isAll {
            StandardError.complain(
                "luggage",
                "no picture has failed\(reason.map { " with \($0)" } ?? "")"
            )
        }
        if result.moved.isEmpty || !isAll { throw ExitStatus.incomplete.code }
    }
}
