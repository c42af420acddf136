/// How well folders are watched, and how many files are where.
public struct WatchStatus: Hashable, Sendable {
    /// How a folder is watched.
    public enum Condition: Hashable, Sendable {
        /// That is not known yet.
        case starting
        /// The kernel tells of every change.
        case events
        /// The folder is scanned at short intervals.
        case polling(Reason)
        /// It cannot be watched; it is tried again at short intervals.
        case absent(Reason)
    }

    /// Why a folder is not watched by events alone.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason, for a program.
        public enum Code: String, Hashable, Sendable {
            /// Its file system does not tell of what others change, such as other machines.
            case silentFileSystem = "silent-file-system"
            /// The system, or the user, has no more watches or descriptors left.
            case exhausted
            /// Nothing is there.
            case missing
            /// Something is there that is not a folder.
            case notFolder = "not-a-folder"
            /// This process may not read it.
            case noAccess = "no-access"
            /// The system gives another error.
            case systemError = "system-error"
        }

        /// The reason, for a program.
        public let code: Code

        /// The error number of the system, or 0 where there was no error.
        public let errorNumber: Int32

        /// The reason for a person, in a few words without a full stop.
        public let description: String

        package init(code: Code, errorNumber: Int32, description: String) {
            self.code = code
            self.errorNumber = errorNumber
            self.description = description
        }
    }

    /// One of the folders.
    public struct Folder: Hashable, Sendable {
        /// Its path, as it was given.
        public let path: [UInt8]
        /// How it is watched.
        public let condition: Condition
        /// How many names of files that are to be handed out are held.
        public let pending: Int
        /// Whether it may have more files than that to be handed out.
        public let hasMore: Bool
        /// How often its path has come to lead to another folder since the start.
        public var replacements = Replacements()
    }

    /// How often a path has come to lead to another folder, by what happened.
    public struct Replacements: Hashable, Sendable {
        /// Another folder has taken the place of the one that was there.
        public var folders = 0
        /// A file system was mounted at the path, or above, or unmounted.
        public var mounts = 0
    }

    /// How many files were passed over because they are no regular files.
    ///
    /// Each is counted once, and again when it is replaced.
    public struct Skipped: Hashable, Sendable {
        /// Named pipes.
        public var fifos = 0
        /// Devices, of either kind.
        public var devices = 0
        /// Sockets.
        public var sockets = 0
        /// Symbolic links, wherever they lead.
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

    /// The folders, in the order in which they were given.
    public let folders: [Folder]

    /// How many names of files that are to be handed out are held; a folder may have more.
    public let pending: Int

    /// How many files are handed out and not yet finished, waited for or to be tried again.
    public let inWork: Int

    /// How many files were incomplete, and are waited for.
    public let waiting: Int

    /// How many files are to be tried again later.
    public let delayed: Int

    /// How many files are still there that were finished, or passed over, and are not handed out.
    public let settled: Int

    /// What was passed over since the start.
    public let skipped: Skipped

    /// How often the kernel has lost events since the start, because they came faster than they were
    /// read; the folders were scanned then.
    public let overflows: Int

    /// How often a folder was watched anew since the start, because its path led to another folder.
    public let rearms: Int
}
