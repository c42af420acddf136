internal import FoundationEssentials
internal import LuggageService
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// A new record that is made beside its place, and moved there only if anything should be kept.
///
/// So an import that is refused as a whole leaves no record if there was none.
final class FirstRecord {
    /// The container to file into.
    let container: PersistentContainer
    private let path: String
    private let scratch: ScratchFolder
    private let store: SQLiteStore

    /// Makes a new record.
    ///
    /// - Parameter record: The record that it will become.
    /// - Throws: ``Failure``, or `StoreError`.
    init(for record: RecordFile) throws {
        path = record.path
        try record.makeUsualFolder()
        scratch = try ScratchFolder(beside: path)
        store = try scratch.use { try SQLiteStore(path: "\($0)/luggage.sqlite") }
        container = try RecordFile.container(store)
    }

    deinit {
        // The store must be closed before its folder is removed.
        try? store.close()
    }

    /// Whether there is no record, and no other file that opening one deals with.
    static func isNeeded(for record: RecordFile) -> Bool {
        if record.isAmongPictures { return false }
        return RecordFile.suffixes.allSatisfy { suffix in
            // A dangling link counts as a file too.
            (try? FileManager.default.attributesOfItem(atPath: record.path + suffix)) == nil
        }
    }

    /// Moves the record to its place, unless someone has made one meanwhile.
    ///
    /// - Throws: ``Failure``, or `StoreError`; then nothing is left there.
    func putInPlace() throws {
        do {
            try scratch.use { try store.backup(to: path, in: $0) }
        } catch let error as StoreError where error.code == .exists {
            throw Failure(
                .cannotCreate,
                "another program made the record \(path.onOneLine) meanwhile, so nothing was "
                    + "imported; import the file again"
            )
        }
    }
}
