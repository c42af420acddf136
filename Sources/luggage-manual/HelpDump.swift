/// What a program's `--experimental-dump-help` tells about it: its commands and their arguments.
struct HelpDump: Decodable {
    let command: Command

    /// The program itself, or one of its commands.
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool?
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// The commands that people are told of; `help` says what a manual page says.
        var shownCommands: [Command] {
            (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        }

        /// The arguments that people are told of, in their order.
        var shownArguments: [Argument] { (arguments ?? []).filter { $0.shouldDisplay != false } }
    }

    /// An argument, an option or a flag.
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let discussion: String?
        let defaultValue: String?
        let isOptional: Bool?
        let isRepeating: Bool?
        let shouldDisplay: Bool?
        let sectionTitle: String?

        /// Whether every command has it: told once, and not with each.
        var isEverywhere: Bool {
            kind == .flag && ["help", "version"].contains(names?.last?.name ?? "")
        }
    }

    /// A name of an option, without its hyphens.
    struct Name: Decodable {
        enum Kind: String, Decodable {
            case long, short, longWithSingleDash
        }

        let kind: Kind
        let name: String

        /// The name as it is typed.
        var typed: String { (kind == .long ? "--" : "-") + name }
    }
}
