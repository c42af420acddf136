internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
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
        let path = try path()
        if store == nil { try makeFolder(of: path) }
        return try container(SQLiteStore(path: path))
    }

    /// Opens the record for looking.
    func openForReading() throws -> PersistentContainer {
        let path = try path()
        do {
            return try container(SQLiteStore(path: path, access: .read))
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
            return try container(ScratchStore(over: SQLiteStore(path: path(), access: .read)))
        } catch let error as StoreError where error.code == .notFound {
            return try container(InMemoryStore())
        }
    }

    private func container(_ store: some PersistentStore) throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: store)
    }

    private func path() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let path = store ?? value("LUGGAGE_STORE") { return path }
        // systemd gives several state folders separated by colons; the first is the service's own.
        if let folder = value("STATE_DIRECTORY")?.split(separator: ":").first {
            return "\(folder)/luggage.sqlite"
        }
        // The specification of XDG folders has relative ones ignored.
        if let folder = value("XDG_DATA_HOME"), folder.hasPrefix("/") {
            return "\(folder)/luggage/luggage.sqlite"
        }
        if let home = value("HOME") { return "\(home)/.local/share/luggage/luggage.sqlite" }
        throw Failure(
            .configuration,
            "no place for the record is known: name a file with --store or $LUGGAGE_STORE, or set $HOME"
        )
    }

    private func makeFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure(
                .cannotCreate,
                "the folder \(folder.path) cannot be made: \(error.localizedDescription)"
            )
        }
    }
}
