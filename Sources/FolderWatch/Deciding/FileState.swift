/// What the system tells about a file without opening it.
package struct FileState: Hashable, Sendable {
    /// The kind of a directory entry.
    package enum Kind: UInt8, Hashable, Sendable {
        case regular, fifo, device, socket, symbolicLink, folder, other
    }

    package var kind: Kind
    /// Its inode number.
    package var inode: UInt64
    /// Its length in bytes.
    package var byteCount: Int64
    /// When its content was last changed, in nanoseconds since 1970.
    package var modified: Int64
    /// When any of its properties was last changed, in nanoseconds since 1970.
    package var changed: Int64

    /// Makes a state from its parts.
    package init(kind: Kind, inode: UInt64, byteCount: Int64, modified: Int64, changed: Int64) {
        self.kind = kind
        self.inode = inode
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
    }

    /// A number that almost certainly differs if the file was replaced or changed.
    ///
    /// The times of a folder are left out: they change with its contents, which is no news of the
    /// folder itself.
    package var digest: UInt64 {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(inode)
        if kind == .regular {
            hasher.combine(byteCount)
            hasher.combine(modified)
            hasher.combine(changed)
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
