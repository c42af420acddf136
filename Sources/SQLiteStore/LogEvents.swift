internal import FoundationEssentials
internal import Glibc

/// Reports writes to the write-ahead log of a store by any process (inotify).
///
/// Every commit is first written to the log. If there is no log, its folder reports when one is made.
struct LogEvents: ~Copyable {
    /// The source of events.
    enum State {
        /// The log itself.
        case log
        /// Its folder, because there is no log.
        case folder
        /// None: the system gives no more watches.
        case none
    }

    /// A descriptor to wait for; negative if the system gives no events.
    let descriptor: Int32
    private(set) var state = State.none

    private let log: String
    private let folder: String
    private var watched: (log: Int32, folder: Int32) = (-1, -1)

    /// Begins to watch.
    init(path: String) {
        // SQLite puts the log beside the file itself, not beside a symbolic link to it.
        let place = SQLiteStore.place(of: path)
        log = place + "-wal"
        folder = SQLiteStore.folder(of: place)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        watch()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads the pending events, and watches the log that is present now.
    mutating func take() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Their content is not needed: any event makes us look at the log.
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
        watch()
    }

    /// Watches the log, or its folder until there is a log.
    mutating func watch() {
        guard descriptor >= 0 else { return }
        if watchLog() { return }
        let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)
        watched.folder = unsafe inotify_add_watch(descriptor, folder, events)
        state = watched.folder >= 0 ? .folder : .none
        // The log may have been made before the folder was watched.
        if state == .folder { _ = watchLog() }
    }

    private mutating func watchLog() -> Bool {
        let events =
            UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        // The same file always has the same watch number.
        let number = unsafe inotify_add_watch(descriptor, log, events)
        if watched.log >= 0 && watched.log != number { inotify_rm_watch(descriptor, watched.log) }
        watched.log = number
        guard number >= 0 else { return false }
        if watched.folder >= 0 { inotify_rm_watch(descriptor, watched.folder) }
        watched.folder = -1
        state = .log
        return true
    }
}

/// Reports changes in the folder of a store (inotify).
struct FolderEvents: ~Copyable {
    /// A descriptor to wait for; negative if the system gives no events.
    let descriptor: Int32
    private let folder: String
    private var watched: Int32 = -1

    /// Begins to watch.
    init(of path: String) {
        folder = SQLiteStore.folder(of: SQLiteStore.place(of: path))
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        watch()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the folder is watched.
    var isWatching: Bool { watched >= 0 }

    /// Reads the pending events, and watches the folder that is present now.
    mutating func take() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
        watch()
    }

    private mutating func watch() {
        guard descriptor >= 0 else { return }
        let events = [
            IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_MODIFY, IN_DELETE_SELF,
            IN_MOVE_SELF, IN_ONLYDIR,
        ].reduce(0) { $0 | UInt32($1) }
        let number = unsafe inotify_add_watch(descriptor, folder, events)
        if watched >= 0 && watched != number { inotify_rm_watch(descriptor, watched) }
        watched = number
    }
}
