/// The index of a write-ahead log, for checking the files without SQLite.
///
/// The layout is that of https://www.sqlite.org/walformat.html#the_wal_index_file_format. It is in
/// the byte order of the machine, which is little-endian on all platforms of this program.
struct LogIndex: Equatable {
    /// The byte of the index that a writer locks.
    static let writeLock = 120
    /// The byte of the index that everyone keeps locked who uses it: `UNIX_SHM_DMS` in SQLite's `os_unix.c`.
    static let useLock = 128
    /// An index has blocks of this many bytes.
    static let blockSize = 32768

    /// The page size of the database in bytes.
    let pageSize: Int
    /// The number of log frames of finished transactions.
    let frames: Int
    /// The number of pages of the database, including those in the log.
    let pages: Int
    /// The number of frames copied into the database file.
    let merged: Int
    private let checksum: [UInt8]
    private let salt: [UInt8]

    /// Reads an index; nil if it is being written, or is not an index.
    init?(_ file: FileHold) {
        guard let bytes = file.bytes(136), bytes.count == 136, bytes[..<48] == bytes[48..<96]
        else { return nil }
        func number(_ offset: Int) -> Int {
            Int(bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        guard number(0) == Self.version, bytes[12] != 0 else { return nil }
        let size = Int(bytes[14]) | Int(bytes[15]) << 8
        // The greatest size does not fit into 16 bits.
        pageSize = size == 1 ? 65536 : size
        frames = number(16)
        pages = number(20)
        merged = number(96)
        checksum = Array(bytes[24..<32])
        salt = Array(bytes[32..<40])
    }

    private static let version = 3_007_000
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Whether the log contains everything that it must.
    ///
    /// This checks the beginning and the end: a program that truncates a log and then writes to it
    /// leaves a hole.
    func agrees(with log: FileHold) -> Bool {
        if frames == 0 { return true }
        let last = Self.headerSize + (frames - 1) * (Self.frameHeaderSize + pageSize)
        guard let header = log.bytes(Self.headerSize), header.count == Self.headerSize,
            let frame = log.bytes(Self.frameHeaderSize, at: last),
            frame.count == Self.frameHeaderSize,
            let size = log.size, size >= last + Self.frameHeaderSize + pageSize
        else { return false }
        // Numbers of the log itself are big-endian; the salt is not a number.
        let expected = [0, 4].flatMap { checksum[$0..<$0 + 4].reversed() }
        return Array(header[16..<24]) == salt && Array(frame[8..<16]) == salt
            && Array(frame[16..<24]) == expected
    }

    /// Whether the whole log is in the database file, so that nobody needs to write to that.
    var isMerged: Bool { merged >= frames }

    /// Whether the file has all pages that it must have, and its header agrees.
    ///
    /// A process that began with an empty log knows no number of pages.
    func agrees(withSize size: Int, header: [UInt8]) -> Bool {
        !isMerged || pages == 0
            || size >= pages * pageSize && SQLiteFileHeader.pages(in: header) == pages
    }
}
