internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore

/// The file that keeps the record.
struct RecordFile: Sendable {
    /// Its path.
    let path: String
    private let isNamed: Bool

    /// Finds it.
    ///
    /// - Parameter name: The file that was named; without one, it is where the environment says.
    /// - Throws: ``Failure`` where the environment says nothing.
    init(named name: String?) throws {
        isNamed = name != nil
        path = try name ?? Self.usualPath(ProcessInfo.processInfo.environment)
    }

    /// Opens the record for filing, and makes it where there is none.
    func openForFiling() throws -> PersistentContainer {
        try makeUsualFolder()
        return try Self.container(SQLiteStore(path: path))
    }

    /// Refuses to write to the record itself, or to a file that SQLite keeps beside it.
    ///
    /// - Parameter output: The file that is to be written.
    /// - Throws: ``Failure`` where it is one of them, under whatever name.
    func protect(from output: String) throws {
        // SQLite too keeps the others beside the file to which a link leads.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let place = FilePlace(output) else { return }
        for suffix in ["", "-wal", "-shm", "-journal"]
        where FilePlace(file + suffix) == place {
            let name = suffix.isEmpty ? "the record itself" : "a part of the record at \(path)"
            throw Failure(.cannotCreate, "\(output) is \(name); choose another name")
        }
    }

    /// Joins a store with the model.
    static func container(_ store: some PersistentStore) throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: store)
    }

    private static func usualPath(_ environment: [String: String]) throws -> String {
        func value(_ name: String) throws -> String? {
            try EnvironmentText.check([name])
            return environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let path = try value("LUGGAGE_STORE") { return path }
        // systemd gives several state folders separated by colons; the first is the service's own.
        if let folder = try value("STATE_DIRECTORY")?.split(separator: ":").first {
            return "\(folder)/luggage.sqlite"
        }
        // The specification of XDG folders has relative ones ignored.
        if let folder = try value("XDG_DATA_HOME"), folder.hasPrefix("/") {
            return "\(folder)/luggage/luggage.sqlite"
        }
        if let home = try value("HOME") { return "\(home)/.local/share/luggage/luggage.sqlite" }
        throw Failure(
            .configuration,
            "no place for the record is known: name a file with --store or $LUGGAGE_STORE, or set $HOME"
        )
    }

    /// Makes the folder of a record that is where the environment says.
    func makeUsualFolder() throws {
        if isNamed { return }
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
