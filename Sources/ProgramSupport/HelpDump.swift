/// The output of a program's `--experimental-dump-help`: its commands and their arguments.
package struct HelpDump: Decodable {
    package let command: Command

    /// The program itself, or one of its commands.
    package struct Command: Decodable {
        package let commandName: String
        package let abstract: String?
        package let discussion: String?
        package let shouldDisplay: Bool?
        package let subcommands: [Command]?
        package let arguments: [Argument]?

        /// The commands for people; without `help`, since a manual page replaces it.
        package var shownCommands: [Command] {
            (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        }

        /// The arguments for people, in order.
        package var shownArguments: [Argument] {
            (arguments ?? []).filter { $0.shouldDisplay != false }
        }
    }

    /// An argument, an option or a flag.
    package struct Argument: Decodable {
        package enum Kind: String, Decodable {
            case positional, option, flag
        }

        package let kind: Kind
        package let names: [Name]?
        package let valueName: String?
        package let abstract: String?
        package let discussion: String?
        package let defaultValue: String?
        package let isOptional: Bool?
        package let isRepeating: Bool?
        package let shouldDisplay: Bool?
        package let sectionTitle: String?

        /// Whether every command has it, so that it is described only once.
        package var isEverywhere: Bool {
            kind == .flag && ["help", "version"].contains(names?.last?.name ?? "")
        }
    }

    /// A name of an option, without its hyphens.
    package struct Name: Decodable {
        package enum Kind: String, Decodable {
            case long, short, longWithSingleDash
        }

        package let kind: Kind
        package let name: String

        /// The name as the user types it.
        package var typed: String { (kind == .long ? "--" : "-") + name }
    }
}
