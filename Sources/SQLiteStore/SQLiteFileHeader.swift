internal import ObjectStore

/// The first bytes of a file, read without opening it as a database.
///
/// So a file of another program stays untouched. The layout is that of
/// https://www.sqlite.org/fileformat2.html#the_database_header.
enum SQLiteFileHeader: Equatable {
    case missing
    case empty
    case other
    case database(applicationID: UInt32, version: UInt32)

    /// The mark of a store: `OBST` in ASCII.
    static let applicationID: UInt32 = 0x4F42_5354

    /// The version of the table layout; it grows when an older program could not read the store.
    ///
    /// Version 2 has a history, and its model as JSON. Version 3 counts dates from 2001. An older store
    /// is upgraded when it is opened for writing, to version 3 if no other process has it open;
    /// otherwise it is read as it is.
    static let formatVersion: UInt32 = 3

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - file: The file; nil if there is none.
    ///   - path: Its path, for errors.
    /// - Throws: ``StoreError`` if it cannot be read.
    init(_ file: FileHold?, path: String) throws {
        guard let file else {
            self = .missing
            return
        }
        guard let bytes = file.bytes(Self.size) else { throw FileHold.unreadable(path) }
        if bytes.isEmpty {
            self = .empty
        } else if bytes.count == Self.size, bytes.starts(with: "SQLite format 3\0".utf8) {
            self = .database(
                applicationID: Self.number(at: 68, in: bytes),
                version: Self.number(at: 60, in: bytes)
            )
        } else {
            self = .other
        }
    }

    /// The size of the header in bytes.
    static let size = 100

    private static func number(at offset: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether commits go to a write-ahead log first.
    ///
    /// They do if a program has saved since the file was made or copied.
    static func usesLog(_ file: FileHold) -> Bool {
        file.bytes(2, at: 18)?.contains(2) ?? false
    }

    /// Whether the bytes are the header of a store that is open for writing.
    static func isInUse(_ bytes: [UInt8]) -> Bool {
        bytes.count == size && bytes.starts(with: "SQLite format 3\0".utf8)
            && bytes[18...19].elementsEqual([2, 2])
    }

    /// The number of pages according to the header.
    static func pages(in bytes: [UInt8]) -> Int { Int(number(at: 28, in: bytes)) }

    /// Whether the file has yet to be made a store.
    var isEmpty: Bool { self == .missing || self == .empty }

    /// Rejects a file that is not a store for this program.
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
