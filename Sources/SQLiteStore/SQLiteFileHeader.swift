internal import ObjectStore

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

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - file: The file; nil where there is none.
    ///   - path: Its path, for errors.
    /// - Throws: ``StoreError`` where it cannot be read.
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

    /// How many bytes it has.
    static let size = 100

    private static func number(at offset: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether what is saved goes into a write-ahead log first, as it does wherever somebody has saved
    /// since the file was made or copied.
    static func usesLog(_ file: FileHold) -> Bool {
        file.bytes(2, at: 18)?.contains(2) ?? false
    }

    /// Whether a file begins as a store does that somebody has open for writing.
    static func isInUse(_ bytes: [UInt8]) -> Bool {
        bytes.count == size && bytes.starts(with: "SQLite format 3\0".utf8)
            && bytes[18...19].elementsEqual([2, 2])
    }

    /// How many pages a file says that it has.
    static func pages(in bytes: [UInt8]) -> Int { Int(number(at: 28, in: bytes)) }

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
