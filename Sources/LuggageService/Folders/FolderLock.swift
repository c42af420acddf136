internal import CLinux
internal import Foundation
internal import LuggageTags
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// Keeps a second service away from a watched folder, for as long as it exists.
///
/// The lock belongs to the open file and not to the process, so it ends with this one whatever happens,
/// and the file that stays behind holds nothing. While it is held, the file says who holds it, and
/// whether filing has paused.
package final class FolderLock: Sendable {
    /// The file; its name is hidden, so it is never taken for a picture.
    static let name = ".luggage-watch.lock"

    let folder: String
    private let descriptor: Int32
    private let owner = "process \(getpid()) on \(FolderLock.hostName)"

    /// Locks a folder.
    ///
    /// - Parameter folder: The watched folder, which exists.
    /// - Throws: ``FolderInUse``, or ``FilingError`` where the file cannot be made.
    package init(folder: String) throws {
        self.folder = folder
        descriptor = try Self.lockedFile(in: folder)
        Self.shareForReading(descriptor)
        ftruncate(descriptor, 0)
        _ = LockWords(owner: owner).ownerLine.writeAll(to: descriptor)
    }

    deinit {
        filing_unlock(descriptor)
        close(descriptor)
    }

    /// Says in the file why filing has paused, or that it has not, and what is left in dropped folders.
    ///
    /// That is written to the open file, whatever has its name by now. Where it cannot be written, the
    /// file says who has the lock, and no more.
    ///
    /// - Parameters:
    ///   - pause: Why it has paused; nil where it has not.
    ///   - left: What is left, in a line for each.
    func tell(pause: FilingPause?, left: [String] = []) {
        // A full disk may have room for no more than the first.
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

    /// Whether the file that is locked is the one that others would find.
    var isInPlace: Bool {
        guard let home = LockFolder.find(for: folder) else { return false }
        return Self.isInPlace(descriptor, at: Self.place(in: home))
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
                // One that was replaced meanwhile holds nothing.
                if isInPlace(descriptor, at: place) { return descriptor }
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

    /// As often the file may be another one at the moment in which it is locked.
    private static let mostTries = 100

    private static func open(_ place: FilePlace) throws(FilingError) -> Int32 {
        let path = place.path.displayText
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = unsafe openat(place.base, place.name, flags, 0o600)
        guard descriptor >= 0 else { throw FilingError(errno, "\(path) cannot be made") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            close(descriptor)
            // What is written to it would overwrite what somebody has given this name to.
            throw FilingError(
                EMLINK,
                "\(path) is another file's name too",
                remedy: "remove it"
            )
        }
        return descriptor
    }

    /// Puts another file, which is locked, in the place of one that somebody holds for reading.
    ///
    /// That is no service: it would hold it for writing, which takes the right to write to it. Whoever
    /// may look into the folder may read the file, as this tells them who watches it. The other file has
    /// one name, whoever makes it, and nobody else may open it until it is in place: so only who has
    /// locked it replaces anything, and what a killed one has left of it is used by the next.
    ///
    /// - Parameters:
    ///   - held: The file that is held.
    ///   - home: The folder that it is in.
    /// - Returns: The other file; nil where somebody else is doing that, or was quicker.
    /// - Throws: ``FilingError`` where that cannot be done.
    private static func replace(
        _ held: Int32,
        in home: HeldFolder
    ) throws(FilingError) -> Int32? {
        let place = place(in: home)
        let temporary = FilePlace(Array("\(name)-new".utf8), in: home)
        let descriptor = try open(temporary)
        var number = filing_lock(descriptor)
        if number == 0, isInPlace(descriptor, at: temporary) {
            if isInPlace(held, at: place) {
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

    /// Lets everybody see who has the lock, and nobody else have it.
    private static func shareForReading(_ descriptor: Int32) {
        // One that belongs to another user stays as it is.
        _ = fchmod(descriptor, 0o644)
    }

    private static func isInPlace(_ descriptor: Int32, at place: FilePlace) -> Bool {
        let found = place.identity
        return found != nil && found == FileIdentity(of: descriptor)
    }

    private static func place(in home: HeldFolder) -> FilePlace {
        FilePlace(Array(name.utf8), in: home)
    }

    /// Who has locked a folder.
    ///
    /// - Parameter folder: The watched folder.
    /// - Returns: Their words for themselves; nil where nobody has.
    static func owner(of folder: String) -> String? { words(in: folder)?.owner }

    /// What the one says who has locked a folder.
    ///
    /// - Parameter folder: The watched folder.
    /// - Returns: Their words; nil where nobody has.
    static func words(in folder: String) -> LockWords? {
        guard let home = LockFolder.find(for: folder) else { return nil }
        let descriptor = place(in: home).open()
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Asking must not keep a service that starts at this moment from having it.
        return filing_is_locked(descriptor) == 1 ? LockWords(of: descriptor) : nil
    }

    private static var hostName: String { ProcessInfo.processInfo.hostName }
}

/// Another service watches the folder.
public struct FolderInUse: Error, CustomStringConvertible {
    /// The watched folder.
    public let folder: String
    /// Who watches it: `process 4711 on scanner-3`.
    public let owner: String
    /// Whether they watch the one above it, and put into this one what they have filed.
    public let isForFiled: Bool

    init(folder: String, owner: String, isForFiled: Bool = false) {
        self.folder = folder
        self.owner = owner
        self.isForFiled = isForFiled
    }

    /// What to do about it.
    public var description: String {
        if isForFiled {
            return
                "\(folder.onOneLine) is where \(owner) puts what it has filed, and that would be "
                + "filed again; watch another folder"
        }
        return
            "\(folder.onOneLine) is watched by \(owner) already; stop that service first, or watch "
            + "another folder"
    }
}
