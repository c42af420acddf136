/// The calls of the system that watching takes, so that tests can supply others.
package struct WatchSystem: Sendable {
    /// The time.
    package var now: @Sendable () -> Moment

    /// Which folder a path leads to.
    package var identify: @Sendable (_ path: [UInt8]) -> Result<FolderIdentity, SystemError>

    /// On what kind of file system a path is.
    package var fileSystem: @Sendable (_ path: [UInt8]) -> Result<FileSystemKind, SystemError>

    /// Looks at a file; links are not followed.
    package var look: @Sendable (_ path: [UInt8]) -> FileLook

    /// Goes through the names in a folder until the body says no.
    ///
    /// The result is whether it has come to the end.
    package var scan:
        @Sendable (_ path: [UInt8], _ body: ([UInt8]) -> Bool) -> Result<Bool, SystemError>

    /// Opens a descriptor from which events are read.
    package var openEvents: @Sendable () -> Result<Int32, SystemError>

    /// Asks for the events of a folder; gives the number by which they are known.
    ///
    /// What was asked of the same folder before is told as well.
    package var addWatch: @Sendable (_ events: Int32, _ path: [UInt8]) -> Result<Int32, SystemError>

    /// Asks for the events of a folder within a watched one, as of that; a link at the end of the path is
    /// not followed.
    package var addInnerWatch:
        @Sendable (_ events: Int32, _ path: [UInt8]) -> Result<Int32, SystemError>

    /// Asks for no more events of that number.
    package var removeWatch: @Sendable (_ events: Int32, _ watch: Int32) -> Void

    /// Takes events that have come; none when there are none.
    package var readEvents: @Sendable (_ events: Int32) -> [KernelEvent]

    /// Asks to be told when a folder is renamed or removed, and, where it holds a watched one, of what
    /// is renamed or removed in it.
    package var addPlaceWatch:
        @Sendable (_ events: Int32, _ path: [UInt8], _ isParent: Bool) -> Result<Int32, SystemError>

    /// Opens a descriptor that tells when something is mounted, or gives nil.
    package var openMounts: @Sendable () -> Int32?

    /// Closes a descriptor that was opened here.
    package var close: @Sendable (_ descriptor: Int32) -> Void

    /// Waits until a descriptor has something to tell, or the time is over; nil for no such limit.
    ///
    /// - Returns: Whether something was mounted or unmounted.
    package var wait: @Sendable (_ descriptors: WaitedDescriptors, _ timeout: Duration?) -> Bool
}

/// What the thread that watches waits for, as far as there is a descriptor for it.
package struct WaitedDescriptors: Sendable {
    /// Is raised by those who want something of the thread.
    package var signal: Int32?
    /// Has events of the watched folders, and of those on the way to them.
    package var events: Int32?
    /// Tells when something is mounted.
    package var mounts: Int32?
}

/// What the kernel tells.
package struct KernelEvent: Hashable, Sendable {
    /// The number of the watch, or -1.
    package var watch: Int32
    /// What has happened, `IN_CREATE` and so on.
    package var mask: UInt32
    /// The name of the file; empty where it is the folder itself.
    package var name: [UInt8]

    /// Puts together what the kernel tells.
    package init(watch: Int32, mask: UInt32, name: [UInt8] = []) {
        self.watch = watch
        self.mask = mask
        self.name = name
    }
}
