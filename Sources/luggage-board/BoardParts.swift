internal import FoundationEssentials
internal import Glibc
internal import LuggageBoard
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// What the board is made of.
enum BoardParts {
    /// The settings of this machine that concern the board.
    ///
    /// - Throws: ``Failure`` if they are wrong.
    static func settings(
        _ showing: BoardRequest.Showing,
        _ environment: [String: String]
    ) throws -> Board.Settings {
        let shared = SharedSettings(file: showing.configuration, environment: environment)
        do throws(ConfigurationError) {
            let values = try shared.configuration(of: [
                .earliest, .heaviest, .units, .points, .overdue, .readRate, .silence,
            ])
            var settings = Board.Settings(layout: try layout(showing, shared, values.points))
            (settings.bounds, settings.units) = (values.bounds, values.units)
            settings.alarms = values.alarms
            let patience = showing.patience ?? values.alarms.overdue
            if let patience { settings.patience = patience }
            return settings
        } catch {
            throw Failure(.configuration, error.line)
        }
    }

    /// The watched folder; nil if none is named.
    private static func layout(
        _ showing: BoardRequest.Showing,
        _ shared: SharedSettings,
        _ points: PointWords
    ) throws(ConfigurationError) -> FolderLayout? {
        var arguments: [WatchSetting: String] = [:]
        arguments[.folder] = showing.folder
        arguments[.at] = showing.point
        guard showing.folder != nil || shared.namesFolder else { return nil }
        let values = try shared.configuration(of: [.folder, .at], arguments: arguments)
        return FolderLayout(path: values.folder, point: values.point, points: points)
    }

    /// Opens the record, as a service does.
    ///
    /// - Throws: `StoreError`.
    static func open(_ path: String) throws -> PersistentContainer {
        let mark = RecordMark(of: path)
        try mark.refuseStrayLog()
        if SQLiteStore.isMissing(at: path), mark.isThere { throw mark.gone }
        let store = try SQLiteStore(path: path, lockTimeout: ServiceStore.patience)
        return try PersistentContainer(model: LuggageModel.make(), store: store)
    }

    /// Starts what files the pictures that are dropped, and ends with the board.
    ///
    /// - Returns: The process; nil if nothing is to be started.
    static func startFiling(_ words: [String]) throws -> ChildProcess? {
        guard let program = words.first else { return nil }
        let environment = ProcessInfo.processInfo.environment.map {
            Array("\($0.key)=\($0.value)".utf8)
        }
        let child = try ChildProcess.start(
            program,
            arguments: words.map { Array($0.utf8) },
            environment: environment,
            input: []
        )
        // What it says is of no use here, but it must be able to say it.
        let output = fcntl(child.output, F_DUPFD_CLOEXEC, 0)
        DetachedThread.startPatiently {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(output, &bytes, bytes.count)
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            close(output)
        }
        return child
    }
}
