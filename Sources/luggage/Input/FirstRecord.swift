internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import System

/// A record that comes into being beside its place, and is put there only if anything is to be kept.
///
/// An import that is refused as a whole leaves no record where there was none.
final class FirstRecord {
    /// Where to file.
    let container: PersistentContainer
    private let path: String
    private let scratch: ScratchFolder
    private let store: SQLiteStore

    /// Makes one.
    ///
    /// - Parameter record: The record that it is to be.
    /// - Throws: ``Failure``, or `StoreError`.
    init(for record: RecordFile) throws {
        path = record.path
        try record.makeUsualFolder()
        scratch = try ScratchFolder(beside: path)
        store = try scratch.use { try SQLiteStore(path: "\($0)/luggage.sqlite") }
        container = try RecordFile.container(store)
    }

    deinit {
        // Before the folder goes with it.
        try? store.close()
    }

    /// Whether there is neither a record nor anything else that opening one deals with.
    static func isNeeded(for record: RecordFile) -> Bool {
        if record.isAmongPictures { return false }
        let suffixes = [""] + SQLiteStore.companionSuffixes + [RecordMark.suffix]
        return suffixes.allSatisfy { suffix in
            // A link that leads nowhere is something too.
            (try? FileManager.default.attributesOfItem(atPath: record.path + suffix)) == nil
        }
    }

    /// Puts the record in its place, where nobody has made one meanwhile.
    ///
    /// - Throws: ``Failure``, or `StoreError`; then nothing is there.
    func putInPlace() throws {
        do {
            try scratch.use { try store.backup(to: path, in: $0) }
        } catch let error as StoreError where error.code == .exists {
            throw Failure(
                .cannotCreate,
                "somebody has made the record \(path.onOneLine) meanwhile, and nothing was kept; import "
                    + "the file again"
            )
        }
    }
}
