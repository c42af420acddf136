internal import LuggageTags
package import ObjectStore
internal import Synchronization

/// The record that the service files into, which can be opened anew when its disk has failed.
package final class ServiceStore: Sendable {
    private let open: @Sendable () throws -> PersistentContainer
    private let opened: Mutex<PersistentContainer>

    /// Opens the record.
    ///
    /// - Parameter open: Opens it, the first time and again.
    /// - Throws: What `open` throws.
    package init(open: @escaping @Sendable () throws -> PersistentContainer) throws {
        self.open = open
        opened = Mutex(try open())
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
    }

    /// Whether it answers.
    func isReadable() -> Bool {
        let container = opened.withLock { $0 }
        return (try? container.read { _ in true }) ?? false
    }
}
