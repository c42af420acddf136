internal import SystemSupport

/// A folder within a watched folder whose events are followed.
struct InnerFolder: Equatable, Sendable {
    /// The index of the watched folder.
    let folder: Int
    /// The name of the directly contained folder, which is handed out if there is news.
    let name: [UInt8]
    /// The path of the followed folder.
    let path: [UInt8]
}

/// The events requested from the kernel, and their folders.
struct KernelWatches {
    /// The descriptor for reading events; nil if there is none.
    private(set) var events: Int32?

    private let system: WatchSystem
    private var watchOfFolder: [Int32?]
    /// One folder may be listed under several paths, for which the kernel makes one watch.
    private var foldersOfWatch: [Int32: [Int]] = [:]
    /// The inner folders whose events are followed.
    private var innerOfWatch: [Int32: InnerFolder] = [:]
    /// Their watches, oldest first.
    private var innerOrder: [Int32] = []
    private let mostInner: Int

    init(system: WatchSystem, folderCount: Int, mostInner: Int) {
        self.system = system
        self.mostInner = max(1, mostInner)
        watchOfFolder = Array(repeating: nil, count: folderCount)
    }

    func folders(of watch: Int32) -> [Int] {
        foldersOfWatch[watch] ?? []
    }

    /// The descriptor for reading events, which is opened if there is none.
    mutating func open() -> Result<Int32, SystemError> {
        if let events { return .success(events) }
        let result = system.openEvents()
        events = try? result.get()
        return result
    }

    /// Requests the events of the folder that a path leads to now.
    mutating func arm(_ folder: Int, _ path: [UInt8]) -> FolderSchedule.Arming {
        switch open().flatMap({ system.addWatch($0, path) }) {
        case .failure(let error):
            disarm(folder)
            return .failed(error)
        case .success(let watch):
            forgetInner(watch)
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

    /// Ends the events of a folder.
    mutating func disarm(_ folder: Int) {
        guard let watch = watchOfFolder[folder] else { return }
        watchOfFolder[folder] = nil
        foldersOfWatch[watch]?.removeAll { $0 == folder }
        guard foldersOfWatch[watch]?.isEmpty ?? false else { return }
        foldersOfWatch[watch] = nil
        if let events { system.removeWatch(events, watch) }
    }

    func inner(of watch: Int32) -> InnerFolder? { innerOfWatch[watch] }

    /// Requests the events of an inner folder; if there are too many, the oldest is dropped.
    ///
    /// - Returns: Whether its events were not followed before. False if another folder was dropped
    ///   for it: otherwise two such folders would keep being examined again because of each other.
    mutating func listen(to folder: InnerFolder) -> Bool {
        guard let events, case .success(let watch) = system.addInnerWatch(events, folder.path),
            foldersOfWatch[watch] == nil
        else { return false }
        let before = innerOfWatch.updateValue(folder, forKey: watch)
        guard before == nil else { return before != folder }
        innerOrder.append(watch)
        if innerOrder.count <= mostInner { return true }
        endListening(innerOrder[0])
        return false
    }

    /// Ends the events of an inner folder.
    mutating func endListening(_ watch: Int32) {
        guard innerOfWatch[watch] != nil else { return }
        forgetInner(watch)
        if let events { system.removeWatch(events, watch) }
    }

    private mutating func forgetInner(_ watch: Int32) {
        guard innerOfWatch.removeValue(forKey: watch) != nil else { return }
        innerOrder.removeAll { $0 == watch }
    }

    /// Records that the kernel has ended a watch.
    mutating func forget(_ watch: Int32) {
        forgetInner(watch)
        for folder in foldersOfWatch[watch] ?? [] { watchOfFolder[folder] = nil }
        foldersOfWatch[watch] = nil
    }

    /// Releases everything.
    mutating func closeAll() {
        if let events { system.close(events) }
        events = nil
        foldersOfWatch = [:]
        (innerOfWatch, innerOrder) = ([:], [])
        watchOfFolder = watchOfFolder.map { _ in nil }
    }
}
