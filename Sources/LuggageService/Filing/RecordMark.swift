internal import FoundationEssentials
internal import Glibc
package import ObjectStore
internal import SystemSupport

/// A small file beside the record that tells a service that there was one, and how much was in it.
///
/// The service writes it once a save is on the disk, and never waits for its own write: it may know too
/// little, but never too much.
package struct RecordMark: Sendable {
    /// What it says about the record.
    struct Content: Equatable {
        /// The number of its last save.
        var saves: Int64
        /// Its file, which differs from a copy that is put in its place.
        var file: FileBirth
        /// The write-ahead log beside it; the log itself does not tell which file it belongs to.
        var log: FileBirth?
    }

    package let path: String
    private let record: String

    /// Finds the file.
    ///
    /// - Parameter record: The path of the record.
    package init(of record: String) {
        self.record = record.behindLinks
        path = self.record + Self.suffix
    }

    /// What follows the name of the record.
    package static let suffix = "-known"

    /// Whether a service has had a record there that nobody has removed on purpose.
    package var isThere: Bool { FileStatus(at: path, followsLinks: false) != nil }

    /// Forgets the record, since another one is about to be there.
    package func remove() {
        _ = unsafe unlink(path)
    }

    /// Reads it; nil if it is missing or not understood.
    func read() -> Content? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let words = text.split { !$0.isASCII || !($0.isNumber || $0 == "-") }
        let numbers = words.compactMap { Int64($0) }
        guard numbers.count == 5, let file = Self.file(numbers[1...2]) else { return nil }
        return Content(saves: numbers[0], file: file, log: Self.file(numbers[3...4]))
    }

    private static func file(_ numbers: ArraySlice<Int64>) -> FileBirth? {
        guard let number = numbers.first, let time = numbers.last, number > 0 else { return nil }
        return FileBirth(number: UInt64(number), time: time)
    }

    /// Writes the number of the last save of the record that is there now.
    ///
    /// If the write fails, the loss of later saves goes unnoticed.
    func write(saves: Int64) {
        guard let status = FileStatus(at: record), let file = FileBirth(at: record) else { return }
        let log = FileBirth(at: logPath)
        let descriptor = unsafe open(
            path,
            O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            status.permissions & 0o666
        )
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Like SQLite with its own files: the service must be able to write to what root has made.
        if geteuid() == 0 { _ = fchown(descriptor, status.owner, status.group) }
        // Always the same length, so that it is never half of one text and half of another.
        let text =
            "A record is kept beside this file. Last save \(Self.digits(saves)) of file "
            + "\(Self.digits(file.number)) of \(Self.digits(file.time)) with log "
            + "\(Self.digits(log?.number ?? 0)) of \(Self.digits(log?.time ?? 0)).\n"
        let bytes = Array(text.utf8)
        _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// A number in twenty characters.
    private static func digits(_ number: some BinaryInteger) -> String {
        let number = Int(truncatingIfNeeded: number)
        let digits = String(number.magnitude)
        let sign = number < 0 ? "-" : ""
        return sign + String(repeating: "0", count: 20 - sign.count - digits.count) + digits
    }

    /// Writes the number of the last save unless it is there already.
    ///
    /// A service that tries to open the record again would take its own write for a sign of change.
    func update(saves: Int64) {
        guard let known = read(), known.saves == saves, known.file == FileBirth(at: record),
            known.log == FileBirth(at: logPath)
        else { return write(saves: saves) }
    }

    /// Refuses a record beside which the log of an earlier record lies: SQLite would take it as its own.
    ///
    /// - Throws: `StoreError`, of the code `incomplete`.
    package func refuseStrayLog() throws {
        if let log = strayLog() { throw Self.stray(log, record) }
    }

    /// The error for a file beside the record that belongs to another one.
    static func stray(_ file: String, _ path: String) -> StoreError {
        StoreError(
            .incomplete,
            "\(path) was replaced, and \(file) belongs to the file before; move \(file) away, or "
                + "put the old file back"
        )
    }

    /// Compares the record that is there with what the mark says.
    ///
    /// - Parameter lastSave: Returns the number of its last save.
    /// - Returns: A message about another, older record; nil if there is nothing to say.
    /// - Throws: `StoreError`, of the code `savesLost`, if the same record lacks saves.
    package func compare(_ lastSave: () throws -> HistoryToken?) throws -> String? {
        // Read first: a service may meanwhile go on saving, and update the mark.
        guard let known = read(), let file = FileBirth(at: record) else { return nil }
        let saves = try lastSave()?.rawValue ?? 0
        if saves >= known.saves { return nil }
        guard known.file != file else {
            throw StoreError(
                .savesLost,
                "\(record) lacks the last saves: it ends with save \(saves), but save "
                    + "\(known.saves) was on it; its file \(record)-wal was removed or cut, or an older "
                    + "copy was put in its place; put that file back, or restore a copy with `luggage "
                    + "restore`; to go on with what is there, run `luggage watch --once --new-record` "
                    + "once, and run `luggage check --folder` to see which pictures are not on it"
            )
        }
        return
            "\(record) was replaced by an older record: it ends with save \(saves), the "
            + "one before with save \(known.saves); run `luggage check --folder` to see which "
            + "pictures are not on it"
    }

    /// The error for a record that is no longer there.
    package var gone: StoreError {
        StoreError(.gone, "the record that was at \(record) is gone; \(Self.remedy)")
    }

    /// How to get a record if there is none and there should be one.
    static let remedy =
        "put it back, or restore a copy with `luggage restore`; to begin a new one, run `luggage watch "
        + "--once --new-record` once"

    private func strayLog() -> String? {
        guard let known = read(), let log = known.log, let file = FileBirth(at: record),
            file != known.file, FileBirth(at: logPath) == log
        else { return nil }
        return FileStatus(at: logPath)?.byteCount ?? 0 > 0 ? logPath : nil
    }

    private var logPath: String { record + "-wal" }
}
