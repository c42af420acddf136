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

    /// Opens the record for filing, and makes it where there is none.
    func openForFiling() throws -> PersistentContainer {
        let path = try path()
        if store == nil { try makeFolder(of: path) }
        return try open(path, .create)
    }

    /// Opens the record for looking.
    func openForReading() throws -> PersistentContainer {
        let path = try path()
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(
                .noInput,
                "there is no record at \(path) yet; file a first bag with `luggage scan`, or name "
                    + "another file with --store"
            )
        }
        return try open(path, .read)
    }

    /// A copy of nothing, for rehearsing where there is no record yet; the record otherwise.
    func openForRehearsal() throws -> PersistentContainer {
        let path = try path()
        guard FileManager.default.fileExists(atPath: path) else {
            return try PersistentContainer(model: LuggageModel.make(), store: InMemoryStore())
        }
        return try open(path, .create)
    }

    private func open(_ path: String, _ access: SQLiteStore.Access) throws -> PersistentContainer {
        do {
            let store = try SQLiteStore(path: path, access: access)
            return try PersistentContainer(model: LuggageModel.make(), store: store)
        } catch let error as StoreError {
            throw Failure(error)
        }
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
