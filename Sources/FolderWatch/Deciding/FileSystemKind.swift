/// A kind of file system, by the magic number that `statfs` gives.
package struct FileSystemKind: Hashable, Sendable {
    /// The number, from the kernel's `magic.h` or the file system's own source.
    package let magic: UInt32

    /// Makes a kind from its number.
    package init(magic: UInt32) {
        self.magic = magic
    }

    /// Whether events report every change.
    ///
    /// They do if all changes go through this kernel and this file system. They do not if another
    /// machine, or a program behind FUSE, changes files by itself, nor on an overlay, whose layers
    /// may change beneath it. Local changes still cause events there, at once. So the watch uses
    /// both: events, and polling for the rest. It also polls kinds that are not in the list.
    package var tellsEverything: Bool { Self.local.keys.contains(magic) }

    /// The common name, or the number.
    package var name: String {
        Self.local[magic] ?? Self.remote[magic] ?? "0x" + String(magic, radix: 16)
    }

    private static let local: [UInt32: String] = [
        0xEF53: "ext4",
        0x5846_5342: "XFS",
        0x9123_683E: "Btrfs",
        0x0102_1994: "tmpfs",
        0x8584_58F6: "ramfs",
        0xF2F5_2010: "F2FS",
        0xCA45_1A4E: "bcachefs",
        0x2FC1_2FC1: "ZFS",
        0x3153_464A: "JFS",
        0x5265_4973: "ReiserFS",
        0x3434: "NILFS",
        0x4D44: "FAT",
        0x2011_BAB0: "exFAT",
        0x7366_746E: "NTFS",
        0x482B: "HFS+",
        0x1501_3346: "UDF",
    ]

    private static let remote: [UInt32: String] = [
        0x6969: "NFS",
        0x517B: "SMB",
        0xFE53_4D42: "SMB",
        0xFF53_4D42: "CIFS",
        0x6573_5546: "FUSE",
        0x794C_7630: "overlay",
        0x6175_6673: "aufs",
        0xF15F: "eCryptfs",
        0x0102_1997: "9P",
        0x00C3_6400: "Ceph",
        0x0BD0_0BD0: "Lustre",
        0x4750_4653: "GPFS",
        0x0116_1970: "GFS2",
        0x7461_636F: "OCFS2",
        0x1983_0326: "BeeGFS",
        0x5346_414F: "AFS",
        0x6B41_4653: "AFS",
        0x7375_7245: "Coda",
        0x786F_4256: "VirtualBox shared folder",
        0xBACB_ACBC: "VMware shared folder",
        0x7C7C_6673: "Parallels shared folder",
    ]
}
