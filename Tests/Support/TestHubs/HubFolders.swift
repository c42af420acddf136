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
        folder = try TemporaryFolder(in: Self.memory, named: "hubs-")
        // The servers are given time to end before.
        let remains = """
            sleep 1; for room in '\(folder.path)'/*/tables; do umount -l "$room"; done
            rm -rf '\(folder.path)'
            """
        remover = try LastingProcess(["sleep", "infinity"], remains: remains)
    }

    /// Where files are kept in memory, if there is room for all: on a disk, copying those of a new server, and
    /// a server's own work, are seen in the time of all tests.
    private static var memory: String? {
        let (place, room) = ("/dev/shm", UInt64(4) << 30)
        var status = statvfs()
        guard unsafe statvfs(place, &status) == 0,
            UInt64(status.f_bavail) * UInt64(status.f_frsize) >= room
        else { return nil }
        return place
    }

    /// Makes a folder in it, which goes already when nobody holds it any more.
    static func make(_ name: String) throws -> TemporaryFolder {
        try TemporaryFolder(in: shared.get().folder.path, named: "\(name)-")
    }
}
