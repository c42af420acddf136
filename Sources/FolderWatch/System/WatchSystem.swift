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
    package var addWatch: @Sendable (_ events: Int32, _ path: [UInt8]) -> Result<Int32, SystemError>

    /// Asks for no more events of that number.
    package var removeWatch: @Sendable (_ events: Int32, _ watch: Int32) -> Void

    /// Takes events that have come; none when there are none.
    package var readEvents: @Sendable (_ events: Int32) -> [KernelEvent]

    /// Closes the descriptor from which events are read.
    package var closeEvents: @Sendable (_ events: Int32) -> Void

    /// Waits until a descriptor has something to read, or the time is over; nil for no such limit.
    package var wait: @Sendable (_ signal: Int32?, _ events: Int32?, _ timeout: Duration?) -> Void
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
