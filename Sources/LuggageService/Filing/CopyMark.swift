internal import Glibc
internal import SystemSupport

/// A hidden, empty file that says which file is the copy of a picture about to be removed.
///
/// It lies in the folder where the picture was dropped. It is made before the copy gets its name, and
/// removed after the picture. So a mark shows that the picture was copied and not removed, for example
/// because the process was killed in between. Its name has the inode numbers of both files and the
/// picture's modification time; renaming changes none of them. Another picture with the same bytes is
/// another file, and has no mark. If a file system renumbers its files at a remount, or the mark could
/// not be made, both files are kept.
struct CopyMark {
    private static let prefix = ".luggage-copy-"

    private let path: [UInt8]

    /// Names a mark, which need not exist; nil if the picture's status cannot be read.
    ///
    /// - Parameters:
    ///   - picture: The descriptor of the picture.
    ///   - folder: Where it was dropped, with a `/` at the end.
    ///   - copy: The inode number of the copy.
    init?(of picture: Int32, in folder: [UInt8], copy: UInt64) {
        guard let status = FileStatus(of: picture) else { return nil }
        let (number, time) = (status.identity.number, status.modified)
        let marked = "\(number)-\(time.seconds).\(time.nanoseconds)-\(copy)"
        path = folder + Array("\(Self.prefix)\(marked).part".utf8)
    }

    /// Whether the mark exists and the service made it: nobody else decides what is removed.
    var isThere: Bool {
        let found = FileStatus(at: path, followsLinks: false)
        return found?.kind == .file && found?.owner == geteuid()
    }

    /// Makes the mark and tries to get it onto the disk before the copy.
    func make() {
        let descriptor = TemporaryFile.make(FilePlace(path), mode: 0o600)
        guard descriptor >= 0 else { return }
        close(descriptor)
        path.dropLast(path.lastComponent.count).pathText.synchronizeFolder()
    }

    func remove() {
        _ = unsafe unlink(path.cString)
    }

    /// Removes the marks of pictures that are no longer in a folder.
    ///
    /// - Parameter folder: A folder for dropping, in which no picture is being moved.
    /// - Throws: ``FilingError`` if it cannot be read.
    static func removeLeft(in folder: String) throws(FilingError) {
        let prefix = Array(prefix.utf8)
        let marks = try FolderNames.files(in: folder) { $0.starts(with: prefix) }
        if marks.isEmpty { return }
        let base = Array("\(folder)/".utf8)
        let pictures = try FolderNames.files(in: folder) { !$0.starts(with: prefix) }
        let numbers = Set(
            pictures.compactMap { FileStatus(at: base + $0, followsLinks: false)?.identity.number }
        )
        for mark in marks {
            let digits = mark.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: "-") }
            let number = UInt64(String(decoding: digits, as: UTF8.self))
            if let number, numbers.contains(number) { continue }
            _ = unsafe unlink((base + mark).cString)
        }
    }
}
