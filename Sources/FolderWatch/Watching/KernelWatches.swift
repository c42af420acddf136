/// The events that the kernel was asked for, and which folders they are of.
struct KernelWatches {
    /// The descriptor from which events are read; nil while there is none.
    private(set) var events: Int32?

    private let system: WatchSystem
    private var watchOfFolder: [Int32?]
    /// One folder may be listed under several paths, of which the kernel makes one watch.
    private var foldersOfWatch: [Int32: [Int]] = [:]

    init(system: WatchSystem, folderCount: Int) {
        self.system = system
        watchOfFolder = Array(repeating: nil, count: folderCount)
    }

    func folders(of watch: Int32) -> [Int] {
        foldersOfWatch[watch] ?? []
    }

    /// The descriptor from which events are read, which is opened if there is none.
    mutating func open() -> Result<Int32, SystemError> {
        if let events { return .success(events) }
        let result = system.openEvents()
        events = try? result.get()
        return result
    }

    /// Asks for the events of the folder that a path leads to now.
    mutating func arm(_ folder: Int, _ path: [UInt8]) -> FolderSchedule.Arming {
        switch open().flatMap({ system.addWatch($0, path) }) {
        case .failure(let error):
            disarm(folder)
            return .failed(error)
        case .success(let watch):
            if watchOfFolder[folder] != watch {
                disarm(folder)
                watchOfFolder[folder] = watch
                foldersOfWatch[watch, default: []].append(folder)
            }
        }
        switch (system.identify(path), system.fileSystem(path)) {
        case (.success(let identity), .success(let kind)): return .done(identity, kind)
        case (.failure(let error), _), (_, .failure(let error)):
            disarm(folder)
            return .failed(error)
        }
    }

    /// Asks for no more events of a folder.
    mutating func disarm(_ folder: Int) {
        guard let watch = watchOfFolder[folder] else { return }
        watchOfFolder[folder] = nil
        foldersOfWatch[watch]?.removeAll { $0 == folder }
        guard foldersOfWatch[watch]?.isEmpty ?? false else { return }
        foldersOfWatch[watch] = nil
        if let events { system.removeWatch(events, watch) }
    }

    /// Takes to account that the kernel has given up a watch.
    mutating func forget(_ watch: Int32) {
        for folder in foldersOfWatch[watch] ?? [] { watchOfFolder[folder] = nil }
        foldersOfWatch[watch] = nil
    }

    /// Gives everything back.
    mutating func closeAll() {
        if let events { system.close(events) }
        events = nil
        foldersOfWatch = [:]
        watchOfFolder = watchOfFolder.map { _ in nil }
    }
}
