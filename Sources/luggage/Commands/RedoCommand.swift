internal import ArgumentParser
internal import LuggageTags

/// `luggage redo`: what was taken back counts again.
struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Bring back a change that was taken back.",
        discussion: """
            luggage redo --list
            luggage redo
            luggage redo 1742 --by anna --reason "it was the right belt"

            Without a number, it brings back the change that was taken back last.
            """
    )

    @OptionGroup var turning: TurningOptions

    func run() throws {
        try turning.run(listing: true, words: "brought back", empty: "nothing is taken back") {
            try $0.redo($1, by: $2)
        }
    }
}
