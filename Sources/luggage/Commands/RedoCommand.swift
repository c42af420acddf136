internal import ArgumentParser

/// `luggage redo`: brings back a change that was taken back.
struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Bring back a change that was taken back.",
        discussion: """
            luggage redo --list
            luggage redo
            luggage redo 1742 --by anna --reason "it was the right belt"

            Without a number, it brings back the last change that you took back yourself, even if \
            somebody else made it. To bring back what others took back, give its number. On a \
            terminal, it first shows how the bag changes, and asks; with --yes or in a pipe, it does \
            not ask.
            """
    )

    @OptionGroup var turning: TurningOptions

    func run() throws {
        try turning.run(.redo)
    }
}
