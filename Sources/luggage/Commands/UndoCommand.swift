internal import ArgumentParser
internal import LuggageTags
internal import ProgramSupport

/// `luggage undo`: a change of the record is taken back.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back a scan, a correction or a dismissal.",
        discussion: """
            luggage undo --list
            luggage undo
            luggage undo 1742 --by anna --reason "wrong belt"

            The bag becomes again what it was before, as a new change: nothing is erased. A scan that \
            you take back stays on record, marked, and counts no more. `luggage scan` of the same \
            picture files it anew; a watched folder still takes it for a duplicate. A failed picture \
            that was typed or dismissed stays in `processed`; if it is dropped again, it is tried \
            again. If later changes depend on the one that you take back, the program refuses and tells \
            their numbers. Imports cannot be taken back. `luggage redo` brings back what was taken back.
            """
    )

    @OptionGroup var turning: TurningOptions

    func run() throws {
        try turning.run(
            listing: false,
            words: "took back",
            empty: "there is no change that could be taken back"
        ) {
            try $0.undo($1, by: $2)
        }
    }
}
