/// How folders are watched, and how many files are in each phase.
public struct WatchStatus: Hashable, Sendable {
    /// How a folder is watched.
    public enum Condition: Hashable, Sendable {
        /// Not known yet.
        case starting
        /// The kernel reports every change.
        case events
        /// The folder is scanned at short intervals.
        case polling(Reason)
        /// The folder cannot be watched; it is tried again at short intervals.
        case absent(Reason)
    }

    /// The reason why a folder is not watched by events alone.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason, for programs.
        public enum Code: String, Hashable, Sendable {
            /// Its file system does not report changes by others, such as other machines.
            case silentFileSystem = "silent-file-system"
            /// The system, or the user, has no watches or descriptors left.
            case exhausted
            /// There is nothing at the path.
            case missing
            /// There is something at the path that is not a folder.
            case notFolder = "not-a-folder"
            /// This process has no permission to read it.
            case noAccess = "no-access"
            /// The system returned another error.
            case systemError = "system-error"
        }

        /// The reason, for programs.
        public let code: Code

        /// The error number of the system, or 0 if there was no error.
        public let errorNumber: Int32

        /// The reason for the user, in a few words without a full stop.
        public let description: String

        package init(code: Code, errorNumber: Int32, description: String) {
            self.code = code
            self.errorNumber = errorNumber
            self.description = description
        }
    }

    /// The status of one folder.
    public struct Folder: Hashable, Sendable {
        /// Its path, as given.
        public let path: [UInt8]
        /// How it is watched.
        public let condition: Condition
        /// The number of kept names of files to hand out.
        public let pending: Int
        /// Whether it may have further files to hand out.
        public let hasMore: Bool
        /// How often its path began to lead to another folder since the start.
        public var replacements = Replacements()
    }

    /// How often a path began to lead to another folder, by cause.
    public struct Replacements: Hashable, Sendable {
        /// Another folder has replaced the earlier one.
        public var folders = 0
        /// A file system was mounted at or above the path, or unmounted.
        public var mounts = 0
    }

    /// The number of files that were skipped because they are not regular files.
    ///
    /// Each is counted once, and again if it is replaced.
    public struct Skipped: Hashable, Sendable {
        /// Named pipes.
        public var fifos = 0
        /// Block and character devices.
        public var devices = 0
        /// Sockets.
        public var sockets = 0
        /// Symbolic links, to any target.
        public var symbolicLinks = 0
        /// Folders.
        public var folders = 0
        /// Anything else.
        public var others = 0

        /// The sum of all.
        public var total: Int { fifos + devices + sockets + symbolicLinks + folders + others }

        mutating func count(_ kind: FileState.Kind) {
            switch kind {
            case .fifo: fifos += 1
            case .device: devices += 1
            case .socket: sockets += 1
            case .symbolicLink: symbolicLinks += 1
            case .folder: folders += 1
            case .regular, .other: others += 1
            }
        }
    }

    /// The folders, in the given order.
    public let folders: [Folder]

    /// The number of kept names of files to hand out; a folder may have more files.
    public let pending: Int

    /// The number of files that are handed out and not yet reported on.
    public let inWork: Int

    /// The number of incomplete files that are waited for.
    public let waiting: Int

    /// The number of files that are retried later.
    public let delayed: Int

    /// The number of files still there that were finished or skipped, and are not handed out.
    public let settled: Int

    /// The files skipped since the start.
    public let skipped: Skipped

    /// How often the kernel has lost events since the start.
    ///
    /// That happens if events come faster than they are read; the folders are then scanned.
    public let overflows: Int

    /// How often a watch was renewed since the start, because a path led to another folder.
    public let rearms: Int
}
