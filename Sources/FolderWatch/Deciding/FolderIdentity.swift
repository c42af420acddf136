/// The identity of the folder that a path leads to.
package struct FolderIdentity: Hashable, Sendable {
    /// The device of its file system.
    package var device: UInt64
    /// Its inode number.
    package var inode: UInt64
    /// The mount through which the path leads to it; 0 if the kernel does not tell.
    package var mount: UInt64

    /// Makes an identity from its parts.
    package init(device: UInt64, inode: UInt64, mount: UInt64) {
        self.device = device
        self.inode = inode
        self.mount = mount
    }
}
