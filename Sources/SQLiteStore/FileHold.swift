internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import Synchronization
internal import SystemSupport

/// A file that this process reads without SQLite, and keeps open while a store uses it.
///
/// A process that closes a file loses all its locks on it, even if other code took them
/// (https://www.sqlite.org/howtocorrupt.html, 2.2). SQLite would continue as if it had them, and
/// another process could remove the log that it uses. So the process opens a file once for all its
/// stores, and closes it when the last of them has released it.
final class FileHold: Sendable {
    private struct Use {
        var descriptors: [Int32] = []
        /// The one of them that was opened for writing.
        var writable: Int32?
        /// Whether a store of this process keeps others out.
        var isAlone = false
        var count = 0
        /// How many of them use no locks of SQLite.
        var lockFree = 0
        /// What is to be closed when all of them use none.
        var closings: [@Sendable () -> Void] = []
        /// The files that are to stay open as long as this one.
        var companions: [FileIdentity: FileHold] = [:]
        /// By which name it is open, and in how many stores.
        var name: (name: StoreName, count: Int)?

        /// Closes what waits, if nobody uses locks.
        mutating func closeIfLockFree() {
            guard lockFree == count else { return }
            for close in closings { close() }
            closings = []
        }
    }

    private static let uses = Mutex<[FileIdentity: Use]>([:])

    private let descriptor: Int32
    /// The identity of the file, under any name.
    let identity: FileIdentity
    private let isLockFree = Atomic(false)
    /// Whether a store has it open by a name.
    private let isUsed = Atomic(false)

    /// Opens a regular file; nil if there is none.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isMade: Whether to make an empty file if there is none, so that it is held before SQLite
    ///     opens it. If that fails, SQLite will report why.
    /// - Throws: ``StoreError`` if it cannot be read or is not a regular file.
    init?(path: String, isMade: Bool) throws {
        let held = try Self.uses.withLock { uses -> (Int32, FileIdentity)? in
            if let identity = FileStatus(at: path)?.identity,
                let descriptor = uses[identity]?.descriptors.first
            {
                uses[identity]?.count += 1
                return (descriptor, identity)
            }
            guard let (descriptor, identity) = try Self.open(path, isMade) else { return nil }
            // If the path was changed before the file was opened, the file may be one that is
            // already held.
            uses[identity, default: Use()].descriptors.append(descriptor)
            uses[identity, default: Use()].count += 1
            return (descriptor, identity)
        }
        guard let held else { return nil }
        (descriptor, identity) = held
    }

    /// Holds a file that another store of this process already holds; nil if none does.
    init?(heldAt path: String) {
        let held = Self.uses.withLock { uses -> (Int32, FileIdentity)? in
            guard let identity = FileStatus(at: path)?.identity,
                let descriptor = uses[identity]?.descriptors.first
            else { return nil }
            uses[identity]?.count += 1
            return (descriptor, identity)
        }
        guard let held else { return nil }
        (descriptor, identity) = held
    }

    deinit {
        endUse()
        // Its companions are released without the lock, which they need.
        let unused = Self.uses.withLock { uses -> Use? in
            uses[identity]?.count -= 1
            if isLockFree.load(ordering: .relaxed) { uses[identity]?.lockFree -= 1 }
            uses[identity]?.closeIfLockFree()
            guard let use = uses[identity], use.count == 0 else { return nil }
            uses[identity] = nil
            return use
        }
        for descriptor in unused?.descriptors ?? [] { close(descriptor) }
    }

    /// Whether a store of this process has a file open: who opens and closes it too takes its locks away.
    static func isHeld(_ identity: FileIdentity) -> Bool { uses.withLock { $0[identity] != nil } }

    /// Keeps another file open as long as any store of this process uses this one.
    ///
    /// The stores that only read hold no index of the log, and have locks on it all the same.
    func keepOpen(_ companion: FileHold) {
        Self.uses.withLock { uses in
            // One that is kept stays: it could not be released here, where it would need the lock.
            guard uses[identity]?.companions[companion.identity] == nil else { return }
            uses[identity]?.companions[companion.identity] = companion
        }
    }

    /// Opens it by a name, unless a store of this process has it open by another one.
    func use(as name: StoreName) -> Bool {
        Self.uses.withLock { uses in
            let used = uses[identity]?.name
            guard used == nil || used?.name == name else { return false }
            uses[identity]?.name = (name, (used?.count ?? 0) + 1)
            isUsed.store(true, ordering: .relaxed)
            return true
        }
    }

    /// Says that the store which has this has closed it.
    func endUse() {
        Self.uses.withLock { uses in
            guard isUsed.exchange(false, ordering: .relaxed) else { return }
            guard let used = uses[identity]?.name else { return }
            uses[identity]?.name = used.count > 1 ? (used.name, used.count - 1) : nil
        }
    }

    /// Says that the store which has this uses no locks of SQLite on the file.
    func useNoLocks() {
        Self.uses.withLock { uses in
            guard !isLockFree.exchange(true, ordering: .relaxed) else { return }
            uses[identity]?.lockFree += 1
            uses[identity]?.closeIfLockFree()
        }
    }

    /// Closes what knows nothing of other connections to the file, as soon as no store of this process uses locks on it.
    func closeWithoutLocks(_ close: @escaping @Sendable () -> Void) {
        Self.uses.withLock { uses in
            uses[identity]?.closings.append(close)
            uses[identity]?.closeIfLockFree()
        }
    }

    /// Reads bytes of the file, fewer at its end; nil if it cannot be read.
    func bytes(_ count: Int, at offset: Int = 0) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// What the system tells about the file; nil if it tells nothing.
    var status: FileStatus? { FileStatus(of: descriptor) }

    /// The size in bytes; nil if the system does not tell.
    var size: Int? { status?.byteCount }

    /// The time of the last write; nil if the system does not tell.
    var modified: FileTime? { status?.modified }

    /// The process that has locked a byte of the file, 0 if it has no number here; nil if no other process has.
    func owner(ofLockAt offset: Int) -> pid_t? {
        lock(from: off_t(offset), 1).map(\.process)
    }

    /// What another process has locked of a part of the file; nil if none has.
    ///
    /// The process has no number here, but 0, if it is in another container or on another machine.
    private func lock(from start: off_t, _ size: off_t) -> (process: pid_t, isExclusive: Bool)? {
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (start, size)
        let result = unsafe withUnsafeMutablePointer(to: &lock) {
            unsafe fcntl(descriptor, F_GETLK, UnsafeMutableRawPointer($0))
        }
        guard result == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return (max(0, lock.l_pid), lock.l_type == Int16(F_WRLCK))
    }

    /// The path by which a process has the file open; nil if that is not to be found.
    func path(in process: pid_t) -> String? {
        let folder = "/proc/\(process)/fd"
        var path: String?
        _ = FolderEntry.forEach(at: Array(folder.utf8)) { entry in
            let link = "\(folder)/\(entry.name.pathText)"
            if FileStatus(at: link)?.identity == identity { path = link.linkTarget }
            return path == nil
        }
        return path
    }

    // MARK: SQLite's locks

    /// The bytes that each connection of a process keeps locked for reading while it has the file open.
    ///
    /// See `SHARED_FIRST` and `SHARED_SIZE` in SQLite's `os_unix.c`.
    private static let sharedLock = (start: off_t(0x4000_0002), size: off_t(510))

    /// How another process has the file open; nil if none has, or only without locks.
    var lockOfOthers: (process: pid_t, isExclusive: Bool)? {
        lock(from: Self.sharedLock.start, Self.sharedLock.size)
    }

    /// Makes all other processes wait that open the file, if none has it open now.
    ///
    /// The lock that SQLite has for this process becomes one for writing. This is one step, and locks
    /// belong to a process, so SQLite itself need not know.
    ///
    /// - Returns: Whether it has succeeded, which it does for one store of a process at a time; call
    ///   ``letOthersIn()`` then.
    func keepOthersOut() -> Bool {
        Self.uses.withLock { uses in
            guard uses[identity]?.isAlone == false, turnSharedLock(into: F_WRLCK, &uses) else {
                return false
            }
            uses[identity]?.isAlone = true
            return true
        }
    }

    /// Makes the lock one for reading again, as SQLite believes it to be.
    func letOthersIn() {
        Self.uses.withLock { uses in
            _ = turnSharedLock(into: F_RDLCK, &uses)
            uses[identity]?.isAlone = false
        }
    }

    private func turnSharedLock(into type: Int32, _ uses: inout [FileIdentity: Use]) -> Bool {
        guard let descriptor = writableDescriptor(&uses) else { return false }
        var lock = Glibc.flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = Self.sharedLock
        return unsafe withUnsafeMutablePointer(to: &lock) {
            unsafe fcntl(descriptor, F_SETLK, UnsafeMutableRawPointer($0)) == 0
        }
    }

    /// A descriptor for writing, which stays open as long as the others.
    private func writableDescriptor(_ uses: inout [FileIdentity: Use]) -> Int32? {
        if let writable = uses[identity]?.writable { return writable }
        // The same file, even if it was moved.
        let path = "/proc/self/fd/\(descriptor)"
        let writable = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard writable >= 0 else { return nil }
        uses[identity]?.writable = writable
        uses[identity]?.descriptors.append(writable)
        return writable
    }

    private static func open(_ path: String, _ isMade: Bool) throws -> (Int32, FileIdentity)? {
        // Without O_NONBLOCK, opening a FIFO would block.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        var descriptor = unsafe Glibc.open(path, flags)
        if descriptor < 0 {
            guard errno == ENOENT else { throw unreadable(path) }
            guard isMade else { return nil }
            // The same permissions as SQLite uses.
            descriptor = unsafe Glibc.open(path, flags | O_CREAT, 0o644)
            if descriptor < 0 { return nil }
        }
        guard let status = FileStatus(of: descriptor) else {
            defer { close(descriptor) }
            throw unreadable(path)
        }
        guard status.kind == .file else {
            close(descriptor)
            let kind = status.kind == .folder ? "a folder" : "not a regular file"
            throw StoreError(.cannotOpen, "\(path) is \(kind); name a file")
        }
        return (descriptor, status.identity)
    }

    /// The error for a file that cannot be read, from the system's last error.
    static func unreadable(_ path: String) -> StoreError {
        let number = errno
        let reason = describe(errorNumber: number)
        return StoreError(
            .cannotOpen,
            "\(path) cannot be read: \(reason); check its permissions and the disk",
            underlying: POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
        )
    }
}
