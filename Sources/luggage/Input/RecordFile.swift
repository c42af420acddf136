internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import Synchronization
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// The file that keeps the record.
struct RecordFile: Sendable {
    /// Where the installed service has its record if no setting says otherwise: systemd's folder for its
    /// state.
    static let ofService = "/var/lib/luggage/luggage.sqlite"

    /// Its path.
    let path: String
    /// The path of the folder that it is in.
    var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }
    /// Whether the folder is made where it is missing: not one that somebody has named, as that may be
    /// mistyped.
    private let hasFolderMade: Bool
    /// Whether it is the one of the service of this machine, which makes it.
    let isOfService: Bool
    /// The points that are known, each of which may have a folder for pictures.
    private let points: PointWords

    /// Finds it, by the command line and the settings of this machine.
    ///
    /// - Parameters:
    ///   - name: The file that `--store` names.
    ///   - settings: What else may name it.
    /// - Throws: ``Failure`` where nothing says where it is, or what says it is wrong.
    init(named name: String?, _ settings: SharedSettings) throws {
        try EnvironmentText.check([WatchSetting.store.variable])
        let store = try settings.values(of: [.store], arguments: [.store: name]).store
        let isVariable = name == nil && store != nil && store != settings.storeInFile
        try self.init(at: store, settings, hasFolderMade: isVariable)
    }

    /// Takes the file that settings name, else the one that the environment and the machine suggest.
    ///
    /// - Parameters:
    ///   - store: The file that is named.
    ///   - settings: Where it would be named.
    ///   - hasFolderMade: Whether the folder of a named one is made.
    /// - Throws: ``Failure`` where nothing says where it is.
    init(at store: String?, _ settings: SharedSettings, hasFolderMade: Bool = false) throws {
        self.hasFolderMade = store == nil || hasFolderMade
        points = (try? settings.points) ?? PointWords()
        path = try store ?? Self.usualPath(settings)
        isOfService = path == settings.storeInFile || path == Self.ofService
    }

    /// Opens the record for filing, and makes it where there is none.
    ///
    /// - Throws: `StoreError` where there was one that is gone.
    func openForFiling() throws -> PersistentContainer {
        try refuseGone()
        try refusePlaceOfPictures()
        try makeUsualFolder()
        return try Self.container(open())
    }

    /// Makes no record where a service had one.
    ///
    /// - Throws: `StoreError` where there was one that is gone.
    func refuseGone() throws {
        let mark = RecordMark(of: path)
        if mark.isThere && SQLiteStore.isMissing(at: path) { throw mark.gone }
    }

    /// Whether its folder is one from which a service takes pictures, or to which it moves them.
    var isAmongPictures: Bool {
        FolderLayout.hasPictures(folder, points: points)
    }

    /// Makes no record where the service would take it for a picture.
    private func refusePlaceOfPictures() throws {
        guard SQLiteStore.isMissing(at: path), isAmongPictures else { return }
        throw Failure(
            .cannotCreate,
            "\(folder.onOneLine) is for pictures, and `luggage watch` would take a record there for one; "
                + "name another place with --store"
        )
    }

    /// Opens the record for a service, which knows itself whether there was one, and closes it.
    func openForService() throws -> PersistentContainer {
        try makeUsualFolder()
        // When that time is over, the service says who keeps it waiting, and tries again.
        return try Self.container(SQLiteStore(path: path, lockTimeout: ServiceStore.patience))
    }

    /// Opens the file until the program ends.
    ///
    /// Somebody who sees nothing happen is told who keeps it waiting.
    ///
    /// - Parameters:
    ///   - access: What for.
    ///   - tellsLosses: Whether it is said of a record that is only read that it lacks something.
    /// - Returns: The store.
    /// - Throws: ``Failure``, or `StoreError`: of the code `savesLost` where it is not only read and lacks
    ///   what was saved last, as more saves would hide that.
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
    /// - Returns: What to say of another record, and an older one; nil where nothing is to be said.
    /// - Throws: `StoreError`, of the code `savesLost`, where it lacks what was saved last.
    @discardableResult
    func losses(of store: SQLiteStore) throws -> String? {
        do {
            return try RecordMark(of: path).compare(store.lastSave)
        } catch let error as StoreError where error.code == .savesLost {
            throw error
        } catch {
            // Where the number cannot be asked for, other questions say why.
            return nil
        }
    }

    /// Everything that this program has opened.
    private static let opened = Mutex<[SQLiteStore]>([])

    /// Closes what is open, as the program is about to end: a record that nobody has open is in its file
    /// alone.
    static func closeAll() {
        let stores = opened.withLock { stores in
            defer { stores = [] }
            return stores
        }
        for store in stores.reversed() { try? store.close() }
    }

    /// Refuses to write to the record itself, or to a file that SQLite keeps beside it.
    ///
    /// - Parameter output: The file that is to be written.
    /// - Throws: ``Failure`` where it is one of them, under whatever name.
    func protect(from output: String) throws {
        // SQLite too keeps the others beside the file to which a link leads.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let place = FilePlace(output) else { return }
        for suffix in [""] + SQLiteStore.companionSuffixes + [RecordMark.suffix]
        where FilePlace(file + suffix) == place {
            let name =
                suffix.isEmpty ? "the record itself" : "a part of the record at \(path.onOneLine)"
            throw Failure(.cannotCreate, "\(output.onOneLine) is \(name); choose another name")
        }
    }

    /// Joins a store with the model.
    static func container(_ store: some PersistentStore) throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: store)
    }

    private static func usualPath(_ settings: SharedSettings) throws -> String {
        let environment = ProcessInfo.processInfo.environment
        func value(_ name: String) throws -> String? {
            try EnvironmentText.check([name])
            return environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        // systemd gives several state folders separated by colons; the first is the service's own.
        if let folder = try value("STATE_DIRECTORY")?.split(separator: ":").first {
            return "\(folder)/luggage.sqlite"
        }
        if hasServiceRecord(settings) { return ofService }
        // The specification of XDG folders has relative ones ignored.
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

    /// Whether the service of this machine is installed, and has its record where nobody need name it.
    private static func hasServiceRecord(_ settings: SharedSettings) -> Bool {
        settings.isOfMachine && settings.hasFile && RecordAccess(ofService).mayBeThere
    }

    private static let hasTold = Mutex(false)

    /// Tells, once, where it is another record than that of the service of this machine.
    ///
    /// Whoever asks one at home, in the belief that it is the station's, would be told that no bag is
    /// missing.
    func tellWhereNotOfService(_ settings: SharedSettings) {
        let own = FilePlace(path)
        func isThis(_ store: String) -> Bool {
            store == path || own != nil && own == FilePlace(store)
        }
        // A file that is named in place of another one may name another record.
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

    /// Makes the folder of a record that is where the environment says.
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

    /// Makes a folder that is its owner's alone, and those above it that are not there.
    ///
    /// - Returns: 0, or the system's reason.
    private static func makeFolder(_ path: String) -> Int32 {
        if unsafe mkdir(path, 0o700) == 0 { return 0 }
        let number = errno
        if number == EEXIST {
            var status = stat()
            if unsafe stat(path, &status) != 0 { return errno }
            return status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
        }
        let parent = (path as NSString).deletingLastPathComponent
        guard number == ENOENT, parent != path, !parent.isEmpty else { return number }
        let above = makeFolder(parent)
        if above != 0 { return above }
        // Somebody else may have made it meanwhile.
        return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }
}
