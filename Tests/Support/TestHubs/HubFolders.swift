internal import Foundation
internal import TestFolders
internal import TestProcesses

/// The folder with the files of all hubs, which goes when the process of the tests has ended, however it
/// does: they are many, and large.
struct HubFolders: Sendable {
    private let folder: TemporaryFolder
    private let remover: LastingProcess

    private static let shared = Result { try HubFolders() }

    private init() throws {
        folder = try TemporaryFolder(named: "hubs-")
        // The servers are given time to end before.
        let remains = """
            sleep 1; for room in '\(folder.path)'/*/tables; do umount -l "$room"; done
            rm -rf '\(folder.path)'
            """
        remover = try LastingProcess(["sleep", "infinity"], remains: remains)
    }

    /// Makes a folder in it, which goes already when nobody holds it any more.
    static func make(_ name: String) throws -> TemporaryFolder {
        try TemporaryFolder(in: shared.get().folder.path, named: "\(name)-")
    }
}
