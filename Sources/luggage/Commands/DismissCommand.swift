internal import ArgumentParser
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// `luggage dismiss`: closes failed pictures that show nothing to be filed.
struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Close failed pictures that show nothing to file.",
        discussion: """
            luggage dismiss IMG_0042.png --reason "empty belt"
            luggage dismiss --folder /srv/luggage --by anna --reason "a hand" 1.png 2.png

            The record keeps who did this, when and why; `luggage history` shows it. The pictures go \
            to `processed`. They still count as not read, in the read rate too. If a picture shows a \
            tag, type it with `luggage file --picture`, which also closes the picture. If the same \
            picture is dropped again, it is a duplicate. `luggage undo` takes the dismissal back and \
            leaves the picture where it is: drop it again, and it is tried again.
            """
    )

    @Argument(help: "Names of pictures in the folder `failed`, as `luggage status` shows them.")
    var names: [String]

    @Option(help: ArgumentHelp("Why there is nothing to file, for the record.", valueName: "text"))
    var reason: String

    @OptionGroup var person: PersonOptions

    @OptionGroup var watched: FolderOption

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where the bags are, if no note beside a picture says it.",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var at: String?

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        try PersonOptions.check(reason: reason)
    }

    func run() async throws {
        let settings = storeOptions.settings.shared
        let (closing, found) = try await FailedPictureArguments(
            names: names,
            folder: watched.folder,
            point: settings.point(at, "--at"),
            station: nil
        ).find(settings)
        if !found.pictures.isEmpty {
            let corrector = RecordCorrector(container: try storeOptions.openForCorrecting())
            let person = person.with(reason: reason)
            for picture in found.pictures {
                // Saves before it moves the picture: a picture that was only moved would be lost.
                try corrector.dismiss(picture.sight, by: person)
                do throws(FilingError) {
                    try closing.close(picture)
                } catch {
                    throw Failure(moving: error)
                }
                try StandardOutput.line("dismissed: \(picture.displayName)")
            }
        }
        for words in found.left { StandardError.complain("luggage", words) }
        if !found.left.isEmpty { throw ExitStatus.incomplete.code }
    }
}
