internal import FoundationEssentials
internal import Logging
package import LuggageTags
package import ObjectStore
internal import SQLiteStore
internal import Synchronization
internal import SystemSupport

/// The record that the service files into; it also looks after the record's files.
///
/// It reopens the record if its disk has failed or another record has taken its place. It does not make
/// a missing record anew.
package final class ServiceStore: Sendable {
    /// The record as it was opened.
    private struct Opening {
        let container: PersistentContainer
        /// The number of this opening.
        let number: Int
        /// What is known of the record that was opened, wherever a link leads later; nil if it is in no file.
        var mark: RecordMark?
        /// Whether it must be reopened.
        var isDoubtful = false
        /// Whether its log was cut, so that what is left of it must not go into the file.
        var isForsaken = false
    }

    /// Where the record should be, and what the service knows about it.
    package struct Place: Sendable {
        /// The file that it is in.
        var path: String
        /// Whether a missing record is made anew, and one that has lost saves is taken as it is.
        var isAcceptedAsItIs = false
        /// Whether filed pictures show that there was a record.
        var hasFiled: @Sendable () -> Bool = { false }
        /// Returns why the record may not be there; nil if it may.
        var refusal: @Sendable () -> String? = { nil }
        /// Called when another record has taken the place of the one before.
        var tellReplaced: @Sendable (String) -> Void = { _ in }

        /// Names the file.
        package init(path: String) {
            self.path = path
        }
    }

    /// The wait for a locked record before the service says who holds the lock, and retries.
    package static let patience = Duration.milliseconds(4500)

    private let place: Place?
    /// The record's file; nil if it is in none.
    var path: String? { place?.path }
    private let bounds: TagBounds
    private let open: @Sendable () throws -> PersistentContainer
    private let opening: Mutex<Opening>

    /// Opens the record.
    ///
    /// - Parameters:
    ///   - place: Where it is; nil if it is in no file.
    ///   - bounds: What can be true of bags here.
    ///   - open: Opens it, the first time and again.
    /// - Throws: What `open` throws; `StoreError` if a record that was there is gone.
    package init(
        _ place: Place?,
        bounds: TagBounds = .none,
        open: @escaping @Sendable () throws -> PersistentContainer
    ) throws {
        self.place = place
        self.bounds = bounds
        self.open = open
        if let place {
            let mark = RecordMark(of: place.path)
            try Self.refuse(place)
            if !place.isAcceptedAsItIs && SQLiteStore.isMissing(at: place.path) {
                if mark.isThere { throw mark.gone }
                if place.hasFiled() {
                    throw StoreError(
                        .gone,
                        "pictures were filed here, but there is no record at \(place.path); name "
                            + "the record that they are on, \(RecordMark.remedy)"
                    )
                }
            }
        }
        if let place, place.isAcceptedAsItIs { try Self.putAsideLogs(withoutFileOf: place) }
        opening = Mutex(try Self.opening(1, place, open))
    }

    /// Keeps the logs of a record whose file is gone under other names, so that a new record can be begun.
    private static func putAsideLogs(withoutFileOf place: Place) throws {
        while let log = SQLiteStore.log(withoutFileAt: place.path) {
            let name = "\(log)-\(Int(Date.now.timeIntervalSince1970))"
            let number = log.move(to: name, replacing: false)
            if number != 0 {
                throw StoreError(
                    .ioFailed,
                    "\(log), whose file is gone, cannot be kept as \(name): \(describe(errorNumber: number))"
                )
            }
            place.tellReplaced(
                "\(log) may have saves of the record that is gone; it is kept as \(name)"
            )
        }
    }

    /// How long a service waits at the start for a record that another process keeps locked.
    ///
    /// systemd waits a little longer for the service.
    private static let startPatience = Duration.seconds(60)

    /// Opens a record; while another process keeps it locked, logs that and retries.
    ///
    /// - Parameters:
    ///   - logger: Gets the reason, once.
    ///   - open: Opens it.
    /// - Returns: The record.
    /// - Throws: What `open` throws.
    static func waitingForLock(
        _ logger: Logger,
        _ open: () throws -> ServiceStore
    ) throws -> ServiceStore {
        let end = ContinuousClock.now + startPatience
        var isTold = false
        while true {
            do {
                return try open()
            } catch let error as StoreError where error.code == .locked && .now < end {
                if !isTold { logger.warning("waiting for the record: \(error.message)") }
                isTold = true
            }
        }
    }

    private static func refuse(_ place: Place) throws {
        if let words = place.refusal() { throw StoreError(.cannotOpen, words) }
    }

    /// Opens the record at its place, after comparing it with what is known of it.
    private static func opening(
        _ number: Int,
        _ place: Place?,
        _ open: () throws -> PersistentContainer
    ) throws -> Opening {
        guard let place else { return Opening(container: try open(), number: number) }
        let mark = RecordMark(of: place.path)
        try mark.refuseStrayLog()
        // The user accepts only what is there at the start.
        let isAccepted = number == 1 && place.isAcceptedAsItIs
        if !isAccepted { try compare(place, mark) }
        let container = try open()
        mark.update(saves: try container.lastHistoryToken()?.rawValue ?? 0)
        return Opening(container: container, number: number, mark: mark)
    }

    /// Compares the record with what is known of it, without writing.
    ///
    /// Not writing matters: a file that someone puts back must still belong to the record.
    private static func compare(_ place: Place, _ mark: RecordMark) throws {
        guard mark.isThere else { return }
        let store: SQLiteStore
        do {
            store = try SQLiteStore(path: place.path, access: .read, lockTimeout: patience)
        } catch let error as StoreError where error.code == .locked {
            throw error
        } catch {
            // Opening it will report why it cannot be read.
            return
        }
        defer { try? store.close() }
        if let words = try mark.compare(store.lastSave) { place.tellReplaced(words) }
    }

    /// Makes sure that saves go into the record at its place, and that no write has failed since opening.
    ///
    /// Someone may have removed a file or put a backup there: what is written to the old file would then
    /// be on no record. After a failed write, what SQLite has cached may be wrong; the disk has the truth.
    ///
    /// - Throws: `StoreError` if nothing may be filed.
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
                "\(place.path) was replaced; the service files into the new record"
            )
        } catch let error as StoreError where error.code == .incomplete {
            try save(after: error)
        } catch let error as StoreError where error.code == .cut {
            if !opening.isForsaken { sqlite?.forsake() }
            self.opening.withLock { $0.isForsaken = true }
            throw error
        }
        if let path = place?.path, SQLiteStore.isMissing(at: path) { throw Self.removed(path) }
        let new = try Self.opening(opening.number + 1, place, open)
        self.opening.withLock { $0 = new }
    }

    private static func removed(_ path: String) -> StoreError {
        StoreError(
            .gone,
            "\(path) is gone: it was removed or moved away; put it back, or restore a copy "
                + "with `luggage restore`, and filing goes on by itself"
        )
    }

    /// Moves everything into the remaining file, if another file of the record is gone.
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
            "\(error.message); its content is in the record's file now, and nothing is lost"
        )
    }

    /// Confirms that what was filed is where it will be found again, and updates the mark.
    ///
    /// - Throws: `StoreError` if it is not.
    func confirm() throws {
        try sqlite?.checkFiles()
        let opening = opening.withLock { $0 }
        if let mark = opening.mark, let saves = try? opening.container.lastHistoryToken()?.rawValue
        {
            mark.write(saves: saves)
        }
    }

    /// Marks the record for reopening, if an error may have left SQLite with a state that the disk lacks.
    func doubt(after error: any Error) {
        let code = (error as? StoreError)?.code
        if code.map({ [.locked, .gone, .incomplete, .cut, .savesLost].contains($0) }) == true {
            return
        }
        opening.withLock { $0.isDoubtful = true }
    }

    /// Empties the log, so that the record's file alone can be copied; if others use it, the log stays.
    func settle() {
        _ = try? sqlite?.emptyLog()
    }

    /// Makes callers that wait for a lock on the record give up soon.
    func stopWaiting() {
        sqlite?.stopWaiting(after: .seconds(1))
    }

    /// Closes the record, and empties its log if nobody else has it open.
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
            // The next process that opens it finds the log.
        }
        try? sqlite.close()
    }

    private var container: PersistentContainer { opening.withLock(\.container) }

    private var sqlite: SQLiteStore? { container.store as? SQLiteStore }

    /// Files into the record.
    var recorder: ScanRecorder { ScanRecorder(container: container, bounds: bounds) }

    /// Takes the alarms that nobody was told of; from then on they were.
    ///
    /// - Parameters:
    ///   - bounds: From when on something is an alarm.
    ///   - now: The present moment.
    /// - Returns: What to tell at once.
    /// - Throws: `StoreError`; then nothing counts as told.
    func takeAlarms(within bounds: AlarmBounds, at now: Date) throws -> AlarmTelling.News {
        try check()
        let news = try AlarmTelling(container: container, bounds: bounds).take(at: now)
        // They count as told, so they are told also if the record is found to be another one just now.
        if !news.new.isEmpty {
            do { try confirm() } catch { doubt(after: error) }
        }
        return news
    }

    /// The number of the opening: what was learnt from an earlier one no longer counts.
    var openingNumber: Int { opening.withLock(\.number) }

    /// Whether the record can be read.
    func isReadable() -> Bool {
        (try? container.read { _ in true }) ?? false
    }
}
