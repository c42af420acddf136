internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore

/// Where the record is kept.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file that keeps the record.",
            discussion: "Without it, the file named by the environment; see `luggage --help`.",
            valueName: "path"
        ),
        completion: .file()
    )
    var store: String?

    func validate() throws {
        if store == "" { throw ValidationError("--store names no file") }
    }

    /// Opens the record for filing, and makes it where there is none.
    func openForFiling() throws -> PersistentContainer {
        try RecordFile(named: store).openForFiling()
    }

    /// Opens the record for looking.
    func openForReading() throws -> PersistentContainer {
        let path = try RecordFile(named: store).path
        do {
            return try RecordFile.container(SQLiteStore(path: path, access: .read))
        } catch let error as StoreError where error.code == .notFound {
            throw Failure(
                .noInput,
                "there is no record at \(path) yet; file a first bag with `luggage scan`, or name "
                    + "another file with --store"
            )
        }
    }

    /// Opens the record for trying out what filing would do, and leaves it as it is.
    func openForRehearsal() throws -> PersistentContainer {
        do {
            return try RecordFile.container(
                ScratchStore(over: SQLiteStore(path: RecordFile(named: store).path, access: .read))
            )
        } catch let error as StoreError where error.code == .notFound {
            return try RecordFile.container(InMemoryStore())
        }
    }
}
