internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import Synchronization
internal import SystemSupport

/// The file that contains the record.
struct RecordFile: Sendable {
    /// The installed service's record if no setting names another: in its state folder from systemd.
    static let ofService = "/var/lib/luggage/luggage.sqlite"

    let path: String
    /// The path of its folder.
    var folder: String { path.absolute.parentPath }
    /// Whether to make the folder if it is missing; not if an option or the file names it, perhaps mistyped.
    private let hasFolderMade: Bool
    /// Whether its folder is there, or will be made.
    var hasFolder: Bool {
        hasFolderMade || path == Self.ofService || FileStatus(at: folder)?.kind == .folder
    }
    /// Whether it is the record of this machine's service, which makes it.
    let isOfService: Bool
    /// The known points, each of which may have a folder for pictures.
    private let points: PointWords

    /// Finds the record, by the command line and the settings of this machine.
    ///
    /// - Parameters:
    ///   - name: The file that `--store` names.
    ///   - settings: The settings, which may name it otherwise.
    /// - Throws: ``Failure`` if nothing says where it is, or the setting is wrong.
    init(named name: String?, _ settings: SharedSettings) throws {
        try EnvironmentText.check([WatchSetting.store.variable])
        let store = try settings.values(of: [.store], arguments: [.store: name]).store
        let isVariable = name == nil && store != nil && store != settings.storeInFile
        try self.init(at: store, settings, hasFolderMade: isVariable)
    }

    /// Uses the file that settings name, else the one that the environment and the machine suggest.
    ///
    /// - Parameters:
    ///   - store: The named file.
    ///   - settings: The settings.
    ///   - hasFolderMade: Whether to make the folder of a named file.
    /// - Throws: ``Failure`` if nothing says where it is.
    init(at store: String?, _ settings: SharedSettings, hasFolderMade: Bool = false) throws {
        self.hasFolderMade = store == nil || hasFolderMade
        points = (try? settings.points) ?? PointWords()
        path = try store ?? Self.usualPath(settings)
        isOfService = path == settings.storeInFile || path == Self.ofService
    }

    /// Opens the record for filing, and makes it if there is none.
    ///
    /// - Throws: `StoreError` if there was one that is gone.
    func openForFiling() throws -> PersistentContainer {
        try prepareFiling()
        return try Self.container(open())
    }

    /// Sees that a record may be made where none is, and makes no more than its usual folder.
    ///
    /// - Throws: `StoreError` if there was one that is gone.
    func prepareFiling() throws {
        try refuseGone()
        try refusePlaceOfPictures()
        try makeUsualFolder()
    }

    /// Refuses to make a new record if a service had one.
    ///
    /// - Throws: `StoreError` if there was one that is gone.
    func refuseGone() throws {
        let mark = RecordMark(of: path)
        if mark.isThere && SQLiteStore.isMissing(at: path) { throw mark.gone }
    }

    /// Whether its folder is one from which a service takes pictures, or to which it moves them.
    var isAmongPictures: Bool {
        FolderLayout.hasPictures(folder, points: points)
    }

    /// Refuses to make a record where the service would take it for a picture.
    private func refusePlaceOfPictures() throws {
        guard SQLiteStore.isMissing(at: path), isAmongPictures else { return }
        throw Failure(
            .cannotCreate,
            "\(folder.onOneLine) is for pictures, and `luggage watch` would take a record there "
                + "for a picture; name another place with --store"
        )
    }

    /// Opens the record for a service, which itself knows whether there was one, and closes it.
    func openForService() throws -> PersistentContainer {
        try makeUsualFolder()
        // After that time the service says who holds the lock, and retries.
        return try Self.container(SQLiteStore(path: path, lockTimeout: ServiceStore.patience))
    }

    /// Refuses a file that is no record; changes nothing.
    ///
    /// What nobody has made yet, or this user may not read, may be right for the user of the service.
    ///
    /// - Throws: `StoreError`.
    func refuseOtherFile() throws {
        guard let status = FileStatus(at: path), !RecordAccess(path).isRefused(R_OK),
            status.kind != .file || status.byteCount > 0
        else { return }
        do {
            try SQLiteStore(path: path, access: .read, lockTimeout: ServiceStore.patience).close()
        } catch let error as StoreError where [.locked, .readOnly].contains(error.code) {
            // It is a record all the same.
        }
    }

    /// Opens the file until the program ends.
    ///
    /// While another process keeps the record locked, it tells a user at a terminal which one.
    ///
    /// - Parameters:
    ///   - access: The kind of access.
    ///   - tellsLosses: Whether to warn if a record that is only read lacks something.
    /// - Returns: The store.
    /// - Throws: ``Failure``, or `StoreError`. It has the code `savesLost` if the record lacks its last
    ///   saves and is not only read: more saves would hide that.
    func open(
        _ access: SQLiteStore.Access = .create,
        tellsLosses: Bool = true
    ) throws -> SQLiteStore {
        try RecordMark(of: path).refuseStrayLog()
        try refuseFilesOfOthers()
        let store = try SQLiteStore(
            path: path,
            access: access,
            whenLocked: {
                if StandardError.isTerminal {
                    StandardError.line("luggage: waiting: \($0.message)")
                }
            }
        )
        Self.opened.withLock { $0.append(store) }
        do {
            let words = try losses(of: store)
            if let words, tellsLosses { StandardError.complain("luggage", words) }
        } catch let error as StoreError where access == .read {
            if tellsLosses { StandardError.complain("luggage", error.message) }
        }
        return store
    }

    /// Compares the record with what a service knows of it.
    ///
    /// - Returns: A message about another, older record; nil if there is nothing to say.
    /// - Throws: `StoreError`, of the code `savesLost`, if it lacks its last saves.
    @discardableResult
    func losses(of store: SQLiteStore) throws -> String? {
        do {
            return try RecordMark(of: path).compare(store.lastSave)
        } catch let error as StoreError where error.code == .savesLost {
            throw error
        } catch {
            // If the last save cannot be read, later queries say why.
            return nil
        }
    }

    /// All stores that this program has opened.
    private static let opened = Mutex<[SQLiteStore]>([])

    /// Closes all stores at the end of the program, so that the record's file has no log beside it.
    static func closeAll() {
        let stores = opened.withLock { stores in
            defer { stores = [] }
            return stores
        }
        for store in stores.reversed() { try? store.close() }
    }

    /// What the names of the files of a record add to that of its own one, which is the first.
    static let suffixes =
        [""] + SQLiteStore.companionSuffixes
        + [RecordMark.suffix, ExchangeLock.suffix, HubStatus.suffix]

    /// Refuses to overwrite the record, or a file that is kept beside it.
    ///
    /// - Parameter output: The file that will be written.
    /// - Throws: ``Failure`` if it is one of them, also under another name.
    func protect(from output: String) throws {
        guard let refusal = Self.refusal(of: output, for: path) else { return }
        throw Failure(.cannotCreate, refusal)
    }

    /// Why a file may not be written; nil if it is no part of the record at a path.
    static func refusal(of output: String, for path: String) -> String? {
        // Like SQLite, which follows a link and keeps its other files beside the target.
        let file = path.behindLinks
        let (place, made) = (NamedFile(output), output.behindLinksOnceMade)
        for suffix in suffixes {
            let own = file + suffix
            let isSame = place != nil && NamedFile(own) == place
            guard isSame || own.behindLinksOnceMade == made else { continue }
            let name =
                suffix.isEmpty ? "the record itself" : "a part of the record at \(path.onOneLine)"
            return "\(output.onOneLine) is \(name); choose another name"
        }
        return nil
    }

    /// Combines a store with the model.
    static func container(_ store: some PersistentStore) throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: store)
    }

    private static func usualPath(_ settings: SharedSettings) throws -> String {
        let environment = ProcessInfo.processInfo.environment
        func value(_ name: String) throws -> String? {
            try EnvironmentText.check([name])
            return environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        // systemd separates several state folders by colons; the first is the service's own.
        if let folder = try value("STATE_DIRECTORY")?.split(separator: ":").first {
            return "\(folder)/luggage.sqlite"
        }
        if hasServiceRecord(settings) { return ofService }
        // The XDG base directory specification says to ignore relative paths.
        if let folder = try value("XDG_DATA_HOME"), folder.hasPrefix("/") {
            return "\(folder)/luggage/luggage.sqlite"
        }
        if let home = try value("HOME") { return "\(home)/.local/share/luggage/luggage.sqlite" }
        throw Failure(
            .configuration,
            "no place for the record is known: name a file with --store or "
                + "$\(WatchSetting.store.variable), or set $HOME"
        )
    }

    /// Whether this machine's service is installed, and has its record at the default place.
    private static func hasServiceRecord(_ settings: SharedSettings) -> Bool {
        settings.isOfMachine && settings.hasFile && RecordAccess(ofService).mayBeThere
    }

    private static let hasTold = Mutex(false)

    /// Warns once if this record is not the one of this machine's service.
    ///
    /// A user who takes a private record for the station's would be told that no bag is missing.
    func tellWhereNotOfService(_ settings: SharedSettings) {
        let own = NamedFile(path)
        func isThis(_ store: String) -> Bool {
            store == path || own != nil && own == NamedFile(store)
        }
        // A settings file that is named instead of another one may name another record.
        let services = [settings, settings.besides].compactMap(\.self).compactMap { settings in
            settings.storeInFile ?? (Self.hasServiceRecord(settings) ? Self.ofService : nil)
        }
        guard let store = services.first(where: { !isThis($0) && RecordAccess($0).mayBeThere }),
            services.count < 2 || services.last.map(isThis) != true
        else { return }
        let isFirst = Self.hasTold.withLock { hasTold in
            defer { hasTold = true }
            return !hasTold
        }
        guard isFirst else { return }
        StandardError.complain(
            "luggage",
            "this is the record \(path.onOneLine), not the one of the service here, "
                + store.onOneLine
        )
    }

    /// Makes the folder of a record at a place from the environment.
    func makeUsualFolder() throws {
        guard hasFolderMade else { return }
        let number = Self.makeFolder(folder)
        if number == 0 { return }
        throw Failure(
            .cannotCreate,
            "the folder \(folder.onOneLine) cannot be made: \(describe(errorNumber: number)); name a "
                + "file elsewhere with --store or $LUGGAGE_STORE"
        )
    }

    /// Makes a folder that only its owner may use, and its missing parents.
    ///
    /// - Returns: 0, or the error number.
    private static func makeFolder(_ path: String) -> Int32 {
        if unsafe mkdir(path, 0o700) == 0 { return 0 }
        let number = errno
        if number == EEXIST {
            guard let status = FileStatus(at: path) else { return errno }
            return status.kind == .folder ? 0 : ENOTDIR
        }
        let parent = path.parentPath
        guard number == ENOENT, parent != path, !parent.isEmpty else { return number }
        let above = makeFolder(parent)
        if above != 0 { return above }
        // Another process may have made it meanwhile.
        return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }
}

/// The place of a file, the same for all of its names.
struct NamedFile: Equatable {
    private let identity: FileIdentity
    /// The file's name in the folder, if there is no file yet.
    private let name: String?

    /// Finds the file, or the folder in which it would be; nil if neither exists.
    ///
    /// - Parameter path: The path; links are followed.
    init?(_ path: String) {
        if let file = FileStatus(at: path)?.identity {
            identity = file
            name = nil
            return
        }
        let place = path.behindLinks
        guard let folder = FileStatus(at: place.parentPath)?.identity else { return nil }
        identity = folder
        name = place.lastPathComponent
    }
}
