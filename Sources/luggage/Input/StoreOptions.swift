internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// Where the record is kept.
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

    /// The file of the record, once it is said where that is not the one that people here expect.
    func record() throws -> RecordFile {
        let settings = settings.shared
        let record = try RecordFile(named: store, settings)
        record.tellWhereNotOfService(settings)
        return record
    }

    /// Opens the record for filing, and makes it where there is none.
    func openForFiling() throws -> PersistentContainer {
        let record = try record()
        try record.refuseWritingToOthers()
        return try record.openForFiling()
    }

    /// Opens the record for looking.
    ///
    /// - Parameter tellsLosses: Whether it is said that it lacks something.
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
            // One of an older version of the program is brought up to date, and one that was left in
            // the middle of a transaction is put in order, where that may be done.
            guard !RecordAccess(record.path).isRefused(W_OK),
                (try? RecordFile.container(record.open())) != nil
            else { throw error }
            return try RecordFile.container(record.open(.read))
        }
    }

    /// Opens the record for changing what is on it; none is made.
    func openForCorrecting() throws -> PersistentContainer {
        try RecordFile.container(openFile())
    }

    /// Opens the file of the record for changing it; none is made.
    func openFile() throws -> SQLiteStore {
        let record = try record()
        try record.refuseWritingToOthers()
        if SQLiteStore.isMissing(at: record.path) { throw try Self.missing(record) }
        return try record.open()
    }

    /// Why there is nothing to be looked at or changed.
    private static func missing(_ record: RecordFile) throws -> Failure {
        try record.refuseGone()
        return Failure(
            .noInput,
            "there is no record at \(record.path.onOneLine) yet; file a first bag with `luggage scan`, or name "
                + "another file with --store"
        )
    }

    /// Opens the record for trying out what filing would do, and leaves it as it is.
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
