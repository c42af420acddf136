internal import LuggageTags
package import ObjectStore
internal import Synchronization
internal import SystemCalls

/// The record that the service files into, which can be opened anew when its disk has failed.
package final class ServiceStore: Sendable {
    /// The record as it was opened.
    private struct Opening {
        let container: PersistentContainer
        /// Counts how often it was opened.
        let number: Int
        /// Which file it was; nil where there was none.
        let place: FileIdentity?
        /// Whether writing to it has failed.
        var isDoubtful = false
    }

    private let path: String?
    private let open: @Sendable () throws -> PersistentContainer
    private let opening: Mutex<Opening>

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
        let container = try open()
        opening = Mutex(Opening(container: container, number: 1, place: Self.place(of: path)))
    }

    /// Which file it is in: a path may lead to another one later.
    private static func place(of path: String?) -> FileIdentity? {
        path.flatMap { FileIdentity(at: $0) }
    }

    /// Sees to it that what is filed goes into the file that is at the place of the record, and that its
    /// writing has not failed since it was opened.
    ///
    /// Somebody may have removed the file or put a backup there. What is written to the old one would
    /// be on no record any more. And what SQLite knew of a file whose writing has failed may be wrong;
    /// what is on the disk is the truth.
    ///
    /// - Throws: `StoreError` where the one that is there cannot be opened.
    func check() throws {
        let (isDoubtful, place, number) = opening.withLock { ($0.isDoubtful, $0.place, $0.number) }
        guard isDoubtful || Self.place(of: path) != place else { return }
        let container = try open()
        let opening = Opening(
            container: container,
            number: number + 1,
            place: Self.place(of: path)
        )
        self.opening.withLock { $0 = opening }
    }

    /// Has it opened anew before it is used again, as writing to it has failed.
    func doubt() {
        opening.withLock { $0.isDoubtful = true }
    }

    /// What files into it.
    var recorder: ScanRecorder { ScanRecorder(container: opening.withLock(\.container)) }

    /// Counts how often it was opened: what was learnt from it before is of no account then.
    var openingNumber: Int { opening.withLock(\.number) }

    /// Whether it answers.
    func isReadable() -> Bool {
        let container = opening.withLock(\.container)
        return (try? container.read { _ in true }) ?? false
    }
}
