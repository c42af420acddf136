package import LuggageTags
package import ObjectStore
internal import SQLiteStore
internal import Synchronization
internal import System

/// The record that the service files into, whose files are looked after.
///
/// It is opened anew where its disk has failed, or another record has taken its place. One that is gone
/// is not made anew.
package final class ServiceStore: Sendable {
    /// The record as it was opened.
    private struct Opening {
        let container: PersistentContainer
        /// What it was compared by, closed: to let go of a connection sets threads of libdispatch going
        /// that look after one another from then on, once a second.
        let compared: SQLiteStore?
        /// Counts how often it was opened.
        let number: Int
        /// Whether it has to be opened anew.
        var isDoubtful = false
        /// Whether its log was cut, and nothing is to be made of what is left.
        var isForsaken = false
    }

    /// Where the record is to be, and what the service knows of that.
    package struct Place: Sendable {
        /// The file that it is in.
        var path: String
        /// Whether one that is gone is made anew, and one that has lost saves is taken as it is.
        var isAcceptedAsItIs = false
        /// Whether the pictures that were filed tell that there was a record.
        var hasFiled: @Sendable () -> Bool = { false }
        /// Why it may not be there, if it may not.
        var refusal: @Sendable () -> String? = { nil }
        /// Is told that another record is in the place of the one before.
        var tellReplaced: @Sendable (String) -> Void = { _ in }

        /// Names the file.
        package init(path: String) {
            self.path = path
        }
    }

    /// How long a service waits for a record that is kept locked before it says by whom, and tries again.
    package static let patience = Duration.milliseconds(4500)

    private let place: Place?
    /// The file that it is in; nil where it is in none.
    var path: String? { place?.path }
    private let mark: RecordMark?
    private let bounds: TagBounds
    private let open: @Sendable () throws -> PersistentContainer
    private let opening: Mutex<Opening>

    /// Opens the record.
    ///
    /// - Parameters:
    ///   - place: Where it is; nil where no file has it.
    ///   - bounds: What can be true of bags here.
    ///   - open: Opens it, the first time and again.
    /// - Throws: What `open` throws; `StoreError` where a record that was there is gone.
    package init(
        _ place: Place?,
        bounds: TagBounds = .none,
        open: @escaping @Sendable () throws -> PersistentContainer
    ) throws {
        self.place = place
        self.bounds = bounds
        self.open = open
        let mark = place.map { RecordMark(of: $0.path) }
        self.mark = mark
        if let place, let mark {
            try Self.refuse(place)
            if !place.isAcceptedAsItIs && SQLiteStore.isMissing(at: place.path) {
                if mark.isThere { throw mark.gone }
                if place.hasFiled() {
                    throw StoreError(
                        .gone,
                        "pictures were filed here, and there is no record at \(place.path); name the one "
                            + "that they are on, \(RecordMark.remedy)"
                    )
                }
            }
        }
        opening = Mutex(try Self.opening(1, place, mark, open))
    }

    private static func refuse(_ place: Place) throws {
        if let words = place.refusal() { throw StoreError(.cannotOpen, words) }
    }

    /// Opens the record that is at its place, once it was compared with what is known of it.
    private static func opening(
        _ number: Int,
        _ place: Place?,
        _ mark: RecordMark?,
        _ open: () throws -> PersistentContainer
    ) throws -> Opening {
        guard let place, let mark else {
            return Opening(container: try open(), compared: nil, number: number)
        }
        try mark.refuseStrayLog()
        // What somebody accepts is what is there at the start.
        let isAccepted = number == 1 && place.isAcceptedAsItIs
        let compared = isAccepted ? nil : try compare(place, mark)
        let container = try open()
        mark.write(saves: try container.lastHistoryToken()?.rawValue ?? 0)
        return Opening(container: container, compared: compared, number: number)
    }

    /// Compares the record with what is known of it, without writing: a file that somebody puts back must
    /// still belong to it.
    ///
    /// - Returns: What it was read by, closed.
    private static func compare(_ place: Place, _ mark: RecordMark) throws -> SQLiteStore? {
        guard mark.isThere else { return nil }
        let store: SQLiteStore
        do {
            store = try SQLiteStore(path: place.path, access: .read, lockTimeout: patience)
        } catch let error as StoreError where error.code == .locked {
            throw error
        } catch {
            // Why it cannot be read, opening it tells.
            return nil
        }
        defer { try? store.close() }
        if let words = try mark.compare(store.lastSave) { place.tellReplaced(words) }
        return store
    }

    /// Sees to it that what is filed goes into the record that is at its place, and that its writing has
    /// not failed since it was opened.
    ///
    /// Somebody may have removed a file or put a backup there. What is written to the old one would be on
    /// no record any more. And what SQLite knew of a file whose writing has failed may be wrong; what is on
    /// the disk is the truth.
    ///
    /// - Throws: `StoreError` where nothing may be filed.
    func check() throws {
        if let place { try Self.refuse(place) }
        let opening = opening.withLock { $0 }
        do {
            if !opening.isDoubtful { return try sqlite?.checkFiles() ?? () }
        } catch let error as StoreError where error.code == .gone {
            guard let place, !SQLiteStore.isMissing(at: place.path) else {
                throw place.map { Self.removed($0.path) } ?? error
            }
            if let stray = sqlite?.strayFile() { throw RecordMark.stray(stray, place.path) }
            place.tellReplaced(
                "\(place.path) was replaced; pictures are filed into what is there now"
            )
        } catch let error as StoreError where error.code == .incomplete {
            try save(after: error)
        } catch let error as StoreError where error.code == .cut {
            if !opening.isForsaken { sqlite?.forsake() }
            self.opening.withLock { $0.isForsaken = true }
            throw error
        }
        if let path = place?.path, SQLiteStore.isMissing(at: path) { throw Self.removed(path) }
        let new = try Self.opening(opening.number + 1, place, mark, open)
        self.opening.withLock { $0 = new }
    }

    private static func removed(_ path: String) -> StoreError {
        StoreError(
            .gone,
            "\(path) is gone: somebody has removed it, or moved it away; put it back, or restore a copy "
                + "with `luggage restore`, and filing goes on by itself"
        )
    }

    /// Brings everything into the file that remains, where another one of the record is gone.
    private func save(after error: StoreError) throws {
        guard let sqlite, try sqlite.rescue() else {
            throw StoreError(
                .incomplete,
                "\(error.message); end the other programs that have the record open"
            )
        }
        try sqlite.close()
        opening.withLock { $0.isDoubtful = true }
        throw StoreError(
            .incomplete,
            "\(error.message); what was in it is in the record's file now, and nothing of it is lost"
        )
    }

    /// Sees to it that what was filed is where it is found again, and takes note of it.
    ///
    /// - Throws: `StoreError` where it is not.
    func confirm() throws {
        try sqlite?.checkFiles()
        if let mark, let saves = try? container.lastHistoryToken()?.rawValue {
            mark.write(saves: saves)
        }
    }

    /// Has it opened anew before it is used again, where an error may have left SQLite with something
    /// that is not on the disk.
    func doubt(after error: any Error) {
        let code = (error as? StoreError)?.code
        if code.map({ [.locked, .gone, .incomplete, .cut, .savesLost].contains($0) }) == true {
            return
        }
        opening.withLock { $0.isDoubtful = true }
    }

    /// Leaves the record in its file alone, which can then be copied; where others use it, it stays in
    /// two.
    func settle() {
        _ = try? sqlite?.emptyLog()
    }

    /// Has those who wait for others to let go of the record give up soon.
    func stopWaiting() {
        sqlite?.stopWaiting(after: .seconds(1))
    }

    /// Closes the record, in its file alone where nobody else has it open.
    func close() {
        guard let sqlite else { return }
        do {
            try sqlite.checkFiles()
            try sqlite.emptyLog()
        } catch let error as StoreError where error.code == .cut {
            return sqlite.forsake()
        } catch let error as StoreError where error.code == .incomplete {
            _ = try? sqlite.rescue()
        } catch {
            // The next one who opens it finds the log.
        }
        try? sqlite.close()
    }

    private var container: PersistentContainer { opening.withLock(\.container) }

    private var sqlite: SQLiteStore? { container.store as? SQLiteStore }

    /// What files into it.
    var recorder: ScanRecorder { ScanRecorder(container: container, bounds: bounds) }

    /// Counts how often it was opened: what was learnt from it before is of no account then.
    var openingNumber: Int { opening.withLock(\.number) }

    /// Whether it answers.
    func isReadable() -> Bool {
        (try? container.read { _ in true }) ?? false
    }
}
