internal import Foundation
internal import ObjectStore
internal import Synchronization
internal import SystemCalls

#if canImport(Glibc)
internal import Glibc
#endif

/// A file of this process that is read past SQLite, and stays open for as long as a store has it.
///
/// A process that closes a file loses all its locks on it, whoever has taken them
/// (https://www.sqlite.org/howtocorrupt.html, 2.2). SQLite would go on as if it had them, and another
/// process would take the log away from under it. So a file is opened once for all stores of the
/// process, and closed when none of them has it any more.
final class FileHold: Sendable {
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private struct Use {
        var descriptors: [Int32] = []
        var count = 0
    }

    private static let uses = Mutex<[Identity: Use]>([:])

    private let descriptor: Int32
    private let identity: Identity

    /// Opens a regular file, or gives nil where there is none.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isMade: Whether an empty one is made where there is none, so that it is held before SQLite
    ///     opens it. Where that fails, SQLite will say why.
    /// - Throws: ``StoreError`` where it cannot be read or is something else.
    init?(path: String, isMade: Bool) throws {
        let held = try Self.uses.withLock { uses in
            var status = stat()
            if unsafe stat(path, &status) == 0,
                let descriptor = uses[Identity(status)]?.descriptors.first
            {
                uses[Identity(status)]?.count += 1
                return (descriptor, Identity(status))
            }
            guard let (descriptor, status) = try Self.open(path, isMade) else {
                return (Int32(-1), Identity(status))
            }
            // In another place by the time it was opened, it may be one that is held.
            uses[Identity(status), default: Use()].descriptors.append(descriptor)
            uses[Identity(status), default: Use()].count += 1
            return (descriptor, Identity(status))
        }
        guard held.0 >= 0 else { return nil }
        (descriptor, identity) = held
    }

    deinit {
        let unused = Self.uses.withLock { uses -> [Int32] in
            uses[identity]?.count -= 1
            guard let use = uses[identity], use.count == 0 else { return [] }
            uses[identity] = nil
            return use.descriptors
        }
        for descriptor in unused { close(descriptor) }
    }

    /// The first bytes of the file, fewer where it is shorter; nil where it cannot be read.
    func firstBytes(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    private static func open(_ path: String, _ isMade: Bool) throws -> (Int32, stat)? {
        // A FIFO would keep an open without O_NONBLOCK waiting.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        var descriptor = unsafe Glibc.open(path, flags)
        if descriptor < 0 {
            guard errno == ENOENT else { throw unreadable(path) }
            guard isMade else { return nil }
            // With the permissions that SQLite gives.
            descriptor = unsafe Glibc.open(path, flags | O_CREAT, 0o644)
            if descriptor < 0 { return nil }
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            defer { close(descriptor) }
            throw unreadable(path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw StoreError(.cannotOpen, "\(path) is \(kind); name a file")
        }
        return (descriptor, status)
    }

    /// Why a file cannot be read, by the last error of the system.
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
