/// Which folder a path leads to, as opposed to what the path is.
package struct FolderIdentity: Hashable, Sendable {
    /// The device of its file system.
    package var device: UInt64
    /// Its number on that file system.
    package var inode: UInt64
    /// The mount through which the path leads to it; 0 where the kernel does not tell.
    package var mount: UInt64

    /// Puts together what is known.
    package init(device: UInt64, inode: UInt64, mount: UInt64) {
        self.device = device
        self.inode = inode
        self.mount = mount
    }
}
