extension FolderWatch {
    /// How folders are watched.
    public struct Options: Sendable {
        /// How long an incomplete file may stay without news before it is overdue; 60 s.
        public var grace: Duration = .seconds(60)

        /// How often a folder is scanned although events tell of every change; 60 s.
        ///
        /// Events are hints, and a scan is the truth: this is after what time the truth is known at
        /// the latest, should an event ever be missing.
        public var reconcileInterval: Duration = .seconds(60)

        /// How often to look whether a path still leads to the same folder, where nothing tells of it;
        /// 2 s.
        ///
        /// The kernel tells when a folder on the way is renamed or removed, or something is mounted;
        /// then the thread that watches wakes at rest only to scan. It does not tell where a symbolic
        /// link is on the way, or the folder is on a server. This is also how often an absent folder
        /// is looked for, how often events are asked for again where the system had none to give, and
        /// how much later than another one a change of the way may be noticed.
        public var identityInterval: Duration = .seconds(2)

        /// How often a folder is scanned where events cannot be had, or do not tell of every change;
        /// 2 s.
        public var pollInterval: Duration = .seconds(2)

        /// How many names of files that are to be handed out are held in memory for each folder, and
        /// how many of files that wait; 4096, and at least 1.
        ///
        /// Where there are more, the folder is scanned again once few are left.
        public var mostPending: Int = 4096

        /// Whether folders that are put into a watched one are handed out as files are; no.
        ///
        /// Where one stays, it is handed out again by every scan: what is in it may have changed.
        public var handsOutFolders = false

        /// Of how many folders within the watched ones news is heard at once; 256.
        public var mostInnerWatches = 256

        /// Which names are passed over, until the file is renamed; ``IgnoredNames`` by default.
        ///
        /// It is called from the thread that watches, for every name that a scan or an event tells.
        public var isIgnored: @Sendable (_ name: [UInt8]) -> Bool = IgnoredNames.contains

        /// The values that are given with each of the options.
        public static let `default` = Options()

        /// The values that are given with each of the options.
        public init() {}
    }
}
