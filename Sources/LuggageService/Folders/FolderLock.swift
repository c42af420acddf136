internal import CFiling
internal import Foundation
internal import LuggageTags
internal import SystemCalls

#if canImport(Glibc)
internal import Glibc
#endif

/// Keeps a second service away from a watched folder, for as long as it exists.
///
/// The lock belongs to the open file and not to the process, so it ends with this one whatever happens,
/// and the file that stays behind holds nothing.
package final class FolderLock: Sendable {
    /// The file in the watched folder; its name is hidden, so it is never taken for a picture.
    static let name = ".luggage-watch.lock"

    let folder: String
    private let descriptor: Int32

    /// Locks a folder.
    ///
    /// - Parameter folder: The watched folder, which exists.
    /// - Throws: ``FolderInUse``, or ``FilingError`` where the file cannot be made.
    package init(folder: String) throws {
        self.folder = folder
        let path = Self.path(in: folder)
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = unsafe open(path, flags, 0o644)
        guard descriptor >= 0 else { throw FilingError(errno, "\(path) cannot be made") }
        let number = filing_lock(descriptor)
        guard number == 0 else {
            // What is thrown here ends the lock, which closes the file.
            if number != EAGAIN { throw FilingError(number, "\(path) cannot be locked") }
            throw FolderInUse(folder: folder, owner: Self.owner(descriptor))
        }
        let words = Array("process \(getpid()) on \(Self.hostName)\n".utf8)
        ftruncate(descriptor, 0)
        _ = words.writeAll(to: descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// Whether the file that is locked is the one that others would find in the folder.
    var isInPlace: Bool {
        let found = FileIdentity(at: Self.path(in: folder), followsLinks: false)
        return found != nil && found == FileIdentity(of: descriptor)
    }

    private static func path(in folder: String) -> String { "\(folder)/\(name)" }

    /// Who has locked a folder.
    ///
    /// - Parameter folder: The watched folder.
    /// - Returns: Their words for themselves; nil where nobody has.
    static func owner(of folder: String) -> String? {
        let descriptor = unsafe open(
            path(in: folder),
            O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        )
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Asking must not keep a service that starts at this moment from having it.
        return filing_is_locked(descriptor) == 1 ? owner(descriptor) : nil
    }

    private static func owner(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let line = words.split(separator: "\n").first.map { String($0).onOneLine }
        return line ?? "another process"
    }

    private static var hostName: String { ProcessInfo.processInfo.hostName }
}

/// Another service watches the folder.
public struct FolderInUse: Error, CustomStringConvertible {
    /// The watched folder.
    public let folder: String
    /// Who watches it: `process 4711 on scanner-3`.
    public let owner: String

    /// What to do about it.
    public var description: String {
        "\(folder.onOneLine) is watched by \(owner) already; stop that service first, or watch "
            + "another folder"
    }
}
