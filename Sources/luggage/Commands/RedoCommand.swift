internal import ArgumentParser
internal import LuggageTags

/// `luggage redo`: brings back a change that was taken back.
struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Bring back a change that was taken back.",
        discussion: """
            luggage redo --list
            luggage redo
            luggage redo 1742 --by anna --reason "it was the right belt"

            Without a number, it brings back what you have taken back last yourself, whoever has done it \
            first; what others have taken back, by its number. On a terminal it shows first what becomes \
            of the bag, and asks; --yes and a pipe do not.
            """
    )

    @OptionGroup var turning: TurningOptions

    func run() throws {
        try turning.run(.redo)
    }
}
