internal import CLinux
internal import Glibc
internal import SQLiteStore
internal import SystemSupport

extension DroppedFile {
    /// Whether the file is a database, or one that SQLite keeps beside a database.
    ///
    /// Someone may keep a record where pictures are dropped; its users must not lose it.
    ///
    /// - Parameter descriptor: The open file.
    /// - Returns: Whether to leave it where it is.
    func isOfDatabase(_ descriptor: Int32) -> Bool {
        if Self.beginsAsDatabase(descriptor) { return true }
        guard let suffix = Self.suffixes.first(where: { name.suffix($0.count).elementsEqual($0) })
        else { return false }
        let path = Array(path.dropLast(suffix.count))
        if SQLiteStore.hasOpen(path) { return true }
        let database = unsafe filing_open(AT_FDCWD, path.cString)
        guard database >= 0 else { return false }
        defer { close(database) }
        return Self.beginsAsDatabase(database)
    }

    private static let suffixes = SQLiteStore.companionSuffixes.map { Array($0.utf8) }

    private static func beginsAsDatabase(_ descriptor: Int32) -> Bool {
        let beginning = Array("SQLite format 3\0".utf8)
        var bytes = [UInt8](repeating: 0, count: beginning.count)
        return unsafe pread(descriptor, &bytes, bytes.count, 0) == bytes.count && bytes == beginning
    }
}
