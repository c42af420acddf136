extension FolderWatch {
    /// How folders are watched.
    public struct Options: Sendable {
        /// How long an incomplete file may stay without news before it is overdue; 60 s.
        public var grace: Duration = .seconds(60)

        /// How often a folder is scanned even if events report every change; 60 s.
        ///
        /// Events are only hints, and a scan shows the truth. If an event is lost, the watch finds
        /// the change after this time at the latest.
        public var reconcileInterval: Duration = .seconds(60)

        /// How often to check whether a path still leads to the same folder, if nothing reports
        /// that; 2 s.
        ///
        /// The kernel reports if a folder on the path is renamed or removed, or if something is
        /// mounted; the watching thread then wakes only to scan. It does not report this if a
        /// symbolic link is on the path, or if the folder is on a server. The interval also tells
        /// how often an absent folder is looked for, how often events are requested again if the
        /// system had none to give, and how late a second change of the path may be noticed.
        public var identityInterval: Duration = .seconds(2)

        /// How often a folder is scanned if events are unavailable or incomplete; 2 s.
        public var pollInterval: Duration = .seconds(2)

        /// The most names kept in memory per folder for files to hand out; 4096, and at least 1.
        ///
        /// The same number is kept for files that wait. If there are more files, the folder is
        /// scanned again when few names are left.
        public var mostPending: Int = 4096

        /// Whether folders in a watched folder are handed out like files; false by default.
        ///
        /// Every scan hands out again a folder that is still there, because its contents may have
        /// changed.
        public var handsOutFolders = false

        /// The most folders within the watched ones whose events are followed at once; 256.
        public var mostInnerWatches = 256

        /// Decides which names are skipped until the file is renamed; ``IgnoredNames`` by default.
        ///
        /// The watching thread calls it for every name from a scan or an event.
        public var isIgnored: @Sendable (_ name: [UInt8]) -> Bool = IgnoredNames.contains

        /// The default values of all options.
        public static let `default` = Options()

        /// Makes options with their default values.
        public init() {}
    }
}
