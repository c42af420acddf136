/// What the index of a write-ahead log says of the log, for those who look at the files past SQLite.
///
/// The layout is that of https://www.sqlite.org/walformat.html#the_wal_index_file_format. It is in the
/// byte order of the machine, which is little-endian wherever this program is built.
struct LogIndex: Equatable {
    /// The byte of the index that is locked by whoever writes.
    static let writeLock = 120
    /// An index has blocks of this many bytes.
    static let blockSize = 32768

    /// How many bytes a page of the database has.
    let pageSize: Int
    /// How many frames of the log are of transactions that have ended.
    let frames: Int
    /// How many pages the database has, those in the log included.
    let pages: Int
    /// How many frames have been brought into the file.
    let merged: Int
    private let checksum: [UInt8]
    private let salt: [UInt8]

    /// Reads an index; nil where it is being written, or is none.
    init?(_ file: FileHold) {
        guard let bytes = file.bytes(136), bytes.count == 136, bytes[..<48] == bytes[48..<96]
        else { return nil }
        func number(_ offset: Int) -> Int {
            Int(bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        guard number(0) == Self.version, bytes[12] != 0 else { return nil }
        let size = Int(bytes[14]) | Int(bytes[15]) << 8
        // The greatest size does not fit.
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

    /// Whether everything is in a log that must be there.
    ///
    /// The beginning and the end are looked at: who cuts a log, and goes on writing to it, leaves a hole.
    func agrees(with log: FileHold) -> Bool {
        if frames == 0 { return true }
        let last = Self.headerSize + (frames - 1) * (Self.frameHeaderSize + pageSize)
        guard let header = log.bytes(Self.headerSize), header.count == Self.headerSize,
            let frame = log.bytes(Self.frameHeaderSize, at: last),
            frame.count == Self.frameHeaderSize,
            let size = log.size, size >= last + Self.frameHeaderSize + pageSize
        else { return false }
        // Numbers of the log itself are big-endian; the salt is no number.
        let expected = [0, 4].flatMap { checksum[$0..<$0 + 4].reversed() }
        return Array(header[16..<24]) == salt && Array(frame[8..<16]) == salt
            && Array(frame[16..<24]) == expected
    }

    /// Whether everything that was in the log is in the file, so that nobody has anything to write to it.
    var isMerged: Bool { merged >= frames }

    /// Whether the file has all pages that must be in it, and says so.
    ///
    /// Whoever begins without anything in the log knows of no page.
    func agrees(withSize size: Int, header: [UInt8]) -> Bool {
        !isMerged || pages == 0
            || size >= pages * pageSize && SQLiteFileHeader.pages(in: header) == pages
    }
}
