internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// Options that name the record.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file that keeps the record.",
            discussion: "Without it, the one of this machine; see `luggage --help`.",
            valueName: "path"
        ),
        completion: .file()
    )
    var store: String?

    @OptionGroup var settings: SettingsOptions

    func validate() throws {
        if store == "" { throw ValidationError("--store names no file") }
    }

    /// Finds the record's file, and warns if it is not the one that people here expect.
    func record() throws -> RecordFile {
        let settings = settings.shared
        let record = try RecordFile(named: store, settings)
        record.tellWhereNotOfService(settings)
        return record
    }

    /// Opens the record for filing, and makes it if there is none.
    func openForFiling() throws -> PersistentContainer {
        let record = try record()
        try record.refuseWritingToOthers()
        return try record.openForFiling()
    }

    /// Opens the record for reading.
    ///
    /// - Parameter tellsLosses: Whether to warn if it lacks something.
    /// - Returns: The record.
    /// - Throws: ``Failure``, or `StoreError`.
    func openForReading(tellsLosses: Bool = true) throws -> PersistentContainer {
        let record = try record()
        try record.refuseReadingOfOthers()
        do {
            return try RecordFile.container(record.open(.read, tellsLosses: tellsLosses))
        } catch let error as StoreError where error.code == .notFound {
            throw try Self.missing(record)
        } catch let error as StoreError where [.incompatible, .readOnly].contains(error.code) {
            // Opening for writing upgrades a record of an older version of the program, and rolls back an
            // interrupted transaction, if this user may write.
            guard !RecordAccess(record.path).isRefused(W_OK),
                (try? RecordFile.container(record.open())) != nil
            else { throw error }
            return try RecordFile.container(record.open(.read))
        }
    }

    /// Opens the record for changing its content; makes none.
    func openForCorrecting() throws -> PersistentContainer {
        try RecordFile.container(openFile())
    }

    /// Opens the record's file for changing it; makes none.
    func openFile() throws -> SQLiteStore {
        let record = try record()
        try record.refuseWritingToOthers()
        if SQLiteStore.isMissing(at: record.path) { throw try Self.missing(record) }
        return try record.open()
    }

    private static func missing(_ record: RecordFile) throws -> Failure {
        try record.refuseGone()
        if let error = SQLiteStore.refusal(ofLogWithoutFileAt: record.path) { throw error }
        return Failure(
            .noInput,
            "there is no record at \(record.path.onOneLine) yet; file a first bag with `luggage scan`, or name "
                + "another file with --store"
        )
    }

    /// Opens the record to try out what filing would do, and leaves it unchanged.
    func openForRehearsal() throws -> PersistentContainer {
        let record = try record()
        try record.refuseReadingOfOthers()
        do {
            return try RecordFile.container(ScratchStore(over: record.open(.read)))
        } catch let error as StoreError where error.code == .notFound {
            try record.refuseGone()
            return try RecordFile.container(InMemoryStore())
        }
    }
}
