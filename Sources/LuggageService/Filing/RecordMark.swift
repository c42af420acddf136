internal import Foundation
internal import SQLiteStore
internal import SystemCalls

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
        /// The number of its file on its file system: a copy that is put in its place has another one.
        var file: UInt64
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
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.suffix(2).map(String.init)
        guard numbers.count == 2, let saves = Int64(numbers[0]), let file = UInt64(numbers[1])
        else { return nil }
        return Content(saves: saves, file: file)
    }

    /// Says how much is on the record that is there now.
    ///
    /// Where that cannot be written, a loss may be noticed by fewer.
    func write(saves: Int64) {
        var owner = stat()
        guard unsafe stat(record, &owner) == 0 else { return }
        let descriptor = unsafe open(
            path,
            O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            owner.st_mode & 0o666
        )
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // As SQLite does it for its own files: the service must be able to write what root has made.
        if geteuid() == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
        // Of one length, so that it is never half of one text and half of another.
        let text = String(
            format: "A record is kept beside this file. Last save %020ld of file %020lu.\n",
            Int(saves),
            UInt(owner.st_ino)
        )
        let bytes = Array(text.utf8)
        _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }
}
