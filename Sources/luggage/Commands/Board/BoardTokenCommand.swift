internal import ArgumentParser
internal import LuggageService

/// The option that names the file of tokens.
struct BoardTokensOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file of the tokens; without it, the one beside the record.",
            valueName: "path"
        ),
        completion: .file()
    )
    var tokens: String?

    /// The path of the file for a record.
    func path(for record: String) -> String { tokens ?? Self.usualPath(record) }

    /// The path of the file if nobody names another one.
    static func usualPath(_ record: String) -> String { "\(record).board-tokens" }
}

/// `luggage board token`: who may come in.
struct BoardTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke the links with which people come in.",
        discussion: """
            luggage board token add wall
            luggage board token list
            luggage board token revoke wall
            """,
        subcommands: [
            BoardTokenAddCommand.self, BoardTokenListCommand.self, BoardTokenRevokeCommand.self,
        ]
    )
}

/// `luggage board token add`: makes a link.
struct BoardTokenAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a link for a person or a device, and print it, once.",
        discussion: """
            luggage board token add wall
            luggage board token add anna --role correct --address https://bags.example
            luggage board token add telephone-3 --role file --address https://bags.example --qr

            The name is the author of what is changed with it. The program keeps only a digest of \
            the token: if the link is lost, revoke it and make another one.
            """
    )

    @Argument(help: "The name of the person or the device.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "What it allows; each also what those before it allow.",
            discussion: "see: look at everything; file: also hand in pictures and type tags; "
                + "correct: also correct bags, take changes back, and take note of alarms.",
            valueName: "see|file|correct"
        ),
        completion: .list(["see", "file", "correct"])
    )
    var role = "see"

    @Option(
        help: ArgumentHelp(
            "Where people reach the board, for the link.",
            valueName: "https://bags.example"
        )
    )
    var address = "http://127.0.0.1:8710"

    @Flag(help: "Draw the link as a QR code too, for a telephone; needs the program qrencode.")
    var qr = false

    @OptionGroup var tokens: BoardTokensOption
    @OptionGroup var store: StoreOptions

    func validate() throws {
        if !["see", "file", "correct"].contains(role) {
            throw ValidationError("--role is see, file or correct")
        }
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
            throw ValidationError("--address begins with https:// or http://")
        }
    }

    func run() throws {
        let file = try tokens.file(beside: store)
        try BoardProgram.become(
            .addToken(file: file, name: name, role: role, address: address, isDrawn: qr)
        )
    }
}

/// `luggage board token list`: lists the links.
struct BoardTokenListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List who has a link, and what it allows.",
        discussion: """
            luggage board token list
            """
    )

    @OptionGroup var tokens: BoardTokensOption
    @OptionGroup var store: StoreOptions

    func run() throws {
        try BoardProgram.become(.listTokens(file: tokens.file(beside: store)))
    }
}

/// `luggage board token revoke`: makes a link count no more.
struct BoardTokenRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Make a link count no more, at once.",
        discussion: """
            luggage board token revoke anna
            """
    )

    @Argument(help: "The name for which it was made.")
    var name: String

    @OptionGroup var tokens: BoardTokensOption
    @OptionGroup var store: StoreOptions

    func run() throws {
        let file = try tokens.file(beside: store)
        try BoardProgram.become(.revokeToken(file: file, name: name))
    }
}

extension BoardTokensOption {
    /// The path of the file, which only the owner of the record may change.
    ///
    /// - Throws: ``Failure`` for others.
    fileprivate func file(beside store: StoreOptions) throws -> String {
        if let tokens { return tokens }
        let record = try store.record()
        try record.refuseWritingToOthers()
        return Self.usualPath(record.path)
    }
}
