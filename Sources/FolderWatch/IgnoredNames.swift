/// Names that files bear while a program is still writing them, or that a system gives to its own.
public enum IgnoredNames {
    /// Whether a name is hidden, is that of a system's own file, or ends as programs end the names of
    /// what they have not finished.
    ///
    /// These are names that begin with a full stop, as rsync's, Syncthing's and those of macOS do; those
    /// that end with `.part`, `.tmp`, `.crdownload`, `.filepart` or `~`; and what Windows puts into every
    /// folder that it shows, and macOS into archives: `Thumbs.db`, `ehthumbs.db`, `ehthumbs_vista.db`,
    /// `desktop.ini`, `__MACOSX`. Capital letters count as small ones.
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

    /// Whether a name is that of a file which a system makes in every folder that it shows, and makes
    /// again when it is gone: nobody misses it.
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
