internal import LuggageTags
package import ObjectStore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// The record that the service files into, which can be opened anew when its disk has failed.
package final class ServiceStore: Sendable {
    private let path: String?
    private let open: @Sendable () throws -> PersistentContainer
    /// Which file the record was when it was opened.
    private let place: Mutex<FileNumber?>
    private let opened: Mutex<PersistentContainer>

    /// Opens the record.
    ///
    /// - Parameters:
    ///   - path: The file that it is in.
    ///   - open: Opens it, the first time and again.
    /// - Throws: What `open` throws.
    package init(
        path: String?,
        open: @escaping @Sendable () throws -> PersistentContainer
    ) throws {
        self.path = path
        self.open = open
        opened = Mutex(try open())
        place = Mutex(FileNumber(path))
    }

    /// Which file it is in: a path may lead to another one later.
    private struct FileNumber: Equatable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String?) {
            var status = stat()
            guard let path, unsafe stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// Sees to it that what is filed goes into the file that is at the place of the record.
    ///
    /// Somebody may have removed the file or put a backup there. What is written to the old one would
    /// be on no record any more.
    ///
    /// - Throws: `StoreError` where the one that is there cannot be opened.
    func checkPlace() throws {
        if FileNumber(path) != place.withLock({ $0 }) { try reopen() }
    }

    /// What files into it.
    var recorder: ScanRecorder { ScanRecorder(container: opened.withLock { $0 }) }

    /// Opens it anew.
    ///
    /// What SQLite knew of a file whose writing has failed may be wrong; what is on the disk is the
    /// truth.
    ///
    /// - Throws: `StoreError`; it goes on with the old one then.
    func reopen() throws {
        let container = try open()
        opened.withLock { $0 = container }
        place.withLock { $0 = FileNumber(path) }
    }

    /// Whether it answers.
    func isReadable() -> Bool {
        let container = opened.withLock { $0 }
        return (try? container.read { _ in true }) ?? false
    }
}
