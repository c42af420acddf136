internal import ArgumentParser
internal import FoundationEssentials
internal import ProgramSupport

/// `luggage-tag new`: makes identifiers that no bag has.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make identifiers for bags, one a line.",
        discussion: """
            luggage-tag new
            luggage-tag new --count 10

            An identifier is random (a UUID of version 4), so no two are the same and you need no list \
            of them.
            """
    )

    @Option(help: ArgumentHelp("How many to make.", valueName: "number"))
    var count = 1

    func validate() throws {
        if !(1...1_000_000).contains(count) {
            throw ValidationError("--count must be 1 to 1000000")
        }
    }

    func run() throws {
        for _ in 0..<count { try StandardOutput.line(UUID().uuidString) }
    }
}
