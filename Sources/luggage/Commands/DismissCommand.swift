internal import ArgumentParser
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// `luggage dismiss`: failed pictures that show nothing to be filed are done with.
struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Close failed pictures that show nothing to be filed.",
        discussion: """
            luggage dismiss IMG_0042.png --reason "empty belt"
            luggage dismiss --folder /srv/luggage --by anna --reason "a hand" IMG_0042.png IMG_0043.png

            Goes on record with who, when and why, which `luggage history` shows, and moves the pictures \
            to `processed`. That they were not read stays so, in the read rate too. What a picture shows \
            is typed with `luggage file --picture`, which closes it as well. The same picture, dropped \
            again, is a duplicate; `luggage undo` takes the dismissal back, and the picture stays where \
            it is then: drop it again to have it tried again.
            """
    )

    @Argument(help: "Names of pictures in the folder `failed`, as `luggage status` shows them.")
    var names: [String]

    @Option(help: ArgumentHelp("Why there is nothing to file, for the record.", valueName: "text"))
    var reason: String

    @OptionGroup var person: PersonOptions

    @Option(
        help: ArgumentHelp(
            "The watched folder; without it, the one that the configuration names.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var folder: String?

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where the bags are, where nothing beside a picture says it.",
            valueName: "origin|destination"
        ),
        completion: .list(Point.allCases.map(\.rawValue)),
        transform: { try Point(word: $0) }
    )
    var point: Point?

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        try PersonOptions.check(reason: reason)
    }

    func run() async throws {
        let (closing, found) = try await FailedPictureArguments(
            names: names,
            folder: folder,
            point: point,
            station: nil
        ).find(storeOptions.settings.shared)
        if !found.pictures.isEmpty {
            let corrector = RecordCorrector(container: try storeOptions.openForCorrecting())
            let person = person.with(reason: reason)
            for picture in found.pictures {
                // First on record: a picture that was moved by itself would be lost.
                try corrector.dismiss([picture.sight], by: person)
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
