/// Names of files that a program is still writing, or that belong to the system.
public enum IgnoredNames {
    /// Whether a name is hidden, belongs to a system file, or has the ending of an unfinished file.
    ///
    /// Hidden names begin with a full stop, such as those of rsync, Syncthing and macOS. The
    /// endings are `.part`, `.tmp`, `.crdownload`, `.filepart` and `~`. System files are those that
    /// Windows puts into every folder that it shows, and macOS into archives: `Thumbs.db`,
    /// `ehthumbs.db`, `ehthumbs_vista.db`, `desktop.ini`, `__MACOSX`. Case does not matter.
    ///
    /// - Parameter name: The name, as bytes.
    /// - Returns: Whether it is such a name.
    public static func contains(_ name: [UInt8]) -> Bool {
        guard let first = name.first, let last = name.last else { return true }
        if first == UInt8(ascii: ".") || last == UInt8(ascii: "~") { return true }
        if isRemade(name) || isWhole(name, "__macosx") { return true }
        return endings.contains { ending in
            ending.utf8CodeUnitCount <= name.count && ends(name, with: ending)
        }
    }

    /// Whether a system makes a file of this name in every folder that it shows.
    ///
    /// The system makes it again if it is deleted, so nobody needs it.
    ///
    /// - Parameter name: The name, as bytes.
    /// - Returns: Whether it is such a name.
    public static func isRemade(_ name: [UInt8]) -> Bool {
        remade.contains { isWhole(name, $0) }
    }

    private static let endings: [StaticString] = [".part", ".tmp", ".crdownload", ".filepart"]

    private static let remade: [StaticString] = [
        "thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", ".ds_store",
    ]

    private static func isWhole(_ name: [UInt8], _ whole: StaticString) -> Bool {
        whole.utf8CodeUnitCount == name.count && ends(name, with: whole)
    }

    private static func ends(_ name: [UInt8], with ending: StaticString) -> Bool {
        ending.withUTF8Buffer { ending in
            unsafe zip(name.suffix(ending.count), ending).allSatisfy { byte, wanted in
                let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                return (isCapital ? byte | 0x20 : byte) == wanted
            }
        }
    }
}
