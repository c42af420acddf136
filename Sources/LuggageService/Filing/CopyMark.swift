internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// Says which file is the copy of a picture that is about to be removed.
///
/// It is a hidden, empty file in the folder where the picture was dropped. It is there before the copy
/// has its name, and goes after the picture: so where it is found, the picture was copied and not
/// removed, as where the process was killed in between. Its name has the numbers of both files and the
/// time of the picture, none of which a new name changes. Another picture with the same bytes is another
/// file, and has no mark. Where file systems give files other numbers when they are mounted again, or
/// the mark could not be made, both are kept.
struct CopyMark {
    private static let prefix = ".luggage-copy-"

    private let path: [UInt8]

    /// Names a mark, which need not exist; nil where the system does not say which file it is.
    ///
    /// - Parameters:
    ///   - picture: The descriptor of the picture.
    ///   - folder: Where it was dropped, with a `/` at the end.
    ///   - copy: The number of the copy in its file system.
    init?(of picture: Int32, in folder: [UInt8], copy: UInt64) {
        var status = stat()
        guard unsafe fstat(picture, &status) == 0 else { return nil }
        let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        path = folder + Array("\(Self.prefix)\(status.st_ino)-\(time)-\(copy).part".utf8)
    }

    /// Whether the service has made it: somebody else has nothing to say about what is removed.
    var isThere: Bool {
        var status = stat()
        return unsafe lstat(path.cString, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_uid == geteuid()
    }

    /// Makes the mark, and has it on the disk before the copy, as far as that can be done.
    func make() {
        let descriptor = TemporaryFile.make(FilePlace(path), mode: 0o600)
        guard descriptor >= 0 else { return }
        close(descriptor)
        path.dropLast(path.lastComponent.count).pathText.synchronizeFolder()
    }

    func remove() {
        _ = unsafe unlink(path.cString)
    }

    /// Removes the marks of pictures that are not in a folder any more.
    ///
    /// - Parameter folder: A folder for dropping, in which no picture is being moved.
    /// - Throws: ``FilingError`` where it cannot be read.
    static func removeLeft(in folder: String) throws(FilingError) {
        let prefix = Array(prefix.utf8)
        let marks = try FolderNames.files(in: folder) { $0.starts(with: prefix) }
        if marks.isEmpty { return }
        let base = Array("\(folder)/".utf8)
        let pictures = try FolderNames.files(in: folder) { !$0.starts(with: prefix) }
        let numbers = Set(
            pictures.compactMap { FileIdentity(at: base + $0, followsLinks: false)?.number }
        )
        for mark in marks {
            let digits = mark.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: "-") }
            let number = UInt64(String(decoding: digits, as: UTF8.self))
            if let number, numbers.contains(number) { continue }
            _ = unsafe unlink((base + mark).cString)
        }
    }
}
