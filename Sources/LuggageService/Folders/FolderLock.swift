internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A lock that keeps a second service away from a watched folder while it exists.
///
/// The file that stays behind locks nothing. While the lock is held, the file says who holds it, and whether
/// filing has paused.
package final class FolderLock: Sendable {
    /// The name of the lock file; it is hidden, so the file is never taken for a picture.
    static let name = ".luggage-watch.lock"

    let folder: String
    private let lock: FileLock
    private var descriptor: Int32 { lock.descriptor }
    private let owner = "process \(getpid()) on \(FolderLock.hostName)"

    /// Locks a folder.
    ///
    /// - Parameter folder: The watched folder, which exists.
    /// - Throws: ``FolderInUse``, or ``FilingError`` if the file cannot be made.
    package init(folder: String) throws {
        self.folder = folder
        lock = FileLock(adopting: try Self.lockedFile(in: folder))
        Self.shareForReading(descriptor)
        ftruncate(descriptor, 0)
        _ = LockWords(owner: owner).ownerLine.writeAll(to: descriptor)
    }

    /// Writes into the file whether and why filing has paused, and what is left in dropped folders.
    ///
    /// It writes to the open file, even if another file has its name by now. If it cannot write that, the
    /// file says only who has the lock.
    ///
    /// - Parameters:
    ///   - pause: Why filing has paused; nil if it has not.
    ///   - left: What is left, one line each.
    func tell(pause: FilingPause?, left: [String] = []) {
        // A full disk may have room only for the pause.
        for left in [left, []] {
            let words = LockWords(owner: owner, pause: pause, left: left)
            let bytes = words.bytes
            if bytes.count == words.ownerLine.count { break }
            if unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count {
                ftruncate(descriptor, off_t(bytes.count))
                return
            }
        }
        ftruncate(descriptor, off_t(LockWords(owner: owner).ownerLine.count))
    }

    /// Whether the locked file is the one that others would find.
    var isInPlace: Bool {
        guard let home = LockFolder.find(for: folder) else { return false }
        return Self.place(in: home).has(descriptor)
    }

    /// Opens the file and locks it.
    private static func lockedFile(in folder: String) throws -> Int32 {
        let home = try LockFolder.make(for: folder)
        let place = place(in: home)
        let path = place.path.displayText
        for _ in 0..<mostTries {
            let descriptor = try open(place)
            switch filing_lock(descriptor) {
            case 0:
                // A file that was replaced meanwhile locks nothing.
                if place.has(descriptor) { return descriptor }
            case EAGAIN where filing_is_locked(descriptor) == 1:
                defer { close(descriptor) }
                throw FolderInUse(folder: folder, owner: LockWords(of: descriptor).owner)
            case EAGAIN:
                defer { close(descriptor) }
                if let other = try replace(descriptor, in: home) { return other }
                // Another service is about to have it.
                usleep(10_000)
                continue
            case let number:
                close(descriptor)
                throw FilingError(number, "\(path) cannot be locked")
            }
            close(descriptor)
        }
        throw FilingError(EAGAIN, "\(path) cannot be locked")
    }

    /// The most tries: each may find that the file was replaced at the moment of locking.
    private static let mostTries = 100

    private static func open(_ place: FilePlace) throws(FilingError) -> Int32 {
        let path = place.path.displayText
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = unsafe openat(place.base, place.name, flags, 0o600)
        guard descriptor >= 0 else { throw FilingError(errno, "\(path) cannot be made") }
        guard let status = FileStatus(of: descriptor), status.linkCount <= 1 else {
            close(descriptor)
            // Writing to it would overwrite a file that someone has linked to this name.
            throw FilingError(
                EMLINK,
                "\(path) is another file's name too",
                remedy: "remove it"
            )
        }
        return descriptor
    }

    /// Replaces a lock file that someone holds for reading by another one, which it locks.
    ///
    /// A service would hold it for writing, for which it needs write permission. Everyone who may open
    /// the folder may read the file, since it tells them who watches the folder. The new file always has
    /// the same temporary name, and nobody else may open it until it is in place. So only the process that
    /// has locked it replaces anything, and the next process uses what a killed one left.
    ///
    /// - Parameters:
    ///   - held: The file that is held.
    ///   - home: The folder that it is in.
    /// - Returns: The new file; nil if another process is doing the same, or was quicker.
    /// - Throws: ``FilingError`` if it cannot be replaced.
    private static func replace(
        _ held: Int32,
        in home: HeldFolder
    ) throws(FilingError) -> Int32? {
        let place = place(in: home)
        let temporary = FilePlace(Array("\(name)-new".utf8), in: home)
        let descriptor = try open(temporary)
        var number = filing_lock(descriptor)
        if number == 0, temporary.has(descriptor) {
            if place.has(held) {
                number = temporary.replace(place)
                if number == 0 { return descriptor }
            }
            temporary.remove()
        }
        close(descriptor)
        if number != 0 && number != EAGAIN {
            throw FilingError(number, "\(place.path.displayText) cannot be replaced")
        }
        return nil
    }

    /// Lets everyone read who has the lock, and nobody else take it.
    private static func shareForReading(_ descriptor: Int32) {
        // A file that belongs to another user stays as it is.
        _ = fchmod(descriptor, 0o644)
    }

    private static func place(in home: HeldFolder) -> FilePlace {
        FilePlace(Array(name.utf8), in: home)
    }

    /// Returns who has locked a folder.
    ///
    /// - Parameter folder: The watched folder.
    /// - Returns: The owner's words for itself; nil if nobody has locked it.
    static func owner(of folder: String) -> String? { words(in: folder)?.owner }

    /// Reads what the owner of a folder's lock says.
    ///
    /// - Parameter folder: The watched folder.
    /// - Returns: Its words; nil if nobody has locked it.
    static func words(in folder: String) -> LockWords? {
        guard let home = LockFolder.find(for: folder) else { return nil }
        let descriptor = place(in: home).open()
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Only asks, and takes no lock: a service may be starting at this moment.
        return filing_is_locked(descriptor) == 1 ? LockWords(of: descriptor) : nil
    }

    private static var hostName: String { ProcessInfo.processInfo.hostName }
}

/// The error if another service watches the folder.
package struct FolderInUse: Error, CustomStringConvertible {
    /// The watched folder.
    package let folder: String
    /// Who watches it: `process 4711 on scanner-3`.
    package let owner: String
    /// Whether they watch the folder above, and put what they have filed into this one.
    package let isForFiled: Bool

    init(folder: String, owner: String, isForFiled: Bool = false) {
        self.folder = folder
        self.owner = owner
        self.isForFiled = isForFiled
    }

    /// What is wrong and what to do about it.
    package var description: String {
        if isForFiled {
            return
                "\(folder.onOneLine) is where \(owner) puts the pictures that it has filed, and "
                + "you would file them again; watch another folder"
        }
        return
            "\(folder.onOneLine) is watched by \(owner) already; stop that service first, or watch "
            + "another folder"
    }
}
