internal import ArgumentParser
internal import LuggageTags
internal import ProgramSupport

/// `luggage undo`: takes back a change of the record.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back a scan, a correction, a dismissal, a note or an import.",
        discussion: """
            luggage undo --list
            luggage undo
            luggage undo 1742 --by anna --reason "wrong belt"

            Without a number, it takes back the last thing that you did yourself: what you scanned, \
            typed, corrected, dismissed or noted. To take back what others did, or what a service filed, give \
            its number. On a terminal, it first shows what the change did and how the bag changes, and \
            asks; with --yes or in a pipe, it does not ask.

            The bag becomes what its other scans and corrections say, also the later ones. Nothing is \
            erased: a scan that you take back stays on record, marked, but no longer counts. To file \
            its picture anew, scan it again, or drop it into a watched folder again. A failed picture \
            that was typed or dismissed stays in `processed`; if you drop it again, it is tried again. \
            An import is taken back as a whole, with all that it brought. `luggage redo` brings back \
            what was taken back.
            """
    )

    @OptionGroup var turning: TurningOptions

    func run() throws {
        try turning.run(.undo)
    }
}
