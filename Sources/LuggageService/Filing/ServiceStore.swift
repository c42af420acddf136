internal import LuggageTags
package import ObjectStore
internal import Synchronization
internal import SystemCalls

/// The record that the service files into, which can be opened anew when its disk has failed.
package final class ServiceStore: Sendable {
    private let path: String?
    private let open: @Sendable () throws -> PersistentContainer
    /// Which file the record was when it was opened.
    private let place: Mutex<FileIdentity?>
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
        place = Mutex(Self.place(of: path))
    }

    /// Which file it is in: a path may lead to another one later.
    private static func place(of path: String?) -> FileIdentity? {
        path.flatMap { FileIdentity(at: $0) }
    }

    /// Sees to it that what is filed goes into the file that is at the place of the record.
    ///
    /// Somebody may have removed the file or put a backup there. What is written to the old one would
    /// be on no record any more.
    ///
    /// - Throws: `StoreError` where the one that is there cannot be opened.
    func checkPlace() throws {
        if Self.place(of: path) != place.withLock({ $0 }) { try reopen() }
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
        place.withLock { $0 = Self.place(of: path) }
    }

    /// Whether it answers.
    func isReadable() -> Bool {
        let container = opened.withLock { $0 }
        return (try? container.read { _ in true }) ?? false
    }
}
