internal import CLinux
internal import Glibc
internal import SystemSupport

/// A folder that is held open, wherever its path leads by now.
final class HeldFolder: Sendable {
    let descriptor: Int32
    /// The path at which it was opened, for a person.
    let path: String

    /// Takes over an open descriptor; closes it with the last reference.
    init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a folder; follows a link.
    ///
    /// - Throws: ``FilingError``.
    convenience init(at path: String) throws(FilingError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FilingError(errno, "\(path) cannot be opened") }
        self.init(adopting: descriptor, path: path)
    }

    /// Opens the folder at a place; nil if it cannot be opened, and `errno` says why.
    convenience init?(_ place: FilePlace, followsLinks: Bool = false) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = unsafe openat(place.base, place.name, flags)
        guard descriptor >= 0 else { return nil }
        self.init(adopting: descriptor, path: place.path.pathText)
    }

    deinit {
        close(descriptor)
    }

    /// Which folder it is; nil if its status cannot be read.
    var identity: FileIdentity? { status?.identity }

    /// Its status; nil if that cannot be read.
    var status: FileStatus? { FileStatus(of: descriptor) }

    /// Waits until the folder's entries are on the disk.
    ///
    /// - Returns: 0, or the error number.
    func synchronize() -> Int32 {
        fsync(descriptor) == 0 ? 0 : errno
    }
}

/// The place of a file: its name in a held folder, or a path.
struct FilePlace: Sendable {
    private let folder: HeldFolder?
    /// The path, for a person; without a held folder, for the system too.
    let path: [UInt8]

    /// A place in a held folder.
    init(_ name: [UInt8], in folder: HeldFolder) {
        self.folder = folder
        path = Array("\(folder.path)/".utf8) + name
    }

    /// The place to which a path leads at each use.
    init(_ path: [UInt8]) {
        folder = nil
        self.path = path
    }

    /// The directory descriptor for system calls.
    var base: Int32 { folder?.descriptor ?? AT_FDCWD }

    /// The file's name for system calls, relative to ``base``.
    var name: [CChar] { (folder == nil ? path : path.lastComponent).cString }

    /// The status of the file here, without following a link; nil if there is none.
    var status: FileStatus? { FileStatus(of: name, in: base) }

    /// Which file is here, without following a link; nil if there is none.
    var identity: FileIdentity? { status?.identity }

    /// Whether an open file is the one here.
    func has(_ descriptor: Int32) -> Bool {
        let found = identity
        return found != nil && found == FileStatus(of: descriptor)?.identity
    }

    /// The place beside this one with another name.
    func renamed(_ name: [UInt8]) -> FilePlace {
        folder.map { FilePlace(name, in: $0) }
            ?? FilePlace(path.dropLast(path.lastComponent.count) + name)
    }

    /// Opens the file for reading.
    ///
    /// - Returns: The descriptor, or -errno.
    func open() -> Int32 { unsafe filing_open(base, name) }

    /// Moves the file to another place, unless that is taken.
    ///
    /// - Returns: 0, or the error number: `EEXIST` if it is taken.
    func move(to other: FilePlace) -> Int32 {
        unsafe filing_move(base, name, other.base, other.name)
    }

    /// Moves the file to another place, and replaces a file there.
    ///
    /// - Returns: 0, or the error number.
    func replace(_ other: FilePlace) -> Int32 {
        unsafe renameat(base, name, other.base, other.name) == 0 ? 0 : errno
    }

    /// Removes the file.
    ///
    /// - Returns: 0, or the error number.
    @discardableResult
    func remove() -> Int32 {
        unsafe unlinkat(base, name, 0) == 0 ? 0 : errno
    }
}
