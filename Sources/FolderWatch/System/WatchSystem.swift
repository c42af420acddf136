package import SystemSupport

/// The system calls of a watch, so that tests can replace them.
package struct WatchSystem: Sendable {
    /// The time.
    package var now: @Sendable () -> Moment

    /// Returns the identity of the folder that a path leads to.
    package var identify: @Sendable (_ path: [UInt8]) -> Result<FolderIdentity, SystemError>

    /// Returns the kind of the file system of a path.
    package var fileSystem: @Sendable (_ path: [UInt8]) -> Result<FileSystemKind, SystemError>

    /// Examines a file without following links.
    package var look: @Sendable (_ path: [UInt8]) -> FileLook

    /// Passes the names in a folder to the body until that returns false.
    ///
    /// The result is whether it reached the end.
    package var scan:
        @Sendable (_ path: [UInt8], _ body: ([UInt8]) -> Bool) -> Result<Bool, SystemError>

    /// Opens a descriptor for reading events.
    package var openEvents: @Sendable () -> Result<Int32, SystemError>

    /// Requests the events of a folder, and returns their watch number.
    ///
    /// Earlier requests for the same folder stay in force.
    package var addWatch: @Sendable (_ events: Int32, _ path: [UInt8]) -> Result<Int32, SystemError>

    /// Requests the events of a folder within a watched one.
    ///
    /// A link at the end of the path is not followed.
    package var addInnerWatch:
        @Sendable (_ events: Int32, _ path: [UInt8]) -> Result<Int32, SystemError>

    /// Ends the events of a watch number.
    package var removeWatch: @Sendable (_ events: Int32, _ watch: Int32) -> Void

    /// Reads the pending events; empty if there are none.
    package var readEvents: @Sendable (_ events: Int32) -> [KernelEvent]

    /// Requests events if a folder on a path is renamed or removed.
    ///
    /// For the parent of a watched folder, it also requests the renames and removals in it.
    package var addPlaceWatch:
        @Sendable (_ events: Int32, _ path: [UInt8], _ isParent: Bool) -> Result<Int32, SystemError>

    /// Opens a descriptor that reports mounts, or returns nil.
    package var openMounts: @Sendable () -> Int32?

    /// Closes a descriptor opened here.
    package var close: @Sendable (_ descriptor: Int32) -> Void

    /// Waits until a descriptor has something to report, or until the timeout; nil for none.
    ///
    /// - Returns: Whether something was mounted or unmounted.
    package var wait: @Sendable (_ descriptors: WaitedDescriptors, _ timeout: Duration?) -> Bool
}

/// The descriptors that the watching thread waits for, each if it exists.
package struct WaitedDescriptors: Sendable {
    /// Is raised to wake the thread.
    package var signal: Int32?
    /// Has the events of the watched folders, and of those on their paths.
    package var events: Int32?
    /// Reports mounts.
    package var mounts: Int32?
}

package struct KernelEvent: Hashable, Sendable {
    /// The number of the watch, or -1.
    package var watch: Int32
    /// The kind of event, `IN_CREATE` and so on.
    package var mask: UInt32
    /// The name of the file; empty for the folder itself.
    package var name: [UInt8]

    /// Makes an event from its parts.
    package init(watch: Int32, mask: UInt32, name: [UInt8] = []) {
        self.watch = watch
        self.mask = mask
        self.name = name
    }
}
