/// What can be told about a file without opening it.
package struct FileState: Hashable, Sendable {
    /// What kind of thing bears the name.
    package enum Kind: UInt8, Hashable, Sendable {
        case regular, fifo, device, socket, symbolicLink, folder, other
    }

    /// What kind it is.
    package var kind: Kind
    /// Its number on its file system.
    package var inode: UInt64
    /// Its length in bytes.
    package var byteCount: Int64
    /// When its bytes were changed last, in nanoseconds since 1970.
    package var modified: Int64
    /// When anything about it was changed last, in nanoseconds since 1970.
    package var changed: Int64

    /// Puts together what is known.
    package init(kind: Kind, inode: UInt64, byteCount: Int64, modified: Int64, changed: Int64) {
        self.kind = kind
        self.inode = inode
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
    }

    /// A number that differs, all but certainly, when the file is another or was changed.
    ///
    /// A folder's times change with what is put into it, which is no news of the folder itself.
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
