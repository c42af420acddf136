internal import CLinux
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A folder that is held open, whatever its path leads to by now.
final class HeldFolder: Sendable {
    let descriptor: Int32
    /// The path at which it was opened, for a person.
    let path: String

    /// Holds what is open; it is closed with the last reference.
    init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a folder, or the one to which a link leads.
    ///
    /// - Throws: ``FilingError``.
    convenience init(at path: String) throws(FilingError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FilingError(errno, "\(path) cannot be opened") }
        self.init(adopting: descriptor, path: path)
    }

    deinit {
        close(descriptor)
    }

    /// Which folder it is; nil where the system does not say.
    var identity: FileIdentity? { FileIdentity(of: descriptor) }

    /// What the system says of it; nil where that fails.
    var status: stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Waits until the names in it are on the disk.
    ///
    /// - Returns: 0, or the number of the error.
    func synchronize() -> Int32 {
        fsync(descriptor) == 0 ? 0 : errno
    }
}

/// The place of a file: its name in a folder that is held, or a path.
struct FilePlace: Sendable {
    private let folder: HeldFolder?
    /// The path, for a person; where no folder is held, for the system too.
    let path: [UInt8]

    /// A place in a folder that is held.
    init(_ name: [UInt8], in folder: HeldFolder) {
        self.folder = folder
        path = Array("\(folder.path)/".utf8) + name
    }

    /// The place to which a path leads at the moment.
    init(_ path: [UInt8]) {
        folder = nil
        self.path = path
    }

    /// What the system starts from.
    var base: Int32 { folder?.descriptor ?? AT_FDCWD }

    /// What the system finds the file by from there.
    var name: [CChar] { (folder == nil ? path : path.lastComponent).cString }

    /// What has this place, no link followed; nil where nothing has.
    var status: stat? {
        var status = stat()
        return unsafe fstatat(base, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Which file has this place, no link followed; nil where none has.
    var identity: FileIdentity? { FileIdentity(of: name, in: base) }

    /// The place beside this one with another name.
    func renamed(_ name: [UInt8]) -> FilePlace {
        folder.map { FilePlace(name, in: $0) }
            ?? FilePlace(path.dropLast(path.lastComponent.count) + name)
    }

    /// Opens the file for reading.
    ///
    /// - Returns: The descriptor, or -errno.
    func open() -> Int32 { unsafe filing_open(base, name) }

    /// Gives the file another place, unless that is taken.
    ///
    /// - Returns: 0, or the number of the error: `EEXIST` where it is taken.
    func move(to other: FilePlace) -> Int32 {
        unsafe filing_move(base, name, other.base, other.name)
    }

    /// Gives the file another place, whatever has that.
    ///
    /// - Returns: 0, or the number of the error.
    func replace(_ other: FilePlace) -> Int32 {
        unsafe renameat(base, name, other.base, other.name) == 0 ? 0 : errno
    }

    /// Takes the file away.
    ///
    /// - Returns: 0, or the number of the error.
    @discardableResult
    func remove() -> Int32 {
        unsafe unlinkat(base, name, 0) == 0 ? 0 : errno
    }
}
