internal import ArgumentParser
internal import Glibc
internal import LuggageService
internal import ProgramSupport
internal import SystemSupport

/// The option that names the watched folder.
struct FolderOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The watched folder; without it, the one that the configuration names.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var folder: String?
}

/// Options that name the watched folder and its point.
struct WatchedFolder: ParsableArguments {
    @OptionGroup var option: FolderOption

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Where all bags are, if `luggage watch` runs with --at.",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var point: String?

    @OptionGroup var settings: SettingsOptions

    /// The folders.
    ///
    /// - Throws: ``Failure`` if the configuration is wrong, or names no existing folder.
    func layout() throws -> FolderLayout {
        let watched = try settings.shared.values(
            of: [.folder, .at],
            arguments: [.folder: option.folder, .at: point]
        )
        let layout = FolderLayout(
            path: watched.folder,
            point: watched.point,
            points: watched.point == nil ? try settings.shared.points : watched.points
        )
        if watched.point == nil && layout.isWatchedAtOnePoint {
            throw Failure(
                .noInput,
                "\(watched.folder.onOneLine) was watched with --at; add --at here too, such as --at origin"
            )
        }
        return layout
    }
}

extension Failure {
    /// The failure to read a folder.
    ///
    /// - Parameters:
    ///   - error: The system's error.
    ///   - layout: The watched folder and the folders in it, one of which has failed.
    init(_ error: FilingError, in layout: FolderLayout) {
        let refused = layout.allPaths.first { RecordAccess($0).isRefused(R_OK) }
        guard error.number == EACCES, let refused else {
            self.init(.noInput, "\(error.message); was `luggage watch` started there once?")
            return
        }
        let access = RecordAccess(refused)
        self.init(
            .noInput,
            "you may not look into \(refused.onOneLine), which belongs to \(access.owner); "
                + access.wayToAsk
        )
    }
}
