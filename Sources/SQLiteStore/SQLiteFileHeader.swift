internal import Foundation
internal import ObjectStore

#if canImport(Glibc)
internal import Glibc
#endif

/// What the first bytes of a file say, read without opening it as a database, so that a file of
/// somebody else is left untouched.
///
/// The layout is that of https://www.sqlite.org/fileformat2.html#the_database_header.
enum SQLiteFileHeader: Equatable {
    case missing
    case empty
    case other
    case database(applicationID: UInt32, version: UInt32)

    /// The mark of a store: `OBST` in ASCII.
    static let applicationID: UInt32 = 0x4F42_5354

    /// The version of the layout of tables; grows when an older program could not cope.
    ///
    /// Version 2 has a history, and its model as JSON; version 1 is brought up to it when it is opened
    /// for writing, and read as it is otherwise.
    static let formatVersion: UInt32 = 2

    init(path: String) throws {
        guard let bytes = try Self.firstBytes(of: path) else {
            self = .missing
            return
        }
        if bytes.isEmpty {
            self = .empty
        } else if bytes.count == 100, bytes.starts(with: "SQLite format 3\0".utf8) {
            func number(at offset: Int) -> UInt32 {
                bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
            }
            self = .database(applicationID: number(at: 68), version: number(at: 60))
        } else {
            self = .other
        }
    }

    /// The beginning of a file, or nil where there is none.
    private static func firstBytes(of path: String) throws -> [UInt8]? {
        // A FIFO would keep an open without O_NONBLOCK waiting.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw unreadable(path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw StoreError(.cannotOpen, "\(path) is \(kind); name a file")
        }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        guard count >= 0 else { throw unreadable(path) }
        return Array(bytes.prefix(count))
    }

    private static func unreadable(_ path: String) -> StoreError {
        let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        return StoreError(
            .cannotOpen,
            "\(path) cannot be read: \(error.localizedDescription)",
            underlying: error
        )
    }

    /// Whether the file is still to be made a store.
    var isEmpty: Bool { self == .missing || self == .empty }

    /// Refuses what is no store that this program can use.
    func check(path: String) throws {
        switch self {
        case .missing, .empty: return
        case .other:
            throw StoreError(
                .damaged,
                "\(path) is not a database, or its beginning is damaged; name another file, or put a "
                    + "backup in its place"
            )
        case .database(let applicationID, let version):
            guard applicationID == Self.applicationID else {
                throw StoreError(
                    .foreign,
                    "\(path) is a database of another program; name another file"
                )
            }
            guard version <= Self.formatVersion else {
                throw StoreError(
                    .incompatible,
                    "\(path) was written by a newer version of this program (format \(version), known "
                        + "up to \(Self.formatVersion)); use that version"
                )
            }
        }
    }
}
