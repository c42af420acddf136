internal import Foundation
internal import TestFolders
internal import TestProcesses

extension TestHub {
    /// Whether tests of full disks are to be run here.
    package static let isFillingExpected = TestProcesses.isExpected(
        "disks that are full",
        unless: "NO_SMALL_DISKS"
    ) {
        let folder = try HubFolders.make("room")
        try runToEnd(["mount", "-t", "tmpfs", "tmpfs", folder.path])
        try runToEnd(["umount", folder.path])
    }
}

/// A small file system in memory for the tables of a hub.
final class TestRoom: Sendable {
    private let path: String
    // Removed only after this is unmounted.
    private let folder: TemporaryFolder

    /// Moves the tables of a hub there.
    init(of folder: TemporaryFolder, bytes: Int) throws {
        self.folder = folder
        path = folder.path("tables")
        let tables = folder.path("data/base")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try runToEnd(["mount", "-t", "tmpfs", "-o", "size=\(bytes),mode=700", "tmpfs", path])
        try runToEnd(["cp", "-a", "\(tables)/.", path])
        try FileManager.default.removeItem(atPath: tables)
        try FileManager.default.createSymbolicLink(atPath: tables, withDestinationPath: path)
        try PostgresPrograms.shared.get().giveAway(path)
    }

    deinit {
        _ = unsafe umount2(path, Int32(MNT_DETACH))
    }

    func fill() throws {
        _ = FileManager.default.createFile(atPath: "\(path)/ballast", contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: "\(path)/ballast"))
        defer { try? file.close() }
        // In steps that get smaller, to the last page.
        for size in [1 << 20, 4096] {
            let bytes = Data(count: size)
            while (try? file.write(contentsOf: bytes)) != nil {}
        }
    }

    func empty() throws {
        // First to nothing: a process that another test has started may hold it open, and a file that
        // is open keeps its place when its name goes.
        try FileHandle(forWritingTo: URL(filePath: "\(path)/ballast")).truncate(atOffset: 0)
        try FileManager.default.removeItem(atPath: "\(path)/ballast")
    }
}
