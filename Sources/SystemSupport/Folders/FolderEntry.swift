internal import Glibc

/// A name in a folder, as the system knows it, and what has it.
package struct FolderEntry {
    package let name: [UInt8]
    private let type: UInt8
    private let folder: Int32

    /// What has the name, following no link; nil if nothing has it any more.
    package var kind: FileStatus.Kind? {
        // Some file systems do not say.
        if type == DT_UNKNOWN { return FileStatus(of: name.cString, in: folder)?.kind }
        // The types of entries are those of modes without the permissions.
        return FileStatus.Kind(mode: mode_t(type) << 12)
    }

    /// Goes through a folder, without the names `.` and `..`.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - body: Takes an entry, and says whether to go on.
    /// - Returns: 0, or the number of the error.
    package static func forEach(
        at path: [UInt8],
        _ body: (FolderEntry) throws -> Bool
    ) rethrows -> Int32 {
        let folder = unsafe open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return folder < 0 ? errno : try forEach(adopting: folder, body)
    }

    /// Goes through an open folder, wherever its path leads by now.
    ///
    /// - Parameters:
    ///   - folder: The descriptor, whose place stays.
    ///   - body: Takes an entry, and says whether to go on.
    /// - Returns: 0, or the number of the error.
    package static func forEach(
        in folder: Int32,
        _ body: (FolderEntry) throws -> Bool
    ) rethrows -> Int32 {
        let own = unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return own < 0 ? errno : try forEach(adopting: own, body)
    }

    private static func forEach(
        adopting folder: Int32,
        _ body: (FolderEntry) throws -> Bool
    ) rethrows -> Int32 {
        guard let stream = unsafe fdopendir(folder) else {
            defer { close(folder) }
            return errno
        }
        defer { unsafe closedir(stream) }
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { return errno }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            let found = FolderEntry(name: name, type: unsafe entry.pointee.d_type, folder: folder)
            guard try body(found) else { return 0 }
        }
    }
}
