internal import Foundation
package import ObjectStore
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A small file beside the record, by which a service knows that there was one, and how much was on it.
///
/// It is written after what was saved is on the disk, and never waits for the disk itself: it may know too
/// little, and never too much.
package struct RecordMark: Sendable {
    /// What is known of the record.
    struct Content: Equatable {
        /// The number of its last save.
        var saves: Int64
        /// Its file: a copy that is put in its place is another one.
        var file: FileBirth
        /// The write-ahead log beside it, of which nobody tells to which file it belongs.
        var log: FileBirth?
    }

    /// Its path.
    package let path: String
    private let record: String

    /// Finds the file.
    ///
    /// - Parameter record: The path of the record.
    package init(of record: String) {
        self.record = URL(fileURLWithPath: record).resolvingSymlinksInPath().path
        path = self.record + Self.suffix
    }

    /// What follows the name of the record.
    package static let suffix = "-known"

    /// Whether a service has had a record there that was not taken away on purpose.
    package var isThere: Bool { FileIdentity(at: path, followsLinks: false) != nil }

    /// Forgets the record, as another one is about to be there.
    package func remove() {
        _ = unsafe unlink(path)
    }

    /// What it says; nil where it says nothing.
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

    /// Says how much is on the record that is there now.
    ///
    /// Where that cannot be written, a loss may be noticed by fewer.
    func write(saves: Int64) {
        var owner = stat()
        guard unsafe stat(record, &owner) == 0, let file = FileBirth(at: record) else { return }
        let descriptor = unsafe open(
            path,
            O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            owner.st_mode & 0o666
        )
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // As SQLite does it for its own files: the service must be able to write what root has made.
        if geteuid() == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
        let log = FileBirth(at: logPath) ?? FileBirth(number: 0, time: 0)
        // Of one length, so that it is never half of one text and half of another.
        let text = String(
            format: "A record is kept beside this file. Last save %020ld of file %020ld of %020ld "
                + "with log %020ld of %020ld.\n",
            Int(saves),
            Int(truncatingIfNeeded: file.number),
            Int(file.time),
            Int(truncatingIfNeeded: log.number),
            Int(log.time)
        )
        let bytes = Array(text.utf8)
        _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Refuses a record beside which the log of the one before still lies: SQLite would take what is in
    /// that for its own.
    ///
    /// - Throws: `StoreError`, of the code `incomplete`.
    package func refuseStrayLog() throws {
        if let log = strayLog() { throw Self.stray(log, record) }
    }

    /// A file beside the record that is not its own.
    static func stray(_ file: String, _ path: String) -> StoreError {
        StoreError(
            .incomplete,
            "\(path) is another file than it was, and \(file) belongs to the one before; move \(file) "
                + "away, or put the file before back"
        )
    }

    /// Compares the record that is there with what is known of it.
    ///
    /// - Parameter lastSave: Asks for the number of its last save.
    /// - Returns: What to say of another record, and an older one; nil where nothing is to be said.
    /// - Throws: `StoreError`, of the code `savesLost`, where the same one lacks something.
    package func compare(_ lastSave: () throws -> HistoryToken?) throws -> String? {
        // First: a service may go on saving meanwhile, and say so.
        guard let known = read(), let file = FileBirth(at: record) else { return nil }
        let saves = try lastSave()?.rawValue ?? 0
        if saves >= known.saves { return nil }
        guard known.file != file else {
            throw StoreError(
                .savesLost,
                "\(record) lacks what was saved last: it ends with save \(saves), and save "
                    + "\(known.saves) was on it; its file \(record)-wal was removed or cut, or an older "
                    + "copy was put in its place; put that file back, or restore a copy with `luggage "
                    + "restore`; to go on with what is there, run `luggage watch --once --new-record` "
                    + "once, and have `luggage check --folder` tell which pictures are not on it"
            )
        }
        return
            "\(record) is another record than it was, and an older one: it ends with save \(saves), the "
            + "one before with save \(known.saves); `luggage check --folder` tells which pictures are "
            + "not on it"
    }

    /// What to say where a record was that is there no more.
    package var gone: StoreError {
        StoreError(.gone, "the record that was at \(record) is gone; \(Self.remedy)")
    }

    /// How a service gets a record where there is none and should be one.
    static let remedy =
        "put it back, or restore a copy with `luggage restore`; to begin a new one, run `luggage watch "
        + "--once --new-record` once"

    private func strayLog() -> String? {
        guard let known = read(), let log = known.log, let file = FileBirth(at: record),
            file != known.file, FileBirth(at: logPath) == log
        else { return nil }
        var status = stat()
        return unsafe stat(logPath, &status) == 0 && status.st_size > 0 ? logPath : nil
    }

    private var logPath: String { record + "-wal" }
}
