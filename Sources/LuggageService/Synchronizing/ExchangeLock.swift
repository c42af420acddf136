internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A lock that keeps a second program from exchanging facts of a record while it exists.
///
/// Two that exchange facts of one record at once would each take the other for a copy of it. The file that
/// stays behind locks nothing.
package final class ExchangeLock: Sendable {
    /// What the name of the file adds to the name of the record's file.
    package static let suffix = "-hub-lock"

    private let lock: FileLock

    /// Locks the exchange of a record's facts.
    ///
    /// - Parameter record: The path of the record, which exists.
    /// - Throws: ``ExchangeInUse``, or ``FilingError`` if the file cannot be made.
    package init(ofRecordAt record: String) throws {
        let path = Self.path(record)
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw FilingError(errno, "\(path.onOneLine) cannot be made") }
        let number = filing_lock(descriptor)
        if number != 0 {
            defer { close(descriptor) }
            if number == EAGAIN { throw ExchangeInUse(owner: LockWords(of: descriptor).owner) }
            throw FilingError(number, "\(path.onOneLine) cannot be locked")
        }
        lock = FileLock(adopting: descriptor)
        Self.share(descriptor, with: record)
        ftruncate(descriptor, 0)
        let owner = "process \(getpid()) on \(ProcessInfo.processInfo.hostName)"
        _ = LockWords(owner: owner).ownerLine.writeAll(to: descriptor)
    }

    /// Returns who exchanges facts of a record; takes no lock.
    ///
    /// - Parameter record: The path of the record.
    /// - Returns: Their words for themselves; nil if nobody does.
    package static func owner(ofRecordAt record: String) -> String? {
        let descriptor = unsafe open(path(record), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return filing_is_locked(descriptor) == 1 ? LockWords(of: descriptor).owner : nil
    }

    /// Lets those use the file who may use the record, also if it was made by root.
    private static func share(_ descriptor: Int32, with record: String) {
        var status = stat()
        guard unsafe stat(record, &status) == 0 else { return }
        if geteuid() == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
        // A file that belongs to another user stays as it is.
        _ = fchmod(descriptor, status.st_mode & 0o666)
    }

    /// The file that others lock too, whatever links lead to the record.
    private static func path(_ record: String) -> String {
        record.behindLinks + suffix
    }
}

/// The error if another program exchanges facts of the record.
package struct ExchangeInUse: Error {
    /// Who does: `process 4711 on scanner-3`.
    package let owner: String
}
