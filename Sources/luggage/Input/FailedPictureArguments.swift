internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// Failed pictures, as they are named on the command line.
struct FailedPictureArguments {
    /// The names: as `luggage status` shows them, or with the folder `failed` in front.
    let names: [String]
    /// The watched folder; if nil, the one in the paths, else the one that the configuration names.
    let folder: String?
    /// Where the bags are, if the picture has no note that says so.
    let point: Point?
    /// The station that could not file the pictures that have no note.
    let station: String?

    /// Finds the pictures.
    ///
    /// - Throws: ``Failure``, or `ValidationError` if they are in several folders.
    func find(
        _ settings: SharedSettings
    ) async throws -> (closing: FolderClosing, found: FolderClosing.Result) {
        let paths = try CommandLineWords.current.bytes(of: names)
        let folder = try watchedFolder(of: paths)
        let values = try settings.values(
            of: [.station, .folder],
            arguments: [.station: station, .folder: folder]
        )
        let layout = FolderLayout(path: values.folder)
        let closing = FolderClosing(layout)
        do throws(FilingError) {
            let found = try await closing.pictures(
                named: paths.map { Array($0.split(separator: UInt8(ascii: "/")).last ?? []) },
                at: point,
                station: values.station
            )
            return (closing, found)
        } catch {
            throw Failure(error, in: layout)
        }
    }

    /// The watched folder that the command line names.
    private func watchedFolder(of paths: [[UInt8]]) throws -> String? {
        if let folder { return folder }
        let folders = Set(paths.compactMap(Self.watchedFolder))
        if folders.count > 1 {
            throw ValidationError(
                "the pictures are in several folders; name pictures of one folder at a time"
            )
        }
        return folders.first
    }

    /// The watched folder of a path in its folder `failed`; nil if that folder does not exist.
    private static func watchedFolder(of path: [UInt8]) -> String? {
        let text = String(validating: path, as: UTF8.self)
        guard let parts = text?.split(separator: "/", omittingEmptySubsequences: false),
            parts.count > 1, parts[parts.count - 2] == FolderLayout.Destination.failed.rawValue
        else { return nil }
        let folder = parts.dropLast(2).joined(separator: "/")
        let watched = parts.count == 2 ? "." : folder.isEmpty ? "/" : folder
        let failed = FolderLayout(path: watched).path(of: .failed)
        return FileManager.default.fileExists(atPath: failed) ? watched : nil
    }
}

extension Failure {
    /// The failure to move a picture that the record already has as done with.
    init(moving error: FilingError) {
        self.init(
            .ioFailed,
            "\(error.message); the record has it as closed already: run the same command again to move it"
        )
    }
}
