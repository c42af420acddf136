internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

/// Says when the write-ahead log of a store is written, by whichever process (inotify).
///
/// The log is where every commit goes first. Where it does not exist, its folder says when it comes.
struct LogEvents: ~Copyable {
    /// How well events are had.
    enum State {
        /// Of the log itself.
        case log
        /// Of its folder, since there is no log.
        case folder
        /// Not at all: the system gives no more of them.
        case none
    }

    /// Can be waited for; below zero where the system gives no events.
    let descriptor: Int32
    private(set) var state = State.none

    private let log: String
    private let folder: String
    private var watched: (log: Int32, folder: Int32) = (-1, -1)

    /// Begins to listen.
    ///
    /// - Parameter path: The path of the store.
    init(path: String) {
        // SQLite puts the log beside the file itself, not beside a symbolic link to it.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        log = file.path + "-wal"
        folder = file.deletingLastPathComponent().path
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        watch()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes the events that have come, and goes on listening to the log that is there now.
    mutating func take() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // What they say is not needed: whatever it is, the log is looked at.
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
        watch()
    }

    /// Listens to the log, or to its folder until there is one.
    mutating func watch() {
        guard descriptor >= 0 else { return }
        if watchLog() { return }
        let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)
        watched.folder = unsafe inotify_add_watch(descriptor, folder, events)
        state = watched.folder >= 0 ? .folder : .none
        // It may have come before the folder was listened to.
        if state == .folder { _ = watchLog() }
    }

    private mutating func watchLog() -> Bool {
        let events =
            UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        // The number stays the same as long as the file is the same.
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

/// Says when anything happens in the folder of a store (inotify).
struct FolderEvents: ~Copyable {
    /// Can be waited for; below zero where the system gives no events.
    let descriptor: Int32
    private let folder: String
    private var watched: Int32 = -1

    /// Begins to listen.
    ///
    /// - Parameter path: The path of the store.
    init(of path: String) {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        folder = file.deletingLastPathComponent().path
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        watch()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether events of the folder are had.
    var isWatching: Bool { watched >= 0 }

    /// Takes the events that have come, and goes on listening to the folder that is there now.
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
