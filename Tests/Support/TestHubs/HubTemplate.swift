internal import Foundation
internal import TestFolders
internal import TestProcesses

/// The files of a new server, which are made once and copied for each hub.
struct HubTemplate: Sendable {
    private let folder: TemporaryFolder

    static let shared = Result { try HubTemplate() }

    private init() throws {
        let programs = try PostgresPrograms.shared.get()
        folder = try HubFolders.make("template")
        try programs.giveAway(folder.path)
        try programs.run(
            "initdb",
            [
                "--pgdata=\(folder.path("data"))", "--username=postgres", "--auth=trust",
                "--encoding=UTF8",
                "--locale=C", "--no-sync", "--no-instructions",
            ]
        )
    }

    /// Copies the files to a place where nothing is.
    func copy(to path: String) throws {
        try runToEnd(["cp", "-a", "--reflink=auto", folder.path("data"), path])
    }
}
