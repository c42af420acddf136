internal import ArgumentParser
internal import LuggageTags
internal import ProgramSupport

/// `luggage undo`: takes back a change of the record.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back a scan, a correction, a dismissal or an import.",
        discussion: """
            luggage undo --list
            luggage undo
            luggage undo 1742 --by anna --reason "wrong belt"

            Without a number, it takes back the last that you have done yourself: what you have scanned, \
            typed, corrected or dismissed. What others have done, and what a service has filed, is taken \
            back by its number. On a terminal it shows first what the change has done and what becomes of \
            the bag, and asks; --yes and a pipe do not.

            The bag becomes what its other scans and corrections say, whatever came later. Nothing is \
            erased: a scan that you take back stays on record, marked, and counts no more. `luggage scan` \
            of the same picture files it anew, and so does a watched folder into which it is dropped \
            again. A failed picture that was typed or dismissed stays in `processed`; if it is dropped \
            again, it is tried again. An import is taken back as a whole, with all that it has brought. \
            `luggage redo` brings back what was taken back.
            """
    )

    @OptionGroup var turning: TurningOptions

    func run() throws {
        try turning.run(.undo)
    }
}
